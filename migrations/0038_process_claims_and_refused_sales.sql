-- Purchase ids carry ten bits of process. A number that a process holds is nobody else's, however often others start.
-- The sequence goes a release later: the release before takes its numbers from it.
create table process_claims (
  number integer primary key check (number between 0 and 1023),
  claimed_until timestamptz not null default '-infinity',
  claims bigint not null default 0
);
comment on table process_claims is
  'owner: purchases. The number of each process that sells, which its purchase ids carry. One row a number.';
comment on column process_claims.number is 'The number.';
comment on column process_claims.claimed_until is
  'Its process extends this while it runs. Afterwards the number is free, the longest unused one first.';
comment on column process_claims.claims is 'How often it was claimed: who knows another count has lost it.';
insert into process_claims (number) select generate_series(0, 1023);

-- Unique: a supplier that is told one reference twice answers the second sale with the goods of the first.
drop index purchases_live_by_id;
create unique index purchases_live_by_id on purchases (id) where wallet_id > 0;

create table unserved_hours (
  hour timestamptz not null,
  product_id integer not null references products,
  refused bigint not null,
  amount bigint not null,
  last_at timestamptz not null,
  primary key (hour, product_id)
);
comment on table unserved_hours is
  'owner: suppliers. Live sales that were refused as no supplier could be asked for the product. Kept for 30 days.';
comment on column unserved_hours.hour is 'The first instant of the hour in which they were refused.';
comment on column unserved_hours.product_id is 'The product.';
comment on column unserved_hours.refused is 'How many.';
comment on column unserved_hours.amount is 'Their face value together, in kobo.';
comment on column unserved_hours.last_at is 'When the last of them was refused.';

-- Here too, as the file of a function that calls it may be applied before its own.
create or replace function wait_for_wallets(p_wallet_ids integer[])
returns boolean
language plpgsql
set lock_timeout = 10
as $$
begin
  perform 1
     from wallets w
    where w.wallet_id = any (p_wallet_ids)
    order by w.wallet_id
      for update;
  return true;
exception
  when lock_not_available then
    return false;
end
$$;
