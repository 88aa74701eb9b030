-- What has happened and must be told: transactions in the commit that ends them, the rest by who finds it marked here.

alter table purchases
  -- An event about its end was written in the commit that ended it: whoever lost one of the two is found by that.
  add column event_owed boolean not null default false;

alter table bulk_orders
  -- Lines that are pending. At zero the order is over.
  add column open_lines integer not null default 0 check (open_lines >= 0),
  add column completion_told boolean not null default false;

update bulk_orders
   set completion_told = true;

create index bulk_orders_untold on bulk_orders (bucket) where open_lines = 0 and not completion_told;

alter table wallets
  -- The balance fell below its threshold, and nobody was told so yet.
  add column low_balance_owed boolean not null default false;

create index wallets_low_balance_owed on wallets (bucket) where low_balance_owed;
