-- One transfer to our bank account is credited once: a credit holds its bank reference. A large credit is proposed by
-- one person and booked by another one.

create table wallet_credits (
  id integer generated always as identity primary key,
  bucket smallint not null check (bucket between 0 and 63),
  -- The live wallet of this merchant.
  merchant_id integer not null,
  amount bigint not null check (amount > 0),
  -- What the wallet statement says.
  reason text not null check (length(reason) between 1 and 200),
  -- In capitals and without spaces. Null: the operator said that there is none.
  bank_reference text collate "C" check (length(bank_reference) between 1 and 64),
  status text not null default 'proposed' check (status in ('proposed', 'booked', 'withdrawn', 'expired')),
  -- More than one person may book alone, by the setting of that moment.
  needs_approval boolean not null,
  proposed_by text not null check (length(proposed_by) between 1 and 100),
  proposed_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  approved_by text check (length(approved_by) between 1 and 100),
  withdrawn_by text check (length(withdrawn_by) between 1 and 100),
  -- When it was booked or withdrawn, or found to have expired.
  ended_at timestamptz,
  -- The entry of the wallet that it was booked with.
  entry_seq bigint,
  constraint wallet_credits_booked_with_entry check ((status = 'booked') = (entry_seq is not null)),
  constraint wallet_credits_ended check ((status = 'proposed') = (ended_at is null)),
  constraint wallet_credits_booked_in_time check (status <> 'booked' or ended_at < expires_at),
  -- The same rule as the code's, which knows more spellings of one name.
  constraint wallet_credits_booked_by_two check (
    status <> 'booked'
    or not needs_approval
    or (approved_by is not null and lower(approved_by) <> lower(proposed_by))
  )
);
comment on table wallet_credits is
  'owner: wallet. Credits of live wallets by operators. Amounts in kobo. Booked in the commit of the entry.';

-- A proposal holds its bank reference until it has ended.
create unique index wallet_credits_bank_reference
  on wallet_credits (bank_reference)
  where status in ('proposed', 'booked');

create unique index wallet_credits_of_wallet
  on wallet_credits (bucket, merchant_id, entry_seq);

create index wallet_credits_proposed
  on wallet_credits (id)
  where status = 'proposed';
