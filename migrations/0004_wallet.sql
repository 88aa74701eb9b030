-- The wallet: one balance row each, and the entries that explain it. A transfer is one row with a debit
-- account, a credit account and an amount, so it balances by its shape. Only the merchant's wallet has a balance row;
-- the system's accounts are the sum of their entries. Amounts in kobo.

create table wallets (
  wallet_id integer primary key check (wallet_id <> 0),
  balance bigint not null default 0 check (balance >= 0),
  seq bigint not null default 0,
  -- Exact totals for paging without counting.
  purchase_count bigint not null default 0,
  purchase_number bigint not null default 0,
  counted_id bigint not null default 0,
  day date not null default '2020-01-01',
  day_spent bigint not null default 0,
  low_balance_threshold bigint check (low_balance_threshold > 0),
  low_balance_due boolean not null default false,
  debt bigint not null default 0 check (debt >= 0),
  updated_at timestamptz not null default now()
)
-- Updated on every purchase: room on the page keeps the update heap-only.
with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
comment on table wallets is 'owner: wallet. One row a merchant and mode. Amounts in kobo.';
comment on column wallets.wallet_id is
  'merchants.id for the live wallet, the same below zero for the sandbox''s. It is in every key of a wallet''s rows.';
comment on column wallets.balance is 'What the merchant can spend.';
comment on column wallets.seq is 'The number of the last ledger entry: entries are numbered without gaps, 1 … seq.';
comment on column wallets.purchase_count is 'How many purchases the wallet has.';
comment on column wallets.purchase_number is
  'The number of the last purchase. It keeps growing when old sandbox purchases are purged.';
comment on column wallets.counted_id is
  'Every final purchase up to this id is in purchase_counts; no purchase may be added below it.';
comment on column wallets.day is 'The day that day_spent counts, in the deployment''s time zone.';
comment on column wallets.day_spent is
  'What was spent on that day, for the daily limit. A refund gives back to the day of its purchase.';
comment on column wallets.low_balance_threshold is
  'The merchant gets an event when its balance falls below this. Null: never.';
comment on column wallets.low_balance_due is
  'The balance fell below the threshold, and the merchant has not got the event yet.';
comment on column wallets.debt is
  'What of money that was taken back after its credit the wallet could not bear. While it is above zero nothing is '
  'bought.';
comment on column wallets.updated_at is 'When the wallet last changed.';

create index wallets_low_balance_due on wallets (wallet_id) where low_balance_due;
create index wallets_in_debt on wallets (wallet_id) where debt > 0;

create table ledger_entries (
  wallet_id integer not null,
  seq bigint not null check (seq > 0),
  kind text not null check (
    kind in ('top_up', 'purchase', 'refund', 'reversal', 'goodwill', 'adjustment', 'sandbox_reset')
  ),
  debit_account text not null check (debit_account in ('wallet', 'clearing', 'funding', 'adjustments')),
  credit_account text not null check (credit_account in ('wallet', 'clearing', 'funding', 'adjustments')),
  amount bigint not null check (amount > 0),
  delta bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  purchase_id bigint,
  reason text,
  created_at timestamptz not null default now(),
  primary key (wallet_id, seq),
  constraint ledger_entries_move_the_wallet check (
    (debit_account = 'wallet' and credit_account <> 'wallet' and delta = -amount)
    or (credit_account = 'wallet' and debit_account <> 'wallet' and delta = amount)
  ),
  constraint ledger_entries_name_their_purchase check (
    (kind in ('purchase', 'refund', 'reversal', 'goodwill')) = (purchase_id is not null)
  )
);
comment on table ledger_entries is
  'owner: wallet. Insert-only. Each row moves kobo from the debit to the credit account; one of them is the wallet.';
comment on column ledger_entries.wallet_id is 'The wallet.';
comment on column ledger_entries.seq is 'The number of the entry in its wallet, from 1.';
comment on column ledger_entries.kind is
  'Why money moved. A refund follows a failed purchase; a reversal, one that a supplier took back later.';
comment on column ledger_entries.debit_account is 'The account that the amount leaves.';
comment on column ledger_entries.credit_account is 'The account that the amount goes to.';
comment on column ledger_entries.amount is 'What moved.';
comment on column ledger_entries.delta is 'The change of the wallet: amount, or -amount.';
comment on column ledger_entries.balance_after is 'The wallet''s balance after this entry.';
comment on column ledger_entries.purchase_id is 'The purchase that it belongs to. Null for the other kinds.';
comment on column ledger_entries.reason is 'The reason in the wallet statement. Null for purchases and refunds.';
comment on column ledger_entries.created_at is 'When it was booked.';

-- At most one refund a purchase, at most one reversal, and the price given back by the company's choice at most once.
create unique index ledger_entries_one_refund
  on ledger_entries (wallet_id, purchase_id)
  where kind = 'refund';

create unique index ledger_entries_one_reversal
  on ledger_entries (wallet_id, purchase_id)
  where kind = 'reversal';

create unique index ledger_entries_one_goodwill
  on ledger_entries (wallet_id, purchase_id)
  where kind = 'goodwill';

-- Few entries are of these kinds: purchases and their refunds cost nothing here.
create index ledger_entries_given_back
  on ledger_entries (created_at)
  where kind in ('reversal', 'goodwill');

-- One transfer to our bank account is credited once: a credit holds its bank reference. A large credit is proposed by
-- one person and booked by another one.
create table wallet_credits (
  id integer generated always as identity primary key,
  merchant_id integer not null,
  amount bigint not null check (amount > 0),
  reason text not null check (length(reason) between 1 and 200),
  bank_reference text collate "C" check (length(bank_reference) between 1 and 64),
  requested_by text not null check (length(requested_by) between 1 and 100),
  approved_by text check (length(approved_by) between 1 and 100),
  booked_at timestamptz not null default now(),
  entry_seq bigint not null,
  taken_back_at timestamptz,
  taken_back_seq bigint,
  -- The same rule as the code's, which knows more spellings of one name.
  constraint wallet_credits_by_two check (lower(approved_by) <> lower(requested_by)),
  constraint wallet_credits_taken_back check ((taken_back_at is null) = (taken_back_seq is null))
);
comment on table wallet_credits is
  'owner: wallet. Credits of live wallets by operators, booked in the commit of the entry. Amounts in kobo.';
comment on column wallet_credits.id is 'The number by which operators name it.';
comment on column wallet_credits.merchant_id is 'The merchant whose live wallet is credited.';
comment on column wallet_credits.amount is 'What is credited.';
comment on column wallet_credits.reason is 'What the wallet statement says.';
comment on column wallet_credits.bank_reference is
  'The transfer''s reference, in capitals and without spaces. Null: the operator said that there is none.';
comment on column wallet_credits.requested_by is 'The operator who booked it alone, or asked another one to agree.';
comment on column wallet_credits.approved_by is 'The operator who agreed to it. Null where one person booked it alone.';
comment on column wallet_credits.booked_at is 'When it was booked.';
comment on column wallet_credits.entry_seq is 'The entry of the wallet that it was booked with.';
comment on column wallet_credits.taken_back_at is 'When it was taken back. Null: it stands.';
comment on column wallet_credits.taken_back_seq is 'The entry of the wallet that took it back.';

-- A credit that was taken back leaves its bank reference free.
create unique index wallet_credits_bank_reference
  on wallet_credits (bank_reference)
  where taken_back_at is null;

create unique index wallet_credits_of_wallet
  on wallet_credits (merchant_id, entry_seq);

create index wallet_credits_alone
  on wallet_credits (booked_at)
  where approved_by is null;
