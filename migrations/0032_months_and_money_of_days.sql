-- A log takes a row whatever its month: one without a month of its own waits in the default partition until
-- keep_log_months has made that month.

create table request_log_default partition of request_log default;
create table request_error_days_default partition of request_error_days default;
create table webhook_deliveries_default partition of webhook_deliveries default;
create table webhook_attempts_default partition of webhook_attempts default;
create table webhook_attempt_counts_default partition of webhook_attempt_counts default;

alter table closed_days
  add column time_zone text not null default current_setting('timezone'),
  add column books_checked_at timestamptz not null default now();
comment on column closed_days.time_zone is 'The deployment''s time zone when it was closed: by it hours are told apart.';
comment on column closed_days.books_checked_at is
  'When broken_invariants was found: of several days that are closed one after the other the ledger is read once.';
