-- Money in: payment providers, the receiving account that each merchant has there, and every transfer that arrived.
-- Amounts in kobo.

create table payment_providers (
  -- Kept with every payment: a provider is disabled, never deleted or renamed.
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  connector text not null check (connector ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  credentials text,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  fee_bearer text not null default 'company' check (fee_bearer in ('company', 'merchant')),
  listed_to timestamptz not null default now(),
  list_due_at timestamptz not null default now(),
  compared_at timestamptz not null default now()
);
comment on table payment_providers is 'owner: funding. Who receives merchants'' transfers for us.';
comment on column payment_providers.name is 'The provider, as operators call it.';
comment on column payment_providers.connector is 'The code that speaks its API; several may share one.';
comment on column payment_providers.settings is 'What the connector needs to know and everybody may read.';
comment on column payment_providers.credentials is
  'Keys as one JSON object, sealed (platform/sealing/secret-box.ts) under payment_providers/<name>. Null: none.';
comment on column payment_providers.state is
  'A disabled provider opens no receiving accounts; what still arrives there is credited as before.';
comment on column payment_providers.fee_bearer is
  'Who bears what it keeps of a transfer: the company credits the whole transfer, the merchant what is left.';
comment on column payment_providers.listed_to is 'Up to when its own list of transfers has been read.';
comment on column payment_providers.compared_at is
  'When its list of the last days was compared with our payments: daily.';
comment on column payment_providers.list_due_at is
  'When it is read next. While a process reads it: when its lease ends.';

create table funding_accounts (
  provider text not null references payment_providers,
  merchant_id integer not null,
  state text not null check (state in ('requested', 'active', 'refused')),
  account_number text check (length(account_number) between 1 and 40),
  bank_name text,
  account_name text,
  account_reference text,
  refusal text,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  epoch integer not null default 0,
  tries integer not null default 0,
  primary key (provider, merchant_id),
  constraint funding_accounts_are_whole check (
    (state = 'active') = (num_nonnulls(account_number, bank_name, account_name, account_reference) = 4)
  )
);
comment on table funding_accounts is 'owner: funding. The receiving account that a merchant has at a provider.';
comment on column funding_accounts.provider is 'The provider.';
comment on column funding_accounts.merchant_id is 'The merchant whose live wallet is credited.';
comment on column funding_accounts.state is
  'requested: the provider is asked for it; active: transfers to it are credited; refused: the provider will not.';
comment on column funding_accounts.account_number is 'The number that the merchant sends to.';
comment on column funding_accounts.bank_name is 'The bank that it is at.';
comment on column funding_accounts.account_name is 'The name that a sender''s bank shows.';
comment on column funding_accounts.account_reference is 'What the provider calls its holder.';
comment on column funding_accounts.refusal is 'Why the provider refused, in its words.';
comment on column funding_accounts.requested_at is 'When it was asked for first.';
comment on column funding_accounts.due_at is
  'When the provider is asked next. While a process asks: when its lease ends.';
comment on column funding_accounts.epoch is
  'Raised by every claim: what an earlier holder still wants to write is refused.';
comment on column funding_accounts.tries is 'How often the provider was asked.';

create unique index funding_accounts_number
  on funding_accounts (provider, account_number)
  where account_number is not null;

create unique index funding_accounts_reference
  on funding_accounts (provider, account_reference)
  where account_reference is not null;

create index funding_accounts_of_merchant on funding_accounts (merchant_id);
create index funding_accounts_due on funding_accounts (due_at) where state = 'requested';

create table payments (
  provider text not null references payment_providers,
  payment_id text collate "C" not null check (length(payment_id) between 1 and 100),
  number integer generated always as identity unique,
  state text not null default 'heard' check (state in ('heard', 'credited', 'unmatched', 'refused')),
  heard_at timestamptz not null default now(),
  heard_by text not null check (heard_by in ('event', 'list', 'person')),
  -- The question for the verify endpoint.
  due_at timestamptz default now(),
  epoch integer not null default 0,
  tries integer not null default 0,
  amount bigint check (amount > 0),
  fee bigint check (fee >= 0),
  credited bigint check (credited > 0),
  taken_back bigint not null default 0 check (taken_back >= 0),
  account_number text,
  account_reference text,
  sender jsonb,
  paid_at timestamptz,
  evidence text not null default '',
  wallet_id integer check (wallet_id > 0),
  entry_seq bigint,
  credited_at timestamptz,
  contradiction text,
  contradiction_end text check (contradiction_end in ('ours', 'theirs', 'written_off')),
  contradiction_note text check (length(contradiction_note) between 3 and 200),
  contradiction_ended_by text check (length(contradiction_ended_by) between 1 and 100),
  contradiction_ended_at timestamptz,
  primary key (provider, payment_id),
  constraint payments_are_verified check (
    (state in ('credited', 'unmatched')) = (num_nonnulls(amount, fee, credited, paid_at, sender) = 5)
  ),
  constraint payments_are_credited check (
    (state = 'credited') = (num_nonnulls(wallet_id, entry_seq, credited_at) = 3)
  ),
  constraint payments_end_what_is check (contradiction_end is null or contradiction is not null),
  constraint payments_are_ended_by_a_person check (
    num_nonnulls(contradiction_end, contradiction_note, contradiction_ended_by, contradiction_ended_at) in (0, 4)
  ),
  constraint payments_fit check (fee <= amount and credited <= amount and taken_back <= amount)
);
comment on table payments is
  'owner: funding. Every transfer that a provider told of, each once by the provider''s own id of it.';
comment on column payments.provider is 'The provider that told of it.';
comment on column payments.payment_id is 'The provider''s own id of the transfer.';
comment on column payments.number is 'The number by which people here name it.';
comment on column payments.state is
  'heard: the provider is asked what it is; credited; unmatched: verified, and nobody''s account; refused: it never '
  'became money.';
comment on column payments.heard_at is 'When it was heard of first.';
comment on column payments.heard_by is 'Whether by its event, by the provider''s list, or because a person named it.';
comment on column payments.due_at is
  'When the verify endpoint is asked next. While a process asks: when its lease ends. Null: nothing to ask.';
comment on column payments.epoch is 'Raised by every claim and every event: an earlier holder''s answer is refused.';
comment on column payments.tries is 'How often it was asked since the last event.';
comment on column payments.amount is 'What the sender sent.';
comment on column payments.fee is 'What the provider keeps of it.';
comment on column payments.credited is 'What its wallet was credited; of one that is unmatched, what a wallet will be.';
comment on column payments.taken_back is 'What of the amount the provider gave back to the sender since.';
comment on column payments.account_number is 'The receiving account, as the provider told it.';
comment on column payments.account_reference is 'The holder of the receiving account, as the provider told it.';
comment on column payments.sender is 'Name, bank, account number, session id and narration of the sender.';
comment on column payments.paid_at is 'When it arrived there.';
comment on column payments.evidence is 'What the provider last said of it, redacted.';
comment on column payments.wallet_id is 'The live wallet that was credited.';
comment on column payments.entry_seq is 'The entry of the wallet that credited it.';
comment on column payments.credited_at is 'When it was credited.';
comment on column payments.contradiction is
  'What its provider said against what is booked here: for a person. Null: nothing.';
comment on column payments.contradiction_end is
  'How a person ended that: we were wrong, the provider was, or what is lost is written off. Null: it is open. Moves '
  'no money.';
comment on column payments.contradiction_note is 'What the person says of it.';
comment on column payments.contradiction_ended_by is 'Who ended it, as the audit log names people.';
comment on column payments.contradiction_ended_at is 'When.';

-- When each was heard of last, and whether by its event.
create index payments_heard on payments (heard_by, provider, heard_at);
-- What nobody was credited with yet is asked about first.
create index payments_due on payments ((state <> 'heard'), due_at) where due_at is not null;
create index payments_of_wallet on payments (wallet_id, number) where wallet_id is not null;
create index payments_contradicted on payments (heard_at) where contradiction is not null and contradiction_end is null;
create index payments_paid on payments (provider, paid_at) where paid_at is not null;
-- What people look at: few beside those that were credited.
create index payments_unmatched on payments (number) where state = 'unmatched';
create index payments_refused on payments (number) where state = 'refused';
create index payments_taken_back on payments (number) where taken_back > 0;
create index payments_session on payments ((sender ->> 'sessionId')) where sender is not null;
create index payments_sender on payments (lower(sender ->> 'name') text_pattern_ops)
  where sender is not null;

-- A mark in the payment itself would write all its indexes once more.
create table payment_announcements (
  number integer primary key,
  wallet_id integer not null
);
comment on table payment_announcements is
  'owner: funding. Credited payments whose merchants were not told yet, by event and email: telling takes a row away.';
comment on column payment_announcements.number is 'The payment.';
comment on column payment_announcements.wallet_id is 'The live wallet that was credited.';

-- The company's side of the money: what wallets hold of it stands in ledger_entries, against the account funding.
create table funding_entries (
  number bigint generated always as identity primary key,
  debit_account text not null check (debit_account in ('provider', 'fees', 'suspense', 'funding', 'debts', 'bank')),
  credit_account text not null check (credit_account in ('provider', 'fees', 'suspense', 'funding', 'debts', 'bank')),
  amount bigint not null check (amount > 0),
  provider text,
  payment_id text collate "C",
  wallet_id integer,
  entry_seq bigint,
  line_number integer,
  booked_at timestamptz not null,
  foreign key (provider, payment_id) references payments,
  constraint funding_entries_move check (debit_account <> credit_account),
  constraint funding_entries_name_what_moved check (
    (provider is null) = (payment_id is null) and line_number is null
    and (payment_id is not null or (debit_account, credit_account) = ('funding', 'debts'))
    or (debit_account, credit_account) in (('bank', 'provider'), ('provider', 'bank'))
    and num_nonnulls(provider, line_number) = 2 and num_nonnulls(payment_id, wallet_id, entry_seq) = 0
  ),
  constraint funding_entries_name_a_settlement check (
    ('bank' in (debit_account, credit_account)) = (line_number is not null)
  ),
  constraint funding_entries_debts_have_a_wallet check (
    'debts' not in (debit_account, credit_account) or wallet_id is not null
  )
);
comment on table funding_entries is
  'owner: funding. Insert-only. What payments and providers'' settlements moved among the company''s accounts, from '
  'the debit to the credit account.';
comment on column funding_entries.number is 'The order in which they were booked.';
comment on column funding_entries.debit_account is
  'provider: what it holds for us; fees: what it kept; suspense: what is nobody''s yet; funding: what wallets were '
  'credited, against the account of this name in ledger_entries; debts: what merchants owe us; bank: what providers '
  'paid to our bank.';
comment on column funding_entries.credit_account is 'The account that the amount goes to.';
comment on column funding_entries.amount is 'What moved.';
comment on column funding_entries.provider is 'The provider of the payment or the settlement.';
comment on column funding_entries.payment_id is
  'The payment. Null of a settlement, and where a debt is paid, as one credit pays all of a wallet.';
comment on column funding_entries.wallet_id is 'The wallet that it is about. Null where none is.';
comment on column funding_entries.entry_seq is 'The wallet''s entry that it was booked with. Null where there is none.';
comment on column funding_entries.line_number is 'The statement''s line of a settlement. Null of anything else.';
comment on column funding_entries.booked_at is 'When.';

create index funding_entries_of_payment on funding_entries (provider, payment_id);
create index funding_entries_of_line on funding_entries (line_number) where line_number is not null;
create index funding_entries_of_wallet on funding_entries (wallet_id, entry_seq) where wallet_id is not null;

create table closed_day_holdings (
  day date not null references closed_days,
  account text not null check (account in ('provider', 'fees', 'suspense', 'debts', 'bank')),
  provider text not null,
  amount bigint not null,
  primary key (day, account, provider)
);
comment on table closed_day_holdings is
  'owner: history. What the accounts of money that came in held at the end of closed days. Only inserted.';
comment on column closed_day_holdings.day is 'The day.';
comment on column closed_day_holdings.account is 'The account, as in funding_entries.';
comment on column closed_day_holdings.provider is
  'The provider whose part it is. Empty of suspense and debts, which are of all together.';
comment on column closed_day_holdings.amount is 'What was in it; of suspense, what is nobody''s yet.';

create type payment_booking as (
  provider text,
  payment_id text,
  epoch integer,
  wallet_id integer,
  amount bigint,
  fee bigint,
  credited bigint,
  reason text,
  account_number text,
  account_reference text,
  sender text,
  paid_at timestamptz,
  evidence text,
  is_due boolean
);
comment on column payment_booking.provider is 'The provider.';
comment on column payment_booking.payment_id is 'The providers own id of the transfer.';
comment on column payment_booking.epoch is 'The lease under which it is booked.';
comment on column payment_booking.wallet_id is 'The live wallet that a person chose. Null: that of the account.';
comment on column payment_booking.amount is 'What the sender sent.';
comment on column payment_booking.fee is 'What the provider keeps of it.';
comment on column payment_booking.credited is 'What the wallet is credited.';
comment on column payment_booking.reason is 'What the wallet statement says.';
comment on column payment_booking.account_number is 'The receiving account.';
comment on column payment_booking.account_reference is 'The holder of the receiving account.';
comment on column payment_booking.sender is 'The sender, as JSON.';
comment on column payment_booking.paid_at is 'When it arrived at the provider.';
comment on column payment_booking.evidence is 'What the provider said, redacted.';
comment on column payment_booking.is_due is 'Whether its provider is asked once more.';
