-- Merchants, the keys they call with, the addresses they may call from, and the customer numbers they keep. The first
-- three are read far more often than written: processes keep them in memory and reload when `revisions` says that they
-- changed. Amounts in kobo.

create table limit_tiers (
  tier smallint primary key check (tier between 1 and 9),
  per_transaction bigint not null check (per_transaction between 1 and 1000000000000000),
  per_day bigint not null check (per_day between 1 and 1000000000000000),
  updated_at timestamptz not null default now(),
  name text check (length(name) between 1 and 40),
  constraint limit_tiers_day_holds_a_transaction check (per_day >= per_transaction)
);
comment on table limit_tiers is 'owner: merchants. What a live merchant of each tier may spend at once and in a day.';
comment on column limit_tiers.tier is 'The tier. Merchants name it in limit_tier.';
comment on column limit_tiers.per_transaction is
  'The most that one purchase, or one line of a bulk order, may cost. At most ten trillion naira, as of a wallet.';
comment on column limit_tiers.per_day is
  'The most that all live purchases of a day may cost, in the deployment''s time zone.';
comment on column limit_tiers.updated_at is 'When an operator last set the tier.';
comment on column limit_tiers.name is 'What the company calls it: Gold. Null: by its number.';
insert into limit_tiers (tier, per_transaction, per_day)
values (1, 5000000, 20000000),
       (2, 20000000, 200000000),
       (3, 100000000, 2000000000);

create table merchants (
  id integer generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 255),
  status text not null default 'active' check (status in ('active', 'suspended')),
  api_approved_at timestamptz,
  price_tier smallint not null default 1 check (price_tier between 1 and 9),
  -- An account whose tier has no row could not log in.
  limit_tier smallint not null default 1 references limit_tiers,
  duplicate_guard_seconds integer check (duplicate_guard_seconds between 5 and 86400),
  -- Numbers differ between the services that older clients were written for, and some clients number networks
  -- differently for data and for airtime.
  legacy_data_networks text,
  legacy_airtime_networks text,
  legacy_prefix_check boolean not null default true,
  created_at timestamptz not null default now(),
  suspended_because text check (length(suspended_because) between 1 and 200),
  constraint merchants_legacy_data_networks_check
    check (legacy_data_networks ~ '^[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)(,[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)){3}$'),
  constraint merchants_legacy_airtime_networks_check
    check (
      legacy_airtime_networks ~ '^[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)(,[1-9][0-9]?=(MTN|GLO|9MOBILE|AIRTEL)){3}$'
    )
);
comment on table merchants is 'owner: merchants. The merchants. Keys, addresses and both wallets hang on them.';
comment on column merchants.id is 'The merchant''s number, which is its live wallet''s too: wallets.wallet_id.';
comment on column merchants.name is 'The business, as operators call it.';
comment on column merchants.email is 'Where the merchant is reached.';
comment on column merchants.status is 'active or suspended. A suspended merchant''s keys are refused.';
comment on column merchants.api_approved_at is
  'When an operator approved the merchant: live keys work from then on. Null: not approved.';
comment on column merchants.price_tier is 'Which tier_prices the merchant pays.';
comment on column merchants.limit_tier is 'What the merchant may spend in live mode.';
comment on column merchants.duplicate_guard_seconds is 'The window of the duplicate guard; null: the guard is off.';
comment on column merchants.legacy_data_networks is
  'How the merchant''s older clients number networks when they buy data: 1=MTN,2=AIRTEL,3=GLO,4=9MOBILE. Null: the '
  'usual numbers.';
comment on column merchants.legacy_airtime_networks is 'The same, for airtime.';
comment on column merchants.legacy_prefix_check is
  'Whether the merchant''s older clients are refused airtime to a number of another network''s prefix.';
comment on column merchants.created_at is 'When the account was made.';
comment on column merchants.suspended_because is
  'Why it is suspended, in words that its people read. Null: nobody said.';

create table price_tier_names (
  tier smallint primary key check (tier between 1 and 9),
  name text not null check (length(name) between 1 and 40)
);
comment on table price_tier_names is 'owner: merchants. What the company calls its price tiers, where not by number.';
comment on column price_tier_names.tier is 'The tier: merchants.price_tier.';
comment on column price_tier_names.name is 'Its name.';

create table api_keys (
  id integer generated always as identity primary key,
  merchant_id integer not null references merchants,
  mode text not null check (mode in ('live', 'test')),
  -- Together with the unique index below it holds the cap of five.
  slot smallint not null check (slot between 1 and 5),
  -- The key has 190 random bits, so a slow hash would only cost time.
  hash bytea not null constraint api_keys_hash_once unique check (length(hash) = 32),
  first_characters text not null check (length(first_characters) = 4),
  last_characters text not null check (length(last_characters) = 4),
  label text not null default '' check (length(label) <= 100),
  created_by text not null check (length(created_by) between 1 and 100),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  is_older_token boolean not null default false
);
comment on table api_keys is 'owner: merchants. Keys by hash; at most five per merchant and mode hold a slot.';
comment on column api_keys.id is 'The key''s number, which the API shows.';
comment on column api_keys.merchant_id is 'The merchant that calls with it.';
comment on column api_keys.mode is 'The mode that the key opens: live or test.';
comment on column api_keys.slot is 'One of the five places that a merchant has for a mode.';
comment on column api_keys.hash is 'SHA-256 of the whole key.';
comment on column api_keys.first_characters is
  'The first four of the random part, by which a person recognises the key.';
comment on column api_keys.last_characters is 'The last four of the checksum, for the same purpose.';
comment on column api_keys.label is 'What its merchant calls the key.';
comment on column api_keys.created_by is 'The operator who made it, or ''first start''.';
comment on column api_keys.created_at is 'When the key was made.';
comment on column api_keys.expires_at is
  'A rotated key works until then, and holds its slot. Null: it does not expire.';
comment on column api_keys.revoked_at is
  'When it was revoked by hand, or when the slot of the expired key was needed for a new one.';
comment on column api_keys.is_older_token is
  'A token of an older script, which came with its merchant: it has not the form of our own keys.';

create unique index api_keys_five_active
  on api_keys (merchant_id, mode, slot)
  where revoked_at is null;

create index api_keys_by_merchant on api_keys (merchant_id);

-- Beside the keys: a change of those makes every process read its accounts anew.
create table api_key_uses (
  key_id integer primary key references api_keys,
  used_at timestamptz not null,
  address inet
);
comment on table api_key_uses is 'owner: merchants. Last use of each API key, some ten seconds late.';
comment on column api_key_uses.key_id is 'The key.';
comment on column api_key_uses.used_at is 'When a request last came with it.';
comment on column api_key_uses.address is 'Where that request came from. Null where the address was unreadable.';

create table ip_allowlist (
  merchant_id integer not null references merchants,
  -- Numbered, so that the key holds the cap of 50.
  position smallint not null check (position between 1 and 50),
  address_range cidr not null,
  primary key (merchant_id, position),
  unique (merchant_id, address_range)
);
comment on table ip_allowlist is
  'owner: merchants. Where a merchant may call from, both modes; no row: from everywhere.';
comment on column ip_allowlist.merchant_id is 'The merchant.';
comment on column ip_allowlist.position is 'The number of the entry, from 1.';
comment on column ip_allowlist.address_range is 'The addresses that the merchant may call from.';

create table platform_switches (
  name text primary key check (name in ('sandbox')),
  is_on boolean not null
);
comment on table platform_switches is 'owner: merchants. What the operator can switch off for everybody.';
comment on column platform_switches.name is 'What is switched: the sandbox.';
comment on column platform_switches.is_on is 'Whether merchants can use it.';
insert into platform_switches (name, is_on) values ('sandbox', true);

create table beneficiaries (
  merchant_id integer not null,
  -- Newest last, and nobody can tell another's.
  id text collate "C" not null check (id ~ '^ben_[0-9A-HJKMNP-TV-Z]{26}$'),
  label text not null check (length(label) between 1 and 100),
  category text not null,
  customer_ref text collate "C" not null check (length(customer_ref) between 1 and 64),
  biller_slug text collate "C",
  network text check (network in ('MTN', 'GLO', '9MOBILE', 'AIRTEL')),
  meter_type text check (meter_type in ('prepaid', 'postpaid')),
  customer_name text check (length(customer_name) between 1 and 200),
  phone text check (phone ~ '^0[0-9]{10}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  -- A number without a biller is one of its own beside the same with one.
  constraint beneficiaries_once unique nulls not distinct (merchant_id, category, biller_slug, customer_ref)
);
comment on table beneficiaries is
  'owner: purchases. A merchant''s saved customer numbers, at most 10,000; both modes share them.';
comment on column beneficiaries.merchant_id is 'The merchant.';
comment on column beneficiaries.id is 'ben_ and a ULID: the name that a purchase can give instead of the number.';
comment on column beneficiaries.label is 'What the merchant calls it.';
comment on column beneficiaries.category is 'Which purchases the number is for: a slug, as billers.category.';
comment on column beneficiaries.customer_ref is
  'The customer''s number as its category''s purchases take it, in one spelling.';
comment on column beneficiaries.biller_slug is 'The biller that knows the customer. Null: any biller of the category.';
comment on column beneficiaries.network is 'The phone''s network, where the merchant said one.';
comment on column beneficiaries.meter_type is 'Electricity only: the kind of meter.';
comment on column beneficiaries.customer_name is 'The customer''s name, as the merchant wrote it.';
comment on column beneficiaries.phone is 'Where the customer can be reached, where that is not the number itself.';
comment on column beneficiaries.created_at is 'When the merchant saved it.';
comment on column beneficiaries.updated_at is 'When the merchant last changed it.';
