-- Suppliers, which of them serves which product at what cost, our balance there, and the vouchers that we bought in
-- advance. Suppliers and routes are read on every live purchase and written by operators: processes keep them in
-- memory and reload when `revisions` says that they changed. Amounts in kobo.

create table suppliers (
  -- Kept with every purchase and attempt: a supplier is disabled, never deleted or renamed.
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  connector text not null check (connector ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  credentials text,
  state text not null default 'enabled' check (state in ('enabled', 'disabled'))
);
comment on table suppliers is 'owner: suppliers. Suppliers, and how their connectors reach them.';
comment on column suppliers.name is 'The supplier, as operators call it.';
comment on column suppliers.connector is 'The code that speaks the supplier''s API; several suppliers may share one.';
comment on column suppliers.settings is
  'What the connector needs to know and everybody may read: addresses, network numbers.';
comment on column suppliers.credentials is
  'Keys and passwords as one JSON object, sealed (platform/sealing/secret-box.ts) under suppliers/<name>. Null: none.';
comment on column suppliers.state is
  'A disabled supplier gets no new purchase; it is still asked about what it was sent before.';

create table supplier_tokens (
  supplier text not null references suppliers,
  audience text not null check (length(audience) <= 100),
  sealed text not null,
  primary key (supplier, audience)
);
comment on table supplier_tokens is
  'owner: suppliers. Access tokens that suppliers gave us for a while, so that all processes share them. Only a cache.';
comment on column supplier_tokens.supplier is 'The supplier.';
comment on column supplier_tokens.audience is 'Which part of the supplier''s API it opens. Empty where there is one.';
comment on column supplier_tokens.sealed is
  'Token, account and time of expiry as JSON, sealed (platform/sealing/secret-box.ts) under '
  'supplier_tokens/<supplier>/<audience>. One that no longer opens is fetched anew.';

-- Asked each day by one process. What was found is kept as far as it is told in metrics.
create table supplier_catalogues (
  supplier text primary key references suppliers,
  reported_at timestamptz not null,
  new_products integer not null default 0 check (new_products >= 0),
  gone integer not null default 0 check (gone >= 0),
  value_changed integer not null default 0 check (value_changed >= 0),
  cost_changed integer not null default 0 check (cost_changed >= 0),
  loses_money integer not null default 0 check (loses_money >= 0)
);
comment on table supplier_catalogues is
  'owner: suppliers. How many differences each supplier''s price list last had from our routes, and when.';
comment on column supplier_catalogues.supplier is 'The supplier.';
comment on column supplier_catalogues.reported_at is 'When it last told its whole list.';
comment on column supplier_catalogues.new_products is 'Products of the list to which no route leads.';
comment on column supplier_catalogues.gone is 'Routes that are on, to what the list no longer has.';
comment on column supplier_catalogues.value_changed is
  'Routes that are on, to what is worth something else than their product.';
comment on column supplier_catalogues.cost_changed is 'Routes at another cost than the list has, without a loss.';
comment on column supplier_catalogues.loses_money is
  'Routes that are on, and whose listed cost is another and above a price that somebody pays.';

create table supplier_routes (
  product_id integer not null references products,
  supplier text not null references suppliers,
  supplier_code text not null check (length(supplier_code) between 1 and 200),
  cost bigint check (cost between 1 and 1000000000000),
  cost_currency text not null default 'NGN' check (cost_currency ~ '^[A-Z]{3}$'),
  cost_basis_points smallint check (cost_basis_points between 1 and 10000),
  priority smallint not null default 100 check (priority between 1 and 999),
  weight smallint not null default 100 check (weight between 0 and 100),
  enabled boolean not null default true,
  primary key (product_id, supplier),
  constraint supplier_routes_have_one_cost check (num_nonnulls(cost, cost_basis_points) = 1),
  constraint supplier_routes_share_is_of_naira check (cost is not null or cost_currency = 'NGN')
);
comment on table supplier_routes is
  'owner: suppliers. Which suppliers serve a product, under what code and at what cost.';
comment on column supplier_routes.product_id is 'The product.';
comment on column supplier_routes.supplier is 'The supplier that serves it.';
comment on column supplier_routes.supplier_code is 'What the supplier calls the product.';
comment on column supplier_routes.cost is
  'What the supplier takes from us for one unit, in hundredths of cost_currency, where that is fixed.';
comment on column supplier_routes.cost_currency is
  'The currency of a fixed cost. For another than naira the route serves nothing while fx_rates has none.';
comment on column supplier_routes.cost_basis_points is
  'The same in hundredths of a percent of the face amount, where it is a share.';
comment on column supplier_routes.priority is 'The order in which suppliers are asked: lower comes first.';
comment on column supplier_routes.weight is
  'The route''s share of a product that is chosen by weight, against its other routes'' weights. 0: their stand-in.';
comment on column supplier_routes.enabled is 'Whether purchases may take this route.';

create table route_choices (
  product_id integer primary key references products,
  choose_by text not null check (choose_by in ('priority', 'cost', 'weight'))
);
comment on table route_choices is
  'owner: suppliers. How a product''s route is chosen where an operator said so; everywhere else by priority.';
comment on column route_choices.product_id is 'The product.';
comment on column route_choices.choose_by is
  'Which route comes first: that of the lowest priority number, the cheapest, or each for its share of the purchases.';

create table supplier_limits (
  supplier text primary key references suppliers,
  day_cost bigint check (day_cost > 0),
  day_purchases integer check (day_purchases > 0),
  balance_floor bigint check (balance_floor > 0)
);
comment on table supplier_limits is
  'owner: suppliers. What operators set for how much a supplier gets of new purchases.';
comment on column supplier_limits.supplier is 'The supplier.';
comment on column supplier_limits.day_cost is
  'The cap: what the purchases of one day that it did not decline may cost together, in kobo. Null: no such cap.';
comment on column supplier_limits.day_purchases is 'The cap: so many of them in one day. Null: no such cap.';
comment on column supplier_limits.balance_floor is
  'While our balance is below it, in hundredths of the account''s currency, no new purchase goes there. Null: none.';

-- What the processes of the service count in memory and add here every second; C1 and C2 know nothing of it. Whatever a
-- process had not added when it was killed is missing.
create table supplier_days (
  supplier text not null references suppliers,
  day date not null,
  purchases bigint not null,
  cost bigint not null,
  primary key (supplier, day)
);
comment on table supplier_days is
  'owner: suppliers. What suppliers were sent on a day and did not decline at once: what their caps are compared with.';
comment on column supplier_days.supplier is 'The supplier.';
comment on column supplier_days.day is 'The day on which they were sent, in the deployment''s time zone.';
comment on column supplier_days.purchases is 'How many attempts.';
comment on column supplier_days.cost is 'What they cost us, as it was reckoned when they were sent.';

create table supplier_hours (
  hour timestamptz not null,
  supplier text not null references suppliers,
  product_id integer not null references products,
  vended bigint not null,
  declined bigint not null,
  unknown bigint not null,
  cost bigint not null,
  took_ms bigint not null,
  slowest_ms integer not null,
  primary key (hour, supplier, product_id)
);
comment on table supplier_hours is
  'owner: suppliers. What a route''s attempts came to at their first answer, by the hour in which they were sent. '
  'Kept for 30 days.';
comment on column supplier_hours.hour is 'The first instant of the hour.';
comment on column supplier_hours.supplier is 'The supplier.';
comment on column supplier_hours.product_id is 'The product.';
comment on column supplier_hours.vended is 'Attempts that it vended at once.';
comment on column supplier_hours.declined is 'Attempts that it declined at once, or that did not leave.';
comment on column supplier_hours.unknown is 'Attempts whose end was not known at first: they were asked about later.';
comment on column supplier_hours.cost is 'What the attempts cost us that were not declined at once.';
comment on column supplier_hours.took_ms is 'How long all these answers took together.';
comment on column supplier_hours.slowest_ms is 'How long the slowest of them took.';

create table supplier_breakers (
  supplier text not null references suppliers,
  category text not null check (length(category) <= 40),
  open_at timestamptz not null,
  primary key (supplier, category)
);
comment on table supplier_breakers is
  'owner: suppliers. Breakers live in each process''s memory; here they leave word of themselves, for operators alone.';
comment on column supplier_breakers.supplier is 'The supplier.';
comment on column supplier_breakers.category is 'The category of which it gets no new purchase.';
comment on column supplier_breakers.open_at is
  'When a process last had it open. It says so every second: a few seconds later, none has any more.';

-- Asked every few minutes by one process.
create table supplier_balances (
  supplier text primary key references suppliers,
  balance bigint,
  currency text not null default 'NGN' check (currency ~ '^[A-Z]{3}$'),
  reported_at timestamptz,
  alarm_below bigint check (alarm_below > 0),
  sent_before bigint not null default 0,
  constraint supplier_balances_have_their_time check (num_nonnulls(balance, reported_at) in (0, 2))
);
comment on table supplier_balances is
  'owner: suppliers. Our last known balance at each supplier, and the threshold below which operators are warned.';
comment on column supplier_balances.supplier is 'The supplier.';
comment on column supplier_balances.balance is 'Our balance, as the supplier last told it. Null until it has.';
comment on column supplier_balances.currency is 'The currency of our account there; the amounts are hundredths of it.';
comment on column supplier_balances.reported_at is 'When the supplier told the balance.';
comment on column supplier_balances.sent_before is
  'What supplier_days held of the supplier when the balance was told, from two days before on: what it holds more, was '
  'sent since.';
comment on column supplier_balances.alarm_below is 'Operators are warned while the balance is below this. Null: never.';

create table voucher_keys (
  name text primary key check (name = 'fingerprint'),
  sealed text not null
);
comment on table voucher_keys is
  'owner: suppliers. The key of fingerprints: a short PIN could be found by trying all of them if anybody could hash.';
comment on column voucher_keys.name is 'Always fingerprint: the table has one row.';
comment on column voucher_keys.sealed is
  '32 random bytes in base64, sealed (platform/sealing/secret-box.ts) under voucher_keys/<name>.';

create table voucher_claims (
  attempt text primary key check (length(attempt) between 1 and 100),
  product_id integer not null references products,
  outcome text not null check (outcome in ('sold', 'out_of_stock', 'withdrawn'))
);
comment on table voucher_claims is
  'owner: suppliers. What each attempt came to: one answer for ever. Its vouchers name it.';
comment on column voucher_claims.attempt is 'Our reference of the attempt that asked.';
comment on column voucher_claims.product_id is 'The product that it asked for.';
comment on column voucher_claims.outcome is
  'The result of the claim. withdrawn: it was asked about before it arrived, and gets nothing any more.';

-- Vouchers are worth money: the codes are encrypted before they come here.
create table vouchers (
  product_id integer not null references products,
  number bigint not null check (number > 0),
  -- One code twice is refused, also where the second file says another product.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  sealed text not null,
  expires_on date,
  batch text not null check (length(batch) between 1 and 200),
  sold_to text references voucher_claims,
  primary key (product_id, number),
  constraint vouchers_once unique (fingerprint)
)
with (fillfactor = 90);
comment on table vouchers is
  'owner: suppliers. PINs and codes of our own stock, encrypted. Each is sold once, for ever.';
comment on column vouchers.product_id is 'The product.';
comment on column vouchers.number is 'Counts a product''s vouchers in the order of their import, from 1.';
comment on column vouchers.fingerprint is 'HMAC-SHA-256 of biller and code.';
comment on column vouchers.sealed is 'Code, serial and expiry as JSON, sealed under vouchers/<product>/<fingerprint>.';
comment on column vouchers.expires_on is 'The last day on which it may be sold. Null: it does not expire.';
comment on column vouchers.batch is 'The file that it came with.';
comment on column vouchers.sold_to is 'The attempt that it was sold to. Null while it is for sale.';

-- A claim, and a look at how many are left, begins where the expired ones end: in the order of their import, each read
-- all that had expired unsold. What expires first is sold first, and what never does comes last; among equals the
-- import's order holds.
create index vouchers_by_expiry on vouchers (product_id, coalesce(expires_on, 'infinity'::date), number)
 where sold_to is null;
-- What an attempt got: asking again finds the same ones.
create index vouchers_by_attempt on vouchers (sold_to) where sold_to is not null;

create table voucher_thresholds (
  product_id integer primary key references products,
  low_at integer not null check (low_at between 0 and 1000000)
);
comment on table voucher_thresholds is
  'owner: suppliers. When a product''s stock is low, where an operator said so; everywhere else at a hundred.';
comment on column voucher_thresholds.product_id is 'The product.';
comment on column voucher_thresholds.low_at is 'Operators are warned at or below so many left.';
