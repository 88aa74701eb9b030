-- Suppliers, and which of them serves which product at what cost. Suppliers and routes are read on every live purchase
-- and written by operators: processes keep them in memory and reload when `revisions` says that they changed. Amounts
-- in kobo.

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
  loses_money integer not null default 0 check (loses_money >= 0),
  differences json
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
comment on column supplier_catalogues.differences is
  'The differences, worst first, the first 5,000 of them: the lines that a person accepts. Null where an older release '
  'asked.';

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
