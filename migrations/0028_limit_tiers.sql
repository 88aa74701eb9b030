-- What live merchants of a tier may spend was in the program; operators set it now. Processes of an older version go by
-- what was in theirs, which is what stands here until somebody changes it.

create table limit_tiers (
  tier smallint primary key check (tier between 1 and 3),
  -- Kobo, as of a wallet: up to ten trillion naira.
  per_transaction bigint not null check (per_transaction between 1 and 1000000000000000),
  per_day bigint not null check (per_day between 1 and 1000000000000000),
  updated_at timestamptz not null default now(),
  constraint limit_tiers_day_holds_a_transaction check (per_day >= per_transaction)
);
comment on table limit_tiers is 'owner: limits. What a live merchant of each tier may spend at once and in a day.';

insert into limit_tiers (tier, per_transaction, per_day)
values (1, 5000000, 20000000),
       (2, 20000000, 200000000),
       (3, 100000000, 2000000000);

-- An account without a row here could not log in.
alter table merchants
  add constraint merchants_limit_tier_fkey foreign key (limit_tier) references limit_tiers;
