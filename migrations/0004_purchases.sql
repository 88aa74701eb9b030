-- Purchases, the pending ones among them, and what suppliers said. No index holds a status, so that settling a
-- purchase is a heap-only update.

create table purchases (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null check (mode in ('live', 'test')),
  -- 63 bits, time-ordered, made by the application; the public transaction_id is derived from it.
  id bigint not null check (id > 0),
  reference text collate "C" not null check (reference <> ''),
  -- Counts a wallet's purchases from 1; the legacy endpoints' integer id.
  number bigint not null,
  -- Of the request's purchase fields: the same reference with another fingerprint is a conflict.
  fingerprint uuid not null,
  channel text not null check (channel in ('api', 'dashboard', 'bulk', 'legacy')),
  status text not null check (status in ('pending', 'successful', 'failed')),
  -- A product id never changes meaning: names, biller and network are read from the catalogue.
  product_id integer not null,
  customer_ref text,
  phone text,
  quantity integer not null check (quantity > 0),
  unit_amount bigint not null check (unit_amount > 0),
  face_amount bigint not null,
  fee bigint not null check (fee >= 0),
  -- amount - discount + fee, where amount = unit_amount * quantity.
  total bigint not null check (total > 0),
  balance_before bigint not null check (balance_before >= total),
  -- The supplier asked; null in sandbox, where nobody is.
  supplier text,
  attempt smallint not null default 1,
  provider_reference text,
  error_code text,
  -- What the category needs beyond these columns, for asking the supplier again after a crash.
  details json,
  fulfilment json,
  metadata json,
  purchased_at timestamptz not null,
  completed_at timestamptz,
  refunded_at timestamptz,
  constraint purchases_end_once check ((status = 'pending') = (completed_at is null)),
  constraint purchases_failed_are_refunded check ((status = 'failed') = (refunded_at is not null)),
  constraint purchases_failed_say_why check ((status = 'failed') = (error_code is not null)),
  constraint purchases_sandbox_asks_nobody check (mode = 'live' or supplier is null)
)
with (fillfactor = 80);
comment on table purchases is
  'owner: purchases. One row a purchase, unique by reference within merchant and mode. Amounts in kobo.';

-- The table's two keys share their first three columns, and where statistics are young the planner takes one row for
-- either: by chance it then read a wallet's whole history for one reference (measured: 134 instead of 7,000 purchases a
-- second, until the next replan). So neither is offered for the other's question: each is partial, under a condition
-- that always holds, and a statement that means one of them says so.
create unique index purchases_by_id on purchases (bucket, merchant_id, mode, id) where id > 0;
create unique index purchases_by_reference on purchases (bucket, merchant_id, mode, reference) where reference <> '';

create index purchases_by_legacy_id on purchases (bucket, merchant_id, mode, number) where channel = 'legacy';

create table inflight (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  purchase_id bigint not null,
  due_at timestamptz not null,
  -- Raised by every claim: what an earlier holder still wants to write is refused.
  epoch integer not null default 0,
  step text not null check (step in ('dispatch', 'requery', 'reroute', 'review')),
  tries integer not null default 0,
  primary key (bucket, merchant_id, mode, purchase_id)
)
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
comment on table inflight is
  'owner: purchases. Exactly the pending purchases. Deleting its row is the gate to a final status: one winner.';

-- Partial for the same reason: a pending purchase is found by its key, not through all that is due in its bucket.
create index inflight_due on inflight (bucket, due_at) where step <> 'review';

create table vend_attempts (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  purchase_id bigint not null,
  attempt smallint not null check (attempt > 0),
  supplier text not null,
  supplier_reference text not null,
  verdict text not null check (verdict in ('vended', 'declined')),
  -- Redacted: what the supplier said, for the operator's eyes.
  evidence text not null,
  ended_at timestamptz not null default now(),
  primary key (bucket, merchant_id, mode, purchase_id, attempt)
);
comment on table vend_attempts is
  'owner: purchases. One row an attempt at a supplier, written when it ends. Insert-only.';

-- Sandbox purchases are purged after 30 days. Their entries stay, for the chain of the wallet's balance.
create table purged_purchases (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null check (mode = 'test'),
  -- Every purchase up to this id is gone.
  last_id bigint not null,
  purchases bigint not null,
  -- Kobo that the purged purchases left in the clearing account.
  value_kept bigint not null,
  primary key (bucket, merchant_id, mode)
);
comment on table purged_purchases is
  'owner: sandbox. How far each sandbox wallet''s purchases were purged, and what they were worth.';
