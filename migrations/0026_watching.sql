-- For whoever watches a deployment and decides what only a person can: what each attempt was asked for and what its
-- supplier said last, when a product's own stock is low, and whose turn it is to say so.

alter table vend_attempts
  -- What the supplier calls the product, as the route said then.
  add column supplier_code text;

alter table inflight
  -- What the supplier of the present attempt said when it was asked last; redacted, null before it said anything.
  add column last_answer text;

create table voucher_thresholds (
  product_id integer primary key references products,
  -- At or below so many left, operators are told.
  low_at integer not null check (low_at between 0 and 1000000)
);
comment on table voucher_thresholds is
  'owner: vouchers. When a product''s stock is low, where an operator said so; everywhere else at a hundred.';

create table watch_turns (
  name text primary key check (length(name) between 1 and 40),
  taken_at timestamptz not null
);
comment on table watch_turns is
  'owner: platform. When a finding that every process makes was last logged: one of them says it for all.';
