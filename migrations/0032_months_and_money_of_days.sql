-- A log takes a row whatever its month: one without a month of its own waits in the default partition until
-- keep_log_months has made that month.

create table request_log_default partition of request_log default;
create table request_error_days_default partition of request_error_days default;
create table webhook_deliveries_default partition of webhook_deliveries default;
create table webhook_attempts_default partition of webhook_attempts default;
create table webhook_attempt_counts_default partition of webhook_attempt_counts default;
comment on table request_log_default is 'owner: request-log. Requests of months that have no partition yet.';
comment on table request_error_days_default is
  'owner: request-log. Counts of errors of months that have no partition yet.';
comment on table webhook_deliveries_default is 'owner: webhooks. Deliveries of months that have no partition yet.';
comment on table webhook_attempts_default is 'owner: webhooks. Attempts of months that have no partition yet.';
comment on table webhook_attempt_counts_default is
  'owner: webhooks. Counts of attempts of months that have no partition yet.';

alter table closed_days
  add column time_zone text not null default current_setting('timezone'),
  add column books_checked_at timestamptz not null default now();
comment on column closed_days.time_zone is
  'The deployment''s time zone when it was closed: by it hours are told apart.';
comment on column closed_days.books_checked_at is
  'When broken_invariants was found: of several days that are closed one after the other the ledger is read '
  'once.';

-- Money that a closed day forgot: what was given back or found later counts on the day it was booked, and every
-- movement of live wallets is summed beside the sales.

alter table closed_days add column summed_at timestamptz;
comment on column closed_days.summed_at is
  'When it was closed by the database''s clock: entries that were booked later are not in its movements. Null where an '
  'older release closed it, without them.';

alter table closed_day_sales
  add column goodwill bigint not null default 0,
  add column refunded_later bigint not null default 0,
  add column taken_back bigint not null default 0,
  add column cost_changes bigint not null default 0;
comment on column closed_day_sales.reversed is 'Delivered purchases that were taken back by the end of the day.';
comment on column closed_day_sales.goodwill is 'Goodwill that was given on the day, for sales of any day.';
comment on column closed_day_sales.refunded_later is 'Refunds on the day of delivered sales of earlier days.';
comment on column closed_day_sales.taken_back is
  'What merchants paid back on the day for sales that were refunded and had been delivered after all.';
comment on column closed_day_sales.cost_changes is
  'What suppliers took beyond the recorded cost, by differences that were accepted or written off on the day, less the '
  'cost of refunded_later. Below zero where they took less.';

create table closed_day_movements (
  day date not null references closed_days,
  kind text not null,
  entries bigint not null check (entries > 0),
  credited bigint not null check (credited >= 0),
  debited bigint not null check (debited >= 0),
  primary key (day, kind)
);
comment on table closed_day_movements is
  'owner: history. What was booked in live wallets on closed days, by kind of entry. Only inserted. Amounts in kobo.';
comment on column closed_day_movements.day is 'The day.';
comment on column closed_day_movements.kind is 'The kind of the entries, as in ledger_entries.';
comment on column closed_day_movements.entries is 'How many there were.';
comment on column closed_day_movements.credited is 'What they added to wallets.';
comment on column closed_day_movements.debited is 'What they took from wallets.';

-- Few entries are of these kinds: purchases and their refunds cost nothing here.
create index ledger_entries_given_back
  on ledger_entries (created_at)
  where kind in ('reversal', 'goodwill');

-- Voucher purchases have several units each: how long a stock lasts is told by these.
alter table supplier_hours add column units bigint;
comment on column supplier_hours.units is
  'Units of what was vended at once, as PINs of a purchase of several. Null where an older release counted.';
