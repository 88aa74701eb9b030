-- Bank transfers without a payment provider: what merchants say that they sent, and what the company's bank says that
-- came. Amounts in kobo.

create table bank_accounts (
  account_number text primary key check (account_number ~ '^[0-9]{10}$'),
  bank text not null check (length(bank) between 1 and 60),
  added_by text not null check (length(added_by) between 1 and 100),
  added_at timestamptz not null default now()
);
comment on table bank_accounts is 'owner: funding. The company''s own accounts, whose statements are imported.';
comment on column bank_accounts.account_number is 'Its number.';
comment on column bank_accounts.bank is 'The bank that it is at.';
comment on column bank_accounts.added_by is 'Who added it, as the audit log names people.';
comment on column bank_accounts.added_at is 'When it was added.';

create table statement_layouts (
  heading text primary key check (length(heading) between 1 and 2000),
  columns jsonb not null check (jsonb_typeof(columns) = 'object'),
  kept_by text not null check (length(kept_by) between 1 and 100),
  kept_at timestamptz not null default now()
);
comment on table statement_layouts is
  'owner: funding. Statements of other banks than those that are known: which column says what, as a person said once.';
comment on column statement_layouts.heading is 'The line of headings, in small letters and digits alone, parted by |.';
comment on column statement_layouts.columns is 'The heading of each column that is read.';
comment on column statement_layouts.kept_by is 'Who said so last, as the audit log names people.';
comment on column statement_layouts.kept_at is 'When.';

create table statement_imports (
  id integer generated always as identity primary key,
  account_number text not null references bank_accounts,
  file_name text not null check (length(file_name) between 1 and 200),
  layout text not null check (length(layout) between 1 and 60),
  imported_by text not null check (length(imported_by) between 1 and 100),
  imported_at timestamptz not null default now(),
  fresh integer not null check (fresh >= 0),
  known integer not null check (known >= 0),
  debits integer not null check (debits >= 0),
  wrong integer not null check (wrong >= 0),
  faults jsonb not null check (jsonb_typeof(faults) = 'array')
);
comment on table statement_imports is 'owner: funding. Files of statements that were read, and what was in them.';
comment on column statement_imports.id is 'Its number.';
comment on column statement_imports.account_number is 'The account that it is the statement of.';
comment on column statement_imports.file_name is 'The file''s name.';
comment on column statement_imports.layout is 'The bank whose headings it has, or that they were mapped by hand.';
comment on column statement_imports.imported_by is 'Who imported it, as the audit log names people.';
comment on column statement_imports.imported_at is 'When.';
comment on column statement_imports.fresh is 'How many credits it had that no file had before.';
comment on column statement_imports.known is 'How many credits it had that were there already.';
comment on column statement_imports.debits is 'How many lines were money that left, which are skipped.';
comment on column statement_imports.wrong is 'How many lines could not be used.';
comment on column statement_imports.faults is 'The first of these, each with its line and what is wrong with it.';

create table statement_lines (
  number integer generated always as identity primary key,
  account_number text not null references bank_accounts,
  paid_on date not null,
  amount bigint not null check (amount > 0),
  identity text not null check (length(identity) between 1 and 200),
  ordinal integer not null check (ordinal > 0),
  bank_reference text collate "C" not null check (length(bank_reference) between 1 and 64),
  narration text not null check (length(narration) <= 500),
  import_id integer not null references statement_imports,
  line integer not null check (line > 0),
  credit_id integer,
  set_aside_because text check (length(set_aside_because) between 1 and 200),
  settlement_of text references payment_providers,
  ended_by text check (length(ended_by) between 1 and 100),
  ended_at timestamptz,
  event_due boolean not null default false,
  constraint statement_lines_come_once unique (account_number, paid_on, amount, identity, ordinal),
  constraint statement_lines_end_once check (num_nonnulls(credit_id, set_aside_because, settlement_of) <= 1),
  constraint statement_lines_are_ended check (
    (num_nonnulls(credit_id, set_aside_because, settlement_of) = 1) = (num_nonnulls(ended_by, ended_at) = 2)
  ),
  constraint statement_lines_announce_credits check (not event_due or credit_id is not null)
);
comment on table statement_lines is
  'owner: funding. Money that came to the company''s accounts by its banks'' statements. Each line is once, whatever '
  'files have it.';
comment on column statement_lines.number is 'The number by which operators name it.';
comment on column statement_lines.account_number is 'The account that it came to.';
comment on column statement_lines.paid_on is 'The day, as the statement has it.';
comment on column statement_lines.amount is 'What came.';
comment on column statement_lines.identity is
  'The bank''s reference, or the narration where there is none, in capitals and digits alone.';
comment on column statement_lines.ordinal is 'Which it is of a day''s lines with the same amount and identity.';
comment on column statement_lines.bank_reference is
  'What its credit is called: the bank''s reference, or a name made of the line where there is none.';
comment on column statement_lines.narration is 'What the statement says of it.';
comment on column statement_lines.import_id is 'The first file that had it.';
comment on column statement_lines.line is 'Where it stands there.';
comment on column statement_lines.credit_id is
  'The credit of a wallet that it became. Where that was taken back the line is open again. Null: none yet.';
comment on column statement_lines.set_aside_because is 'Why it is nobody''s credit, as a person said. Null: none.';
comment on column statement_lines.settlement_of is
  'The provider that paid it to us, of what it held. Null: none did.';
comment on column statement_lines.ended_by is
  'Who credited it, set it aside or said whose settlement it is, as the audit log names people.';
comment on column statement_lines.ended_at is 'When.';
comment on column statement_lines.event_due is
  'Whether the event and email of its credit are due: set in the commit of the credit.';

create index statement_lines_open
  on statement_lines (number)
  where credit_id is null and set_aside_because is null and settlement_of is null;
create index statement_lines_settlements
  on statement_lines (settlement_of, paid_on, number)
  where settlement_of is not null;
create index statement_lines_set_aside on statement_lines (number) where set_aside_because is not null;
create index statement_lines_to_announce on statement_lines (ended_at) where event_due;
create index statement_lines_reference on statement_lines (bank_reference);
create index statement_lines_of_import on statement_lines (import_id);

alter table funding_entries
  add constraint funding_entries_of_lines foreign key (line_number) references statement_lines;

-- A line's credit has the line's amount, and is that of no other line.
create unique index wallet_credits_with_amount on wallet_credits (id, amount);
create unique index statement_lines_of_credit on statement_lines (credit_id) where credit_id is not null;
alter table statement_lines
  add constraint statement_lines_become_credits foreign key (credit_id, amount) references wallet_credits (id, amount);
create index wallet_credits_taken_back_ids on wallet_credits (id) where taken_back_at is not null;

create table announced_transfers (
  number integer generated always as identity primary key,
  merchant_id integer not null,
  amount bigint not null check (amount > 0),
  bank text not null check (length(bank) between 1 and 60),
  sender_name text not null check (length(sender_name) between 1 and 100),
  slip_type text check (slip_type in ('image/png', 'image/jpeg', 'image/webp', 'application/pdf')),
  announced_by text not null check (length(announced_by) between 1 and 300),
  announced_at timestamptz not null,
  line_number integer unique references statement_lines,
  ended text check (ended in ('withdrawn', 'closed')),
  ended_because text check (length(ended_because) between 1 and 200),
  ended_at timestamptz,
  constraint announced_transfers_are_ended check (
    (ended is null) = (ended_at is null) and (ended is not distinct from 'closed') = (ended_because is not null)
  )
);
comment on table announced_transfers is 'owner: funding. Bank transfers that merchants say they sent.';
comment on column announced_transfers.number is 'The number by which people name it.';
comment on column announced_transfers.merchant_id is 'Whose live wallet it is for.';
comment on column announced_transfers.amount is 'What was sent.';
comment on column announced_transfers.bank is 'The bank that it was sent from.';
comment on column announced_transfers.sender_name is 'The name of the account that it was sent from.';
comment on column announced_transfers.slip_type is 'What the slip is, by its first bytes. Null: none was sent.';
comment on column announced_transfers.announced_by is 'Who told of it, as the audit log names people.';
comment on column announced_transfers.announced_at is 'When.';
comment on column announced_transfers.line_number is
  'The statement''s line that it was found to be. Where that line''s credit was taken back, it waits again.';
comment on column announced_transfers.ended is
  'withdrawn: its merchant took it back; closed: the company found that nothing came. Null: neither.';
comment on column announced_transfers.ended_because is 'What the merchant is told of why it was closed.';
comment on column announced_transfers.ended_at is 'When it was withdrawn or closed.';

create index announced_transfers_of_merchant on announced_transfers (merchant_id, number);
create index announced_transfers_open on announced_transfers (number) where line_number is null and ended is null;

create table transfer_slips (
  transfer_number integer primary key references announced_transfers,
  sealed text not null
);
comment on table transfer_slips is 'owner: funding. Pictures and documents of transfers'' slips. Kept for 180 days.';
comment on column transfer_slips.transfer_number is 'The transfer that it is the slip of.';
comment on column transfer_slips.sealed is
  'The file in base64, sealed (platform/sealing/secret-box.ts) under transfer_slips/<transfer_number>.';
