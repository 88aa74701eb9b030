-- Who sells to us, which of them serves which product at what cost, and which one a purchase was sent to. Suppliers and
-- routes are read on every live purchase and written by operators: processes keep them in memory and reload when
-- `revisions` says that they changed. Amounts in kobo.

alter table revisions
  drop constraint revisions_subject_check,
  add constraint revisions_subject_check check (subject in ('merchants', 'catalogue', 'webhooks', 'routes'));
insert into revisions (subject) values ('routes');

create table suppliers (
  -- Kept with every purchase and attempt: a supplier is disabled, never deleted or renamed.
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  -- The code that speaks its dialect; several suppliers may speak one.
  connector text not null check (connector ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  -- What the connector needs to know and everybody may read: addresses, network numbers.
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  -- Sealed (platform/secret-box.ts) under `suppliers/<name>`: keys and passwords as one JSON object.
  credentials text,
  -- A disabled one gets no new purchase; what it was sent before is still asked about.
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  updated_at timestamptz not null default now()
);
comment on table suppliers is 'owner: routing. Who sells to us, and how its connector reaches it.';

create table supplier_routes (
  product_id integer not null references products,
  supplier text not null references suppliers,
  -- What the supplier calls the product.
  supplier_code text not null check (length(supplier_code) between 1 and 200),
  -- What it takes from us: kobo a unit, or hundredths of a percent of the face amount.
  cost bigint check (cost between 1 and 1000000000000),
  cost_basis_points smallint check (cost_basis_points between 1 and 10000),
  -- Lower comes first.
  priority smallint not null default 100 check (priority between 1 and 999),
  enabled boolean not null default true,
  updated_at timestamptz not null default now(),
  primary key (product_id, supplier),
  constraint supplier_routes_have_one_cost check (num_nonnulls(cost, cost_basis_points) = 1)
);
comment on table supplier_routes is
  'owner: routing. Which suppliers serve a product, under what code and at what cost.';

create table route_choices (
  product_id integer primary key references products,
  choose_by text not null check (choose_by in ('priority', 'cost'))
);
comment on table route_choices is
  'owner: routing. How a product''s route is chosen where an operator said so; everywhere else by priority.';

alter table purchases
  -- Of the attempt that runs or decided: a reroute replaces all three.
  add column supplier_code text,
  add column cost bigint check (cost >= 0),
  add column route_reason text,
  add constraint purchases_sandbox_costs_nothing
    check (mode = 'live' or num_nonnulls(supplier_code, cost, route_reason) = 0);

alter table inflight
  -- The purchase's, so that a word about an earlier attempt does not pass the gate.
  add column attempt smallint not null default 1;

alter table vend_attempts
  add column cost bigint,
  add column route_reason text;

-- A supplier and an operator know a purchase by its transaction id alone, and say it long after its end.
create index purchases_live_by_id on purchases (id) where mode = 'live';

-- At most one reversal a purchase, as at most one refund.
create unique index ledger_entries_one_reversal
  on ledger_entries (bucket, merchant_id, mode, purchase_id)
  where kind = 'reversal';

create table purchase_incidents (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  purchase_id bigint not null,
  -- Counts a purchase's incidents from 1.
  number smallint not null check (number > 0),
  -- late_reversal: the supplier took back what it had vended; the wallet was credited.
  -- contradiction: a supplier's word that comes after the end, or after a reroute, and says something else.
  -- review: a person said how the purchase ended.
  kind text not null check (kind in ('late_reversal', 'contradiction', 'review')),
  attempt smallint not null,
  supplier text,
  -- Who said so: the supplier's callback or requery, or a person.
  said_by text not null check (length(said_by) between 1 and 100),
  -- Redacted: for the operator's eyes.
  evidence text not null check (length(evidence) <= 4000),
  at timestamptz not null default now(),
  primary key (bucket, merchant_id, mode, purchase_id, number)
);
comment on table purchase_incidents is
  'owner: purchases. What an operator has to know about a purchase beyond its attempts. Insert-only.';
create index purchase_incidents_by_time on purchase_incidents (at);
