-- The vouchers that we bought in advance: each is sold once.

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
