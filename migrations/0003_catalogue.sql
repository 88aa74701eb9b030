-- What can be bought, at what price, and who may see it. Read on every purchase and written by operators, so every
-- process keeps all of it in memory and reloads when `revisions` says that it changed. Amounts in kobo unless said
-- otherwise.

create table billers (
  slug text primary key check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (length(name) between 1 and 100),
  -- Not checked here: a category is added in the code alone, which writes no other slug than those of its registry.
  category text not null,
  network text check (network in ('MTN', 'GLO', '9MOBILE', 'AIRTEL')),
  customer_field text not null check (length(customer_field) between 1 and 40),
  customer_label text not null check (length(customer_label) between 1 and 60),
  requires_verification boolean not null default false,
  supports_bulk boolean not null default false,
  meter_types text[] check (meter_types <@ '{prepaid,postpaid}' and cardinality(meter_types) > 0),
  status text not null default 'available' check (status in ('available', 'degraded', 'unavailable')),
  description text not null default ''
);
comment on table billers is 'owner: catalogue. Companies that the customer knows: MTN, Ikeja Electric, DStv.';
comment on column billers.slug is 'The biller''s name in the API: ikeja-electric.';
comment on column billers.name is 'The biller''s name for people.';
comment on column billers.category is
  'What the biller sells, by the slug of its category. One category: MTN''s data and MTN''s airtime are two billers.';
comment on column billers.network is 'The network, where the biller is one.';
comment on column billers.customer_field is 'The request field that holds the customer''s number: phone, meter_number.';
comment on column billers.customer_label is 'What a form calls that field.';
comment on column billers.requires_verification is 'Whether a customer''s number must be verified before a purchase.';
comment on column billers.supports_bulk is 'Whether bulk orders can be placed.';
comment on column billers.meter_types is 'Electricity only: the kinds of meter that the biller serves.';
comment on column billers.status is
  'The biller''s state, set by operators. Purchases from an unavailable one are refused.';
comment on column billers.description is 'For operators: where the figures come from. The API does not show it.';

create table products (
  -- Never reused: purchases keep nothing else about the product. From 1,000, so that the legacy endpoints can tell a
  -- product id from the plan numbers of older systems.
  id integer primary key check (id >= 1000),
  code text not null constraint products_code_once unique check (code ~ '^[a-z0-9][a-z0-9.-]{0,79}$'),
  biller_slug text not null references billers,
  name text not null check (length(name) between 1 and 150),
  plan text check (length(plan) between 1 and 100),
  plan_type text check (length(plan_type) between 1 and 40),
  validity text check (length(validity) between 1 and 40),
  legacy_plan_id integer constraint products_legacy_plan_once unique check (legacy_plan_id between 1 and 999),
  amount_type text not null check (amount_type in ('fixed', 'variable')),
  face_amount bigint check (face_amount between 100 and 1000000000000),
  min_amount bigint check (min_amount between 100 and 1000000000000),
  max_amount bigint check (max_amount between 100 and 1000000000000),
  min_quantity integer not null default 1 check (min_quantity > 0),
  max_quantity integer not null default 1 check (max_quantity between min_quantity and 100000),
  face_currency text not null default 'NGN' check (face_currency ~ '^[A-Z]{3}$'),
  foreign_face bigint check (foreign_face between 100 and 100000000),
  fx_rate bigint check (fx_rate between 1 and 10000000),
  meter_type text check (meter_type in ('prepaid', 'postpaid')),
  attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
  price bigint check (price between 1 and 1000000000000),
  price_basis_points smallint check (price_basis_points between 100 and 10000),
  fee bigint check (fee between 1 and 1000000000000),
  fee_basis_points smallint check (fee_basis_points between 1 and 10000),
  fee_cap bigint check (fee_cap between 1 and 1000000000000),
  available boolean not null default true,
  replaced_by integer references products constraint products_replaced_by_another check (replaced_by <> id),
  description text not null default '',
  updated_at timestamptz not null default now(),
  constraint products_have_one_price check (num_nonnulls(price, price_basis_points) = 1),
  constraint products_have_one_fee check (
    num_nonnulls(fee, fee_basis_points) <= 1 and (fee_cap is null or fee_basis_points is not null)
  ),
  constraint products_fix_the_amount_or_bound_it check (
    case amount_type
      when 'fixed' then num_nonnulls(min_amount, max_amount) = 0
      else num_nonnulls(face_amount, foreign_face) = 0 and min_amount is not null and max_amount >= min_amount
    end
  ),
  constraint products_foreign_have_a_rate check (
    case face_currency
      when 'NGN' then num_nonnulls(foreign_face, fx_rate) = 0
      else fx_rate is not null and face_amount is null
       and (foreign_face is not null or (amount_type = 'variable' and max_amount <= 100000000))
    end
  ),
  -- Ten trillion naira: every sum of a purchase stays exact where the wire writes it as a decimal.
  constraint products_largest_purchase check (
    coalesce(foreign_face * fx_rate / 100, face_amount, price, max_amount * coalesce(fx_rate, 100) / 100)
    * max_quantity <= 1000000000000000
  ),
  -- A share needs something to be a share of; a variable amount has no fixed price.
  constraint products_price_fits_the_amount check (
    case
      when price is not null then amount_type = 'fixed'
      else amount_type = 'variable' or num_nonnulls(face_amount, foreign_face) = 1
    end
  )
);
comment on table products is
  'owner: catalogue. What can be bought. An id never changes meaning; a product is withdrawn, never deleted.';
comment on column products.id is 'The product''s number, given by whoever adds it.';
comment on column products.code is 'A stable, readable name for seeds and suppliers'' routes: mtn-sme-1gb-30d.';
comment on column products.biller_slug is 'The biller that sells it.';
comment on column products.name is 'The product''s name for people.';
comment on column products.plan is 'The plan within the biller: 1GB. Null where a biller has no plans.';
comment on column products.plan_type is 'The kind of data plan: SME, GIFTING. Null elsewhere.';
comment on column products.validity is 'How long it lasts, as a customer reads it: 30 days.';
comment on column products.legacy_plan_id is
  'The plan''s number in older systems, which the legacy endpoints take. Null: it has none.';
comment on column products.amount_type is 'variable: the client names the amount.';
comment on column products.face_amount is
  'Nominal value of one unit. Null where there is none, where the client names the amount, and for foreign cards.';
comment on column products.min_amount is 'Least variable amount, in hundredths of face_currency.';
comment on column products.max_amount is 'Greatest variable amount, in hundredths of face_currency.';
comment on column products.min_quantity is 'Fewest units in one purchase.';
comment on column products.max_quantity is 'Most units in one purchase.';
comment on column products.face_currency is 'The currency of the nominal value.';
comment on column products.foreign_face is
  'Value of a foreign card in hundredths of face_currency; null for a range of values.';
comment on column products.fx_rate is 'Kobo for one whole unit of face_currency. Null for naira.';
comment on column products.meter_type is 'Electricity only: the kind of meter.';
comment on column products.attributes is 'Facts that only the category understands; the category''s file says which.';
comment on column products.price is 'The base price of one unit, where it is fixed.';
comment on column products.price_basis_points is
  'The base price in hundredths of a percent of the nominal amount, where it is a share.';
comment on column products.fee is 'A fixed fee on top of the base price.';
comment on column products.fee_basis_points is 'A fee in hundredths of a percent of the nominal amount.';
comment on column products.fee_cap is 'The most that a fee in basis points comes to.';
comment on column products.available is 'Whether operators sell it.';
comment on column products.replaced_by is 'The product that is sold in its place.';
comment on column products.description is 'For operators: where the figures come from. The API does not show it.';
comment on column products.updated_at is 'When the product, or one of its prices, last changed.';

create index products_by_biller on products (biller_slug);

-- A row replaces the base price and its fee as a whole.
create table tier_prices (
  tier smallint not null check (tier between 1 and 9),
  product_id integer not null references products,
  price bigint check (price between 1 and 1000000000000),
  price_basis_points smallint check (price_basis_points between 100 and 10000),
  fee bigint check (fee between 1 and 1000000000000),
  fee_basis_points smallint check (fee_basis_points between 1 and 10000),
  fee_cap bigint check (fee_cap between 1 and 1000000000000),
  primary key (tier, product_id),
  constraint tier_prices_have_one_price check (num_nonnulls(price, price_basis_points) = 1),
  constraint tier_prices_have_one_fee check (
    num_nonnulls(fee, fee_basis_points) <= 1 and (fee_cap is null or fee_basis_points is not null)
  )
);
comment on table tier_prices is 'owner: catalogue. What all merchants of a price tier pay instead of the base price.';
comment on column tier_prices.tier is 'The price tier: merchants.price_tier.';
comment on column tier_prices.product_id is 'The product.';
comment on column tier_prices.price is 'The price of one unit, where it is fixed.';
comment on column tier_prices.price_basis_points is
  'The price in hundredths of a percent of the nominal amount, where it is a share.';
comment on column tier_prices.fee is 'A fixed fee on top.';
comment on column tier_prices.fee_basis_points is 'A fee in hundredths of a percent of the nominal amount.';
comment on column tier_prices.fee_cap is 'The most that a fee in basis points comes to.';

create table merchant_prices (
  merchant_id integer not null references merchants,
  product_id integer not null references products,
  price bigint check (price between 1 and 1000000000000),
  price_basis_points smallint check (price_basis_points between 100 and 10000),
  fee bigint check (fee between 1 and 1000000000000),
  fee_basis_points smallint check (fee_basis_points between 1 and 10000),
  fee_cap bigint check (fee_cap between 1 and 1000000000000),
  primary key (merchant_id, product_id),
  constraint merchant_prices_have_one_price check (num_nonnulls(price, price_basis_points) = 1),
  constraint merchant_prices_have_one_fee check (
    num_nonnulls(fee, fee_basis_points) <= 1 and (fee_cap is null or fee_basis_points is not null)
  )
);
comment on table merchant_prices is
  'owner: catalogue. What one merchant pays instead of its tier''s or the base price.';
comment on column merchant_prices.merchant_id is 'The merchant.';
comment on column merchant_prices.product_id is 'The product.';
comment on column merchant_prices.price is 'The price of one unit, where it is fixed.';
comment on column merchant_prices.price_basis_points is
  'The price in hundredths of a percent of the nominal amount, where it is a share.';
comment on column merchant_prices.fee is 'A fixed fee on top.';
comment on column merchant_prices.fee_basis_points is 'A fee in hundredths of a percent of the nominal amount.';
comment on column merchant_prices.fee_cap is 'The most that a fee in basis points comes to.';

create table hidden_categories (
  merchant_id integer not null references merchants,
  category text not null,
  primary key (merchant_id, category)
);
comment on table hidden_categories is
  'owner: catalogue. Categories that a merchant neither sees in its list of billers nor can buy.';
comment on column hidden_categories.merchant_id is 'The merchant.';
comment on column hidden_categories.category is 'The category that is hidden.';

-- catalogue.updated: each change of the catalogue is stored in the commit that makes it; a worker sends the event to
-- the merchants that it concerns, page by page, and deletes the change. A currency's new rate concerns all merchants
-- that see its products, also those with prices of their own: these are shares of the amount that it changes.
create table catalogue_changes (
  -- In the order of the commits: changes of the catalogue wait for each other (administration.ts).
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('price', 'rate', 'availability', 'name', 'visibility')),
  biller_slug text not null references billers,
  product_id integer references products,
  tier smallint check (tier between 1 and 9),
  merchant_id integer references merchants,
  changed_at timestamptz not null default now(),
  constraint catalogue_changes_concern_one_scope check (num_nonnulls(tier, merchant_id) <= 1),
  constraint catalogue_changes_name_their_product check ((product_id is null) = (kind = 'visibility'))
);
comment on table catalogue_changes is
  'owner: catalogue. Changes not sent as events yet, and for whom: price, rate, availability, name, visibility.';
comment on column catalogue_changes.id is 'The change''s number.';
comment on column catalogue_changes.kind is 'What changed.';
comment on column catalogue_changes.biller_slug is 'The biller whose products changed.';
comment on column catalogue_changes.product_id is 'The product. Null where a whole category was hidden or shown.';
comment on column catalogue_changes.tier is 'The price tier that it concerns, if one.';
comment on column catalogue_changes.merchant_id is
  'The merchant that it concerns, if one. Both null: it concerns everyone.';
comment on column catalogue_changes.changed_at is 'When it changed.';

create table fx_rates (
  currency text primary key check (currency ~ '^[A-Z]{3}$' and currency <> 'NGN'),
  rate bigint not null check (rate between 1 and 10000000)
);
comment on table fx_rates is
  'owner: catalogue. What a unit of a currency costs us, where an operator said so: suppliers may take it from us.';
comment on column fx_rates.currency is 'The currency.';
comment on column fx_rates.rate is 'Kobo for one whole unit.';
