-- The wallet: one balance row a merchant and mode, and the entries that explain it. A transfer is one row with a
-- debit account, a credit account and an amount, so it balances by its shape. Only the merchant's wallet has a
-- balance row; the system's accounts are the sum of their entries.

create table wallets (
  bucket smallint not null check (bucket between 0 and 63),
  merchant_id integer not null,
  mode text not null check (mode in ('live', 'test')),
  balance bigint not null default 0 check (balance >= 0),
  -- Number of the last entry: entries are gapless, 1 … seq.
  seq bigint not null default 0,
  -- How many purchases there are: exact totals for paging without counting.
  purchase_count bigint not null default 0,
  -- Number of the last purchase; it keeps growing when old sandbox purchases are purged.
  purchase_number bigint not null default 0,
  -- Spent on `day` (in the deployment's zone), for the daily limit.
  day date not null default '2020-01-01',
  day_spent bigint not null default 0,
  low_balance_threshold bigint check (low_balance_threshold > 0),
  updated_at timestamptz not null default now(),
  primary key (bucket, merchant_id, mode)
)
-- Updated on every purchase: room on the page keeps the update heap-only.
with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
comment on table wallets is 'owner: wallet. One row a merchant and mode. Amounts in kobo.';

create table ledger_entries (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  seq bigint not null check (seq > 0),
  kind text not null check (kind in ('top_up', 'purchase', 'refund', 'reversal', 'adjustment', 'sandbox_reset')),
  debit_account text not null check (debit_account in ('wallet', 'clearing', 'funding', 'adjustments')),
  credit_account text not null check (credit_account in ('wallet', 'clearing', 'funding', 'adjustments')),
  amount bigint not null check (amount > 0),
  delta bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  purchase_id bigint,
  reason text,
  created_at timestamptz not null default now(),
  primary key (bucket, merchant_id, mode, seq),
  constraint ledger_entries_move_the_wallet check (
    (debit_account = 'wallet' and credit_account <> 'wallet' and delta = -amount)
    or (credit_account = 'wallet' and debit_account <> 'wallet' and delta = amount)
  ),
  constraint ledger_entries_name_their_purchase check (
    (kind in ('purchase', 'refund', 'reversal')) = (purchase_id is not null)
  )
);
comment on table ledger_entries is
  'owner: wallet. Insert-only. Each row moves kobo from the debit to the credit account; one of them is the wallet.';

create unique index ledger_entries_one_refund
  on ledger_entries (bucket, merchant_id, mode, purchase_id)
  where kind = 'refund';
