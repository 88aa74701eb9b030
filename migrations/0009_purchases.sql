-- Purchases: the record of what was bought, what lists are counted from, and the two guards against buying twice. The
-- ones that are pending have a row in inflight as well (0007). Amounts in kobo.

create table purchases (
  wallet_id integer not null,
  id bigint not null check (id > 0),
  reference text collate "C" not null check (reference <> ''),
  number bigint not null,
  fingerprint uuid not null,
  channel text not null check (channel in ('api', 'dashboard', 'bulk', 'legacy')),
  bulk_reference text collate "C",
  bulk_line integer,
  -- A product id never changes meaning: names, biller and network are read from the catalogue.
  product_id integer not null,
  customer_ref text,
  phone text,
  quantity integer not null check (quantity > 0),
  unit_amount bigint not null check (unit_amount > 0),
  face_amount bigint not null,
  fee bigint not null check (fee >= 0),
  total bigint not null check (total > 0),
  balance_before bigint not null check (balance_before >= total),
  -- A refund gives back to that day, whichever process's clock says what.
  limit_day date not null,
  details json,
  metadata json,
  -- A reroute replaces these, and so does going back to an earlier attempt.
  supplier text,
  supplier_code text,
  cost bigint check (cost >= 0),
  foreign_cost text check (foreign_cost ~ '^[A-Z]{3} [0-9]+\.[0-9]{2} at [0-9]+\.[0-9]{2}$'),
  route_reason text,
  attempt smallint not null default 1,
  provider_reference text,
  status text not null check (status in ('pending', 'successful', 'failed')),
  error_code text,
  fulfilment json,
  delivery_id uuid,
  -- Most merchants have no other endpoint: then it is null, takes no room, and settle_purchases does nothing for it.
  further_delivery_ids uuid[],
  purchased_at timestamptz not null,
  completed_at timestamptz,
  refunded_at timestamptz,
  primary key (wallet_id, id),
  constraint purchases_end_once check ((status = 'pending') = (completed_at is null)),
  -- A successful one is refunded where its supplier took the goods back later.
  constraint purchases_failed_are_refunded
    check (status = 'successful' or (status = 'failed') = (refunded_at is not null)),
  constraint purchases_failed_say_why check ((status = 'failed') = (error_code is not null)),
  constraint purchases_bulk_line_of_an_order check ((bulk_reference is null) = (bulk_line is null)),
  constraint purchases_sandbox_asks_nobody check (wallet_id > 0 or supplier is null),
  constraint purchases_sandbox_costs_nothing
    check (wallet_id > 0 or num_nonnulls(supplier_code, cost, foreign_cost, route_reason) = 0)
)
-- A live purchase is stored pending and updated once, when it ends. There is room on the page for both versions of
-- all rows, and no index holds a status: so the end is a heap-only update that no index hears of, and the space of
-- the first version is used again at once. At 80, three in five found no room and were entered into every index again.
with (fillfactor = 45);
comment on table purchases is
  'owner: purchases and resolution. One row a purchase, unique by reference within its wallet. Amounts in kobo.';
comment on column purchases.wallet_id is 'The wallet.';
comment on column purchases.id is
  '63 bits, time-ordered, made by the application. The public transaction_id is derived from it.';
comment on column purchases.reference is 'The merchant''s own name for the purchase.';
comment on column purchases.number is 'Counts a wallet''s purchases from 1: the legacy endpoints'' integer id.';
comment on column purchases.fingerprint is
  'The hash of the request''s purchase fields: the same reference with another fingerprint is a conflict.';
comment on column purchases.channel is 'The door that it came by.';
comment on column purchases.bulk_reference is 'The bulk order that it is a line of. Null for a single purchase.';
comment on column purchases.bulk_line is 'Its position in that order, from 0.';
comment on column purchases.product_id is 'What was bought.';
comment on column purchases.customer_ref is
  'The customer''s number: a phone, meter or smartcard number, an account. Null where the product needs none.';
comment on column purchases.phone is 'The phone that the request named. Often the same as customer_ref.';
comment on column purchases.quantity is 'How many units.';
comment on column purchases.unit_amount is 'The price of one unit.';
comment on column purchases.face_amount is 'The nominal value of one unit.';
comment on column purchases.fee is 'The fee for the whole purchase.';
comment on column purchases.total is
  'What the wallet paid: amount - discount + fee, where amount = unit_amount * quantity.';
comment on column purchases.balance_before is 'The wallet''s balance before it paid.';
comment on column purchases.limit_day is 'The day on whose limit it counts, in the deployment''s time zone.';
comment on column purchases.details is
  'What the category needs beyond these columns, to ask the supplier again after a crash. Null where that is nothing.';
comment on column purchases.metadata is 'The merchant''s own JSON, given back as it came.';
comment on column purchases.supplier is 'The supplier of the present attempt. Null in sandbox, where none is asked.';
comment on column purchases.supplier_code is 'What that supplier calls the product.';
comment on column purchases.cost is 'What that supplier takes from us for the purchase.';
comment on column purchases.foreign_cost is
  'That cost in the supplier''s own currency, and the naira for one unit that it was reckoned at: USD 4.50 at 1600.00. '
  'Null where the supplier takes naira.';
comment on column purchases.route_reason is 'Why that route was chosen.';
comment on column purchases.attempt is 'The number of the present attempt, or of the one that decided, from 1.';
comment on column purchases.provider_reference is 'That supplier''s reference of the attempt. Null until it told one.';
comment on column purchases.status is 'Leaves pending once, by settle_purchases alone.';
comment on column purchases.error_code is 'Why it failed, as the API says it.';
comment on column purchases.fulfilment is
  'What the supplier delivered: a token, PINs. In live mode sealed under purchases/<merchant>/<id>, but for its kind.';
comment on column purchases.delivery_id is
  'The webhook delivery about its end, written in the commit that ended it. Null where its merchant wanted none.';
comment on column purchases.further_delivery_ids is 'The same for other endpoints than the merchant''s first.';
comment on column purchases.purchased_at is 'When it was accepted: the time in its id.';
comment on column purchases.completed_at is 'When its end was recorded. Null while it is pending.';
comment on column purchases.refunded_at is
  'When the wallet got the total back: with the failure, or when its supplier took back what it had vended.';

-- Where statistics are those of an empty table, the planner takes one row for either of two indexes, and reads, by
-- chance, a wallet's whole history for one reference (measured: 134 instead of 7,000 purchases a second, until the next
-- replan). So this one is not offered for the key's questions: it is partial, under a condition that always holds. A
-- statement that is to be answered by it says `reference <> ''`. Test: domain/purchases/plans.
create unique index purchases_reference_once on purchases (reference, wallet_id) where reference <> '';

-- A supplier and an operator know a purchase by its transaction id alone, and say it long after its end. Unique: a
-- supplier that is told one reference twice answers the second sale with the goods of the first.
create unique index purchases_live_by_id on purchases (id) where wallet_id > 0;

create index purchases_by_bulk_order
  on purchases (wallet_id, bulk_reference, bulk_line)
  where bulk_reference is not null;

-- Every purchase enters one of these two, so they are as small as can be: two numbers before the id instead of the
-- wallet and the text, which rows are compared with afterwards. The first number is a span of fifty days (an id carries
-- its time): customers lie scattered, and new purchases shall meet the pages of the youngest span, not those of all
-- years.
create index purchases_by_customer
  on purchases (((id >> 54)::integer), (hashtext(customer_ref) # wallet_id), id)
  where customer_ref is not null;
-- Mostly the customer is the phone; only where it is not, the phone has an entry of its own.
create index purchases_by_phone
  on purchases (((id >> 54)::integer), (hashtext(phone) # wallet_id), id)
  where phone is distinct from customer_ref and phone is not null;

-- One array of these instead of thirty arrays takes a tenth less work a purchase. Rows are written by position: the
-- columns and their order are those of newPurchaseColumns (domain/purchases/new-purchase.ts), as a test makes sure.
create type new_purchase as (
  wallet_id integer,
  bulk_reference text,
  bulk_line integer,
  provider_reference text,
  fulfilment json,
  cost bigint,
  foreign_cost text,
  route_reason text,
  settled boolean,
  step text,
  due_seconds integer,
  day_limit bigint,
  id bigint,
  reference text,
  fingerprint uuid,
  channel text,
  product_id integer,
  customer_ref text,
  phone text,
  quantity integer,
  unit_amount bigint,
  face_amount bigint,
  fee bigint,
  total bigint,
  supplier text,
  supplier_code text,
  details json,
  metadata json
);
comment on type new_purchase is
  'A purchase as accept_purchases and place_bulk_order take it: what is known before the charge.';
comment on column new_purchase.wallet_id is 'The wallet.';
comment on column new_purchase.bulk_reference is 'purchases.bulk_reference.';
comment on column new_purchase.bulk_line is 'purchases.bulk_line.';
comment on column new_purchase.provider_reference is 'What the supplier calls the attempt, where it is settled.';
comment on column new_purchase.fulfilment is 'What was delivered, where it is settled.';
comment on column new_purchase.cost is 'What that supplier takes from us for the purchase.';
comment on column new_purchase.foreign_cost is 'purchases.foreign_cost.';
comment on column new_purchase.route_reason is 'Why that route was chosen.';
comment on column new_purchase.settled is 'Its success is certain already: it is stored with its end.';
comment on column new_purchase.step is 'What the due-work loop does unless the purchase ends before: inflight.step.';
comment on column new_purchase.due_seconds is 'When the loop does it, from now.';
comment on column new_purchase.day_limit is 'Kobo that the wallet may spend on the day. Null where no limit applies.';
comment on column new_purchase.id is 'purchases.id.';
comment on column new_purchase.reference is 'purchases.reference.';
comment on column new_purchase.fingerprint is 'purchases.fingerprint.';
comment on column new_purchase.channel is 'purchases.channel.';
comment on column new_purchase.product_id is 'purchases.product_id.';
comment on column new_purchase.customer_ref is 'purchases.customer_ref.';
comment on column new_purchase.phone is 'purchases.phone.';
comment on column new_purchase.quantity is 'purchases.quantity.';
comment on column new_purchase.unit_amount is 'purchases.unit_amount.';
comment on column new_purchase.face_amount is 'purchases.face_amount.';
comment on column new_purchase.fee is 'purchases.fee.';
comment on column new_purchase.total is 'purchases.total.';
comment on column new_purchase.supplier is 'The supplier of the first attempt.';
comment on column new_purchase.supplier_code is 'What that supplier calls the product.';
comment on column new_purchase.details is 'purchases.details.';
comment on column new_purchase.metadata is 'purchases.metadata.';

-- Lists tell an exact total without counting millions of rows, and find the days on which a rare filter matches.
-- Counted in the background, a little behind: the wallet's counted_id says up to where, and what lies above it is few
-- enough to be read.
create table purchase_counts (
  wallet_id integer not null,
  day integer not null check (day >= -1),
  product_id integer not null,
  status text not null check (status in ('successful', 'failed')),
  channel text not null check (channel in ('api', 'dashboard', 'bulk', 'legacy')),
  purchases bigint not null check (purchases >= 0),
  charged bigint not null check (charged >= 0),
  -- Where few are, little is read to find them.
  first_id bigint not null,
  last_id bigint not null,
  primary key (wallet_id, day, product_id, status, channel)
)
with (fillfactor = 80);
comment on table purchase_counts is
  'owner: purchases. Final purchases up to the wallet''s counted_id, by day, product, status and channel.';
comment on column purchase_counts.wallet_id is 'The wallet.';
comment on column purchase_counts.day is
  'Days since 2020-01-01 at +01:00 (purchase_day). -1 holds the sum over all days.';
comment on column purchase_counts.product_id is 'What was bought.';
comment on column purchase_counts.status is 'How the purchases ended.';
comment on column purchase_counts.channel is 'The door that they came by.';
comment on column purchase_counts.purchases is 'How many there are.';
comment on column purchase_counts.charged is
  'What wallets were charged for these purchases, in kobo. What failed was refunded as much.';
comment on column purchase_counts.first_id is 'No purchase that is counted here has a smaller id.';
comment on column purchase_counts.last_id is 'No purchase that is counted here has a greater id.';

-- Sandbox purchases are purged after 30 days. Their entries stay, for the chain of the wallet's balance.
create table purged_purchases (
  wallet_id integer primary key check (wallet_id < 0),
  last_id bigint not null,
  purchases bigint not null,
  value_kept bigint not null
);
comment on table purged_purchases is
  'owner: maintenance. How far each sandbox wallet''s purchases were purged, and what they were worth.';
comment on column purged_purchases.wallet_id is 'The wallet, of the sandbox.';
comment on column purged_purchases.last_id is 'Every purchase up to this id is gone.';
comment on column purged_purchases.purchases is 'How many were purged.';
comment on column purged_purchases.value_kept is 'Kobo that the purged purchases left in the clearing account.';

-- The duplicate guards. For merchants who want it, the same product for the same customer and amount is bought once
-- within a window, whatever the references say. Most merchants sell one number the same twice on purpose: it is off.
-- And clients of the legacy endpoints rarely name their requests, so nothing tells a retry from a second purchase but
-- the time between them: for everybody, the same request without a reference passes once in 30 seconds. Both stand
-- here, not in a process's memory: a retry may reach another process.
create table guarded_purchases (
  wallet_id integer not null,
  fingerprint uuid not null,
  reference text collate "C" not null,
  guarded_until timestamptz not null,
  primary key (wallet_id, fingerprint)
);
comment on table guarded_purchases is
  'owner: purchases. What was bought, or asked for without a reference, within a window; the same again is refused.';
comment on column guarded_purchases.wallet_id is 'The wallet.';
comment on column guarded_purchases.fingerprint is
  'The hash of product, customer and amount; or of a legacy request, with a mark of its own.';
comment on column guarded_purchases.reference is
  'The reference of the purchase that holds the window: only it may end the window.';
comment on column guarded_purchases.guarded_until is 'When the window ends.';

create index guarded_purchases_by_end on guarded_purchases (guarded_until);

-- Of which sale a token, PIN, code or eSIM is: what a supplier hands to one sale and then to another goes to a person.
create table delivered_codes (
  code bigint primary key,
  wallet_id integer not null,
  purchase_id bigint not null
);
comment on table delivered_codes is
  'owner: purchases. What live sales handed over, each piece once: the sale that a supplier named it for first. '
  'For good.';
comment on column delivered_codes.code is
  'Keyed hash of the token, PIN, code or eSIM, however it is grouped: without the encryption key it says nothing.';
comment on column delivered_codes.wallet_id is 'The wallet of its sale.';
comment on column delivered_codes.purchase_id is 'Its sale.';
