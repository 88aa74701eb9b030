-- A bulk order is a list of ordinary purchases that are validated, charged and recorded together, under a reference of
-- its own. Its outcome is the outcome of its lines: nothing here is kept twice. Amounts in kobo.

create table bulk_orders (
  wallet_id integer not null,
  id bigint not null check (id > 0),
  reference text collate "C" not null check (reference <> ''),
  category text not null,
  fingerprint uuid not null,
  lines integer not null check (lines between 1 and 10000),
  amount bigint not null check (amount > 0),
  total bigint not null check (total > 0),
  balance_before bigint not null check (balance_before >= total),
  open_lines integer not null default 0 check (open_lines >= 0),
  -- An endpoint that gets changes alone is not sent the end of such an order again.
  over_at_once boolean not null default false,
  completion_announced boolean not null default false,
  created_at timestamptz not null,
  primary key (wallet_id, id)
);
comment on table bulk_orders is
  'owner: bulk-orders. One row an order; its lines are purchases. References share the purchases'' namespace.';
comment on column bulk_orders.wallet_id is 'The wallet.';
comment on column bulk_orders.id is
  '63 bits, time-ordered, made by the application. The public bulk_id is derived from it.';
comment on column bulk_orders.reference is 'The merchant''s own name for the order.';
comment on column bulk_orders.category is 'The category that its lines buy.';
comment on column bulk_orders.fingerprint is
  'The hash of the request''s fields: the same reference with another fingerprint is a conflict.';
comment on column bulk_orders.lines is 'How many purchases the order has.';
comment on column bulk_orders.amount is 'The lines'' amounts together, before discounts and fees.';
comment on column bulk_orders.total is 'What the wallet paid for all lines.';
comment on column bulk_orders.balance_before is 'The wallet''s balance before it paid.';
comment on column bulk_orders.open_lines is 'Lines that are pending. At zero the order is over.';
comment on column bulk_orders.over_at_once is 'Every line''s end was in the order''s own response.';
comment on column bulk_orders.completion_announced is 'The end was announced, or did not have to be.';
comment on column bulk_orders.created_at is 'When it was accepted: the time in its id.';

-- Partial for the reason that purchases_reference_once gives.
create unique index bulk_orders_reference_once on bulk_orders (reference, wallet_id) where reference <> '';

create index bulk_orders_unannounced on bulk_orders (wallet_id) where open_lines = 0 and not completion_announced;

-- The values that differ from line to line. All others are the same for the lines of a kind, of which an order has
-- few, and are passed once, as a new_purchase. Rows are written by position: the columns' order is part of the type.
create type bulk_line as (
  id bigint,
  reference text,
  fingerprint uuid,
  phone text,
  provider_reference text,
  kind integer
);
comment on type bulk_line is 'One line of a bulk order as place_bulk_order takes it.';
comment on column bulk_line.id is 'purchases.id.';
comment on column bulk_line.reference is 'purchases.reference.';
comment on column bulk_line.fingerprint is 'purchases.fingerprint.';
comment on column bulk_line.phone is 'The customer''s number, and the phone.';
comment on column bulk_line.provider_reference is 'What the supplier calls the attempt, where the line is settled.';
comment on column bulk_line.kind is 'The number of the line''s kind, from 1.';

-- Worth the present minute, so the table is unlogged, as request_counts is: after a crash of PostgreSQL the minute
-- starts anew.
create unlogged table bulk_budgets (
  merchant_id integer primary key,
  minute timestamptz not null,
  lines bigint not null,
  bytes bigint not null
)
-- Each update rewrites the row and no index: half-empty pages keep it heap-only.
with (fillfactor = 50);
comment on table bulk_budgets is 'owner: bulk-orders. Lines and bytes of the present minute by merchant.';
comment on column bulk_budgets.merchant_id is 'The merchant.';
comment on column bulk_budgets.minute is 'The minute that is counted.';
comment on column bulk_budgets.lines is 'Lines that the merchant''s orders brought in it.';
comment on column bulk_budgets.bytes is 'Bytes of the bodies of those orders.';
