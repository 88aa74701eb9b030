-- What the bulk orders of each merchant brought in the present minute. It is worth that minute, so the table is
-- unlogged, as request_counts is: after a crash of PostgreSQL the minute starts anew.

create unlogged table bulk_budgets (
  merchant_id integer primary key,
  minute timestamptz not null,
  lines bigint not null,
  bytes bigint not null
)
-- Each update rewrites the row and no index: half-empty pages keep it heap-only.
with (fillfactor = 50);
comment on table bulk_budgets is 'owner: bulk-orders. Lines and bytes of the present minute by merchant.';
