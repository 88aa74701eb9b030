-- What suppliers leave with us: vouchers that were bought in advance and are sold from our own stock, and what they
-- called to say. Vouchers are worth money: the codes are encrypted before they come here.

create table voucher_keys (
  name text primary key check (name = 'fingerprint'),
  -- 32 random bytes in base64, sealed (platform/secret-box.ts) under `voucher_keys/<name>`.
  sealed text not null
);
comment on table voucher_keys is
  'owner: vouchers. The key of fingerprints: a short PIN could be found by trying all of them if anybody could hash.';

create table voucher_claims (
  -- Our name for the attempt that asked.
  attempt text primary key check (length(attempt) between 1 and 100),
  product_id integer not null references products,
  quantity integer not null check (quantity > 0),
  -- withdrawn: it was asked about before it arrived, and gets nothing any more.
  outcome text not null check (outcome in ('sold', 'out_of_stock', 'withdrawn')),
  claimed_at timestamptz not null default now()
);
comment on table voucher_claims is
  'owner: vouchers. What each attempt came to: one answer for ever. Its vouchers name it.';

create table vouchers (
  product_id integer not null references products,
  -- Counts a product's vouchers in the order in which they are sold, from 1.
  number bigint not null check (number > 0),
  -- HMAC-SHA-256 of biller and code: one code twice is refused, also where the second file says another product.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Code, serial and expiry as JSON, sealed under `vouchers/<product>/<fingerprint>`.
  sealed text not null,
  -- The last day on which it may be sold.
  expires_on date,
  -- Which file it came with.
  batch text not null check (length(batch) between 1 and 200),
  imported_at timestamptz not null default now(),
  -- Null while it is for sale.
  sold_to text references voucher_claims,
  primary key (product_id, number),
  constraint vouchers_once unique (fingerprint)
)
with (fillfactor = 90);
comment on table vouchers is
  'owner: vouchers. PINs and codes of our own stock, encrypted. Each is sold once, for ever.';

-- The next to sell, and how many are left.
create index vouchers_for_sale on vouchers (product_id, number) where sold_to is null;
-- What an attempt got: asking again finds the same ones.
create index vouchers_by_attempt on vouchers (sold_to) where sold_to is not null;

create table supplier_callbacks (
  supplier text not null check (length(supplier) between 1 and 40),
  -- Our name for the attempt.
  supplier_reference text not null check (length(supplier_reference) between 1 and 100),
  -- The supplier's own word.
  status text not null check (length(status) <= 40),
  -- Redacted: for the operator's eyes.
  evidence text not null check (length(evidence) <= 2000),
  received_at timestamptz not null default now(),
  primary key (supplier, supplier_reference, status)
);
comment on table supplier_callbacks is
  'owner: purchases. What suppliers called to say of an attempt: each word once. Insert-only.';
