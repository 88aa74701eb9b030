-- The request log in months: what is old is dropped with its month, which costs the same however many rows there are.
-- keep_log_months makes and drops them. What is there already is the first partition, to the end of the next month.

alter table request_log rename to request_log_first;
alter index request_log_pkey rename to request_log_first_pkey;
alter index request_log_by_code rename to request_log_first_by_code;
alter index request_log_by_reference rename to request_log_first_by_reference;
alter index request_log_by_sent_id rename to request_log_first_by_sent_id;

create table request_log (
  like request_log_first including defaults including constraints including comments,
  primary key (wallet_id, at, number)
)
partition by range (at);
comment on table request_log is
  'owner: request-log. One row for a request whose key was known, written within a second or two of its answer.';

create index request_log_by_code
  on request_log (wallet_id, code, at, number)
  where code is not null;

create index request_log_by_reference
  on request_log (wallet_id, reference, at, number)
  where reference is not null;

create index request_log_by_sent_id
  on request_log (wallet_id, request_id, at, number)
  where is_request_id_sent;

alter table request_error_days rename to request_error_days_first;
alter index request_error_days_pkey rename to request_error_days_first_pkey;

create table request_error_days (
  like request_error_days_first including defaults including constraints including comments,
  primary key (wallet_id, day, endpoint, code)
)
partition by range (day);
comment on table request_error_days is
  'owner: request-log. How often each error was answered on each day, counted in the statement that logs the requests.';

do $$
declare
  v_until constant timestamptz := date_trunc('month', now(), 'UTC') + interval '2 months';
begin
  execute format(
    'alter table request_log attach partition request_log_first for values from (minvalue) to (%L)', v_until
  );
  execute format(
    'alter table request_error_days attach partition request_error_days_first for values from (minvalue) to (%L)',
    v_until::date
  );
end
$$;
