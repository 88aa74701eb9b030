-- A credit that was a mistake is taken back once, and its bank reference is free again.

alter table wallet_credits
  add column taken_back_at timestamptz,
  add column taken_back_seq bigint,
  add constraint wallet_credits_taken_back
    check ((taken_back_at is null) = (taken_back_seq is null) and (taken_back_at is null or status = 'booked'));
comment on column wallet_credits.taken_back_at is 'When it was taken back. Null: it stands.';
comment on column wallet_credits.taken_back_seq is 'The entry of the wallet that took it back.';

drop index wallet_credits_bank_reference;
create unique index wallet_credits_bank_reference
  on wallet_credits (bank_reference)
  where status in ('proposed', 'booked') and taken_back_at is null;
