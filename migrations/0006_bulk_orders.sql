-- A bulk order is a list of ordinary purchases that are validated, charged and recorded together, under a reference of
-- its own. What became of it is what became of its lines: nothing here is kept twice.

create table bulk_orders (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null check (mode in ('live', 'test')),
  -- 63 bits, time-ordered, made by the application; the public bulk_id is derived from it.
  id bigint not null check (id > 0),
  reference text collate "C" not null check (reference <> ''),
  category text not null,
  fingerprint uuid not null,
  lines integer not null check (lines between 1 and 10000),
  amount bigint not null check (amount > 0),
  total bigint not null check (total > 0),
  balance_before bigint not null check (balance_before >= total),
  created_at timestamptz not null
);
comment on table bulk_orders is
  'owner: bulk-orders. One row an order; its lines are purchases. References share the purchases'' namespace.';

-- Partial for the reason that purchases_by_id gives.
create unique index bulk_orders_by_id on bulk_orders (bucket, merchant_id, mode, id) where id > 0;
create unique index bulk_orders_by_reference
  on bulk_orders (bucket, merchant_id, mode, reference)
  where reference <> '';

alter table purchases
  add column bulk_reference text collate "C",
  -- Position in the order, from 0.
  add column bulk_line integer,
  add constraint purchases_bulk_line_of_an_order check ((bulk_reference is null) = (bulk_line is null));

create index purchases_by_bulk_order
  on purchases (bucket, merchant_id, mode, bulk_reference, bulk_line)
  where bulk_reference is not null;

alter table inflight
  drop constraint inflight_step_check,
  -- queued: charged and recorded, but no supplier was asked yet; the first claim asks, any later one asks back.
  add constraint inflight_step_check check (step in ('queued', 'dispatch', 'requery', 'reroute', 'review'));
