-- How many purchases there are of each product and status, so that lists tell an exact total without counting millions
-- of rows, and find the days on which a rare filter matches. Counted in the background, a little behind: `counted_id`
-- says up to where, and what lies above it is few enough to be read.

create table purchase_counts (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null check (mode in ('live', 'test')),
  -- Days since 2020-01-01 at +01:00; -1 holds the sum over all days.
  day integer not null check (day >= -1),
  product_id integer not null,
  status text not null check (status in ('successful', 'failed')),
  purchases bigint not null check (purchases >= 0),
  primary key (bucket, merchant_id, mode, day, product_id, status)
)
with (fillfactor = 80);
comment on table purchase_counts is
  'owner: purchases. Final purchases up to the wallet''s counted_id, by day, product and status.';

alter table wallets
  -- Every final purchase up to this id is in purchase_counts; no purchase may be added below it.
  add column counted_id bigint not null default 0;
