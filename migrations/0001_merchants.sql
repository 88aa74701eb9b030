-- Merchants, the keys they call with and the addresses they may call from. All of it is read far more often than
-- written: processes keep it in memory and reload when `revisions` says that it changed.

create table merchants (
  id integer generated always as identity primary key,
  -- The virtual shard that leads every tenant key; follows from the id, so that it can never change.
  bucket smallint not null generated always as (id % 64) stored,
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 255),
  status text not null default 'active' check (status in ('active', 'suspended')),
  -- Live keys work from then on; null: not approved.
  api_approved_at timestamptz,
  price_tier smallint not null default 1 check (price_tier between 1 and 9),
  limit_tier smallint not null default 1 check (limit_tier between 1 and 3),
  created_at timestamptz not null default now()
);
comment on table merchants is 'owner: merchants. Who buys. Keys, addresses and both wallets hang on it.';

create table api_keys (
  id integer generated always as identity primary key,
  merchant_id integer not null references merchants,
  mode text not null check (mode in ('live', 'test')),
  -- One of the five places an account has for a mode. Together with the index below it holds the cap.
  slot smallint not null check (slot between 1 and 5),
  -- SHA-256 of the whole key. The key has 190 random bits, so a slow hash would only cost time.
  hash bytea not null constraint api_keys_hash_once unique check (length(hash) = 32),
  -- Of the random part and of the checksum: enough to recognise a key by.
  first_characters text not null check (length(first_characters) = 4),
  last_characters text not null check (length(last_characters) = 4),
  label text not null default '' check (length(label) <= 100),
  created_by text not null check (length(created_by) between 1 and 100),
  created_at timestamptz not null,
  -- A rotated key works until then, and holds its slot.
  expires_at timestamptz,
  -- Set by hand, or when the slot of an expired key is needed for a new one.
  revoked_at timestamptz
);
comment on table api_keys is 'owner: merchants. Keys by hash; at most five per merchant and mode hold a slot.';

create unique index api_keys_five_active
  on api_keys (merchant_id, mode, slot)
  where revoked_at is null;

create index api_keys_by_merchant on api_keys (merchant_id);

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

create table platform_switches (
  name text primary key check (name in ('sandbox')),
  is_on boolean not null,
  changed_at timestamptz not null default now()
);
comment on table platform_switches is 'owner: merchants. What the operator can switch off for everybody.';
insert into platform_switches (name, is_on) values ('sandbox', true);
