-- What suppliers were sent and how they answered, open breakers, what was refused for want of a supplier, and our
-- balances there. Amounts in kobo.

-- What the processes of the service count in memory and add here every second; C1 and C2 know nothing of it. Whatever a
-- process had not added when it was killed is missing.
create table supplier_days (
  supplier text not null references suppliers,
  day date not null,
  purchases bigint not null,
  cost bigint not null,
  primary key (supplier, day)
);
comment on table supplier_days is
  'owner: suppliers. What suppliers were sent on a day and did not decline at once: what their caps are compared with.';
comment on column supplier_days.supplier is 'The supplier.';
comment on column supplier_days.day is 'The day on which they were sent, in the deployment''s time zone.';
comment on column supplier_days.purchases is 'How many attempts.';
comment on column supplier_days.cost is 'What they cost us, as it was reckoned when they were sent.';

create table supplier_hours (
  hour timestamptz not null,
  supplier text not null references suppliers,
  product_id integer not null references products,
  vended bigint not null,
  declined bigint not null,
  unknown bigint not null,
  cost bigint not null,
  took_ms bigint not null,
  slowest_ms integer not null,
  units bigint,
  primary key (hour, supplier, product_id)
);
comment on table supplier_hours is
  'owner: suppliers. What a route''s attempts came to at their first answer, by the hour in which they were sent. '
  'Kept for 30 days.';
comment on column supplier_hours.hour is 'The first instant of the hour.';
comment on column supplier_hours.supplier is 'The supplier.';
comment on column supplier_hours.product_id is 'The product.';
comment on column supplier_hours.vended is 'Attempts that it vended at once.';
comment on column supplier_hours.declined is 'Attempts that it declined at once, or that did not leave.';
comment on column supplier_hours.unknown is 'Attempts whose end was not known at first: they were asked about later.';
comment on column supplier_hours.cost is 'What the attempts cost us that were not declined at once.';
comment on column supplier_hours.took_ms is 'How long all these answers took together.';
comment on column supplier_hours.slowest_ms is 'How long the slowest of them took.';
comment on column supplier_hours.units is
  'Units of what was vended at once, as PINs of a purchase of several. Null where an older release counted.';

create table supplier_category_hours (
  supplier text not null references suppliers,
  hour timestamptz not null,
  category text not null check (length(category) <= 40),
  vended bigint not null,
  declined bigint not null,
  unknown bigint not null,
  cost bigint not null,
  answers bigint[] not null,
  primary key (supplier, hour, category)
);
comment on table supplier_category_hours is
  'owner: suppliers. supplier_hours by category, with how long answers took: as many rows whatever is sold. Kept for '
  '30 days.';
comment on column supplier_category_hours.supplier is 'The supplier.';
comment on column supplier_category_hours.hour is 'The first instant of the hour.';
comment on column supplier_category_hours.category is 'The category of what was bought.';
comment on column supplier_category_hours.vended is 'Attempts that it vended at once.';
comment on column supplier_category_hours.declined is 'Attempts that it declined at once, or that did not leave.';
comment on column supplier_category_hours.unknown is 'Attempts whose end was not known at first.';
comment on column supplier_category_hours.cost is 'What the attempts cost us that were not declined at once.';
comment on column supplier_category_hours.answers is
  'How many answers took how long: one number for each bound in answer-times.ts. Empty for hours before this table.';

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

create table supplier_breakers (
  supplier text not null references suppliers,
  category text not null check (length(category) <= 40),
  open_at timestamptz not null,
  opened_at timestamptz,
  last_trouble text,
  primary key (supplier, category)
);
comment on table supplier_breakers is
  'owner: suppliers. Breakers live in each process''s memory; here they leave word of themselves, for operators alone.';
comment on column supplier_breakers.supplier is 'The supplier.';
comment on column supplier_breakers.category is 'The category of which it gets no new purchase.';
comment on column supplier_breakers.open_at is
  'When a process last had it open. It says so every second: a few seconds later, none has any more.';
comment on column supplier_breakers.opened_at is
  'Since when it has been open, by the first process that opened it. Null where an older release wrote it.';
comment on column supplier_breakers.last_trouble is
  'What the supplier answered last before it opened, or to the trial since, redacted: for the operator''s eyes.';

-- Asked every few minutes by one process.
create table supplier_balances (
  supplier text primary key references suppliers,
  balance bigint,
  currency text not null default 'NGN' check (currency ~ '^[A-Z]{3}$'),
  reported_at timestamptz,
  alarm_below bigint check (alarm_below > 0),
  sent_before bigint not null default 0,
  constraint supplier_balances_have_their_time check (num_nonnulls(balance, reported_at) in (0, 2))
);
comment on table supplier_balances is
  'owner: suppliers. Our last known balance at each supplier, and the threshold below which operators are warned.';
comment on column supplier_balances.supplier is 'The supplier.';
comment on column supplier_balances.balance is 'Our balance, as the supplier last told it. Null until it has.';
comment on column supplier_balances.currency is 'The currency of our account there; the amounts are hundredths of it.';
comment on column supplier_balances.reported_at is 'When the supplier told the balance.';
comment on column supplier_balances.sent_before is
  'What supplier_days held of the supplier when the balance was told, from two days before on: what it holds more, was '
  'sent since.';
comment on column supplier_balances.alarm_below is 'Operators are warned while the balance is below this. Null: never.';
