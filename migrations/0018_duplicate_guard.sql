-- The duplicate guard: for merchants who want it, the same product for the same customer and amount is bought once
-- within a window, whatever the references say. Most merchants sell one number the same twice on purpose: it is off.

alter table merchants
  add column duplicate_guard_seconds integer check (duplicate_guard_seconds between 5 and 86400);
comment on column merchants.duplicate_guard_seconds is 'The window; null: the guard is off.';

create table guarded_purchases (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null check (mode in ('live', 'test')),
  -- Of the product, the customer and the amount.
  fingerprint uuid not null,
  -- Whose purchase it is until then.
  reference text collate "C" not null,
  held_until timestamptz not null,
  primary key (bucket, merchant_id, mode, fingerprint)
);
comment on table guarded_purchases is
  'owner: purchases. What merchants with a duplicate guard bought within their window; the same again is refused.';

create index guarded_purchases_by_end on guarded_purchases (held_until);
