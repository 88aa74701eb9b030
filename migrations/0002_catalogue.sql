-- What can be bought, from whom, at what price. Read on every purchase and written by operators, so every process
-- keeps all of it in memory and reloads when `revisions` says that it changed. Amounts in kobo unless said otherwise.

create table billers (
  slug text primary key check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null check (length(name) between 1 and 100),
  category text not null check (
    category in ('data', 'airtime', 'electricity', 'cable', 'education', 'giftcard', 'esim', 'betting', 'internet',
                 'voice', 'sms', 'recharge_pin')
  ),
  network text check (network in ('MTN', 'GLO', '9MOBILE', 'AIRTEL')),
  -- The request field that holds the customer's number, and what a form calls it.
  customer_field text not null check (length(customer_field) between 1 and 40),
  customer_label text not null check (length(customer_label) between 1 and 60),
  requires_verification boolean not null default false,
  supports_bulk boolean not null default false,
  meter_types text[] check (meter_types <@ '{prepaid,postpaid}' and cardinality(meter_types) > 0),
  status text not null default 'available' check (status in ('available', 'degraded', 'unavailable')),
  -- For operators: where the figures come from.
  description text not null default ''
);
comment on table billers is 'owner: catalogue. Who the customer knows: MTN, Ikeja Electric, DStv.';

create table products (
  -- Given by whoever adds the product, never reused: purchases keep nothing else of what was bought. From 1,000, so
  -- that the legacy endpoints can tell a product from the plan numbers of older systems.
  id integer primary key check (id >= 1000),
  -- Stable and readable, for seeds and suppliers' routes: mtn-sme-1gb-30d.
  code text not null constraint products_code_once unique check (code ~ '^[a-z0-9][a-z0-9.-]{0,79}$'),
  biller_slug text not null references billers,
  name text not null check (length(name) between 1 and 150),
  plan text check (length(plan) between 1 and 100),
  plan_type text check (length(plan_type) between 1 and 40),
  -- As a customer reads it: 30 days.
  validity text check (length(validity) between 1 and 40),
  legacy_plan_id integer constraint products_legacy_plan_once unique check (legacy_plan_id between 1 and 999),
  amount_type text not null check (amount_type in ('fixed', 'variable')),
  -- Nominal value of one unit; null where there is none, where the client names the amount, and for foreign cards.
  face_amount bigint check (face_amount between 100 and 1000000000000),
  -- Bounds of a variable amount, in hundredths of face_currency.
  min_amount bigint check (min_amount between 100 and 1000000000000),
  max_amount bigint check (max_amount between 100 and 1000000000000),
  min_quantity integer not null default 1 check (min_quantity > 0),
  max_quantity integer not null default 1 check (max_quantity between min_quantity and 100000),
  face_currency text not null default 'NGN' check (face_currency ~ '^[A-Z]{3}$'),
  -- Value of a foreign card in hundredths of face_currency; null for a range.
  foreign_face bigint check (foreign_face between 100 and 100000000),
  -- Kobo for one whole unit of face_currency.
  fx_rate bigint check (fx_rate between 1 and 10000000),
  meter_type text check (meter_type in ('prepaid', 'postpaid')),
  -- Facts that only the category understands; its file says which.
  attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
  -- The base price: either kobo a unit or hundredths of a percent of the nominal amount, and the fee on top.
  price bigint check (price between 1 and 1000000000000),
  price_basis_points smallint check (price_basis_points between 100 and 10000),
  fee bigint check (fee between 1 and 1000000000000),
  fee_basis_points smallint check (fee_basis_points between 1 and 10000),
  fee_cap bigint check (fee_cap between 1 and 1000000000000),
  available boolean not null default true,
  replaced_by integer references products constraint products_replaced_by_another check (replaced_by <> id),
  description text not null default '',
  -- When the product, or one of its prices, last changed.
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

create table hidden_categories (
  merchant_id integer not null references merchants,
  category text not null check (
    category in ('data', 'airtime', 'electricity', 'cable', 'education', 'giftcard', 'esim', 'betting', 'internet',
                 'voice', 'sms', 'recharge_pin')
  ),
  primary key (merchant_id, category)
);
comment on table hidden_categories is
  'owner: catalogue. What a merchant neither sees in its list of billers nor can buy.';
