-- The webhook log in months: what is old is dropped with its month, which costs the same however many rows there are.
-- keep_log_months makes and drops them. What is there already is the first partition, to the end of the next month.
-- Deliveries are parted by their ids, which begin with their time: so an id finds its month, and stays unique.

alter table webhook_deliveries rename to webhook_deliveries_first;
alter index webhook_deliveries_pkey rename to webhook_deliveries_first_pkey;
drop index webhook_deliveries_of_bulk_orders;

create table webhook_deliveries (
  like webhook_deliveries_first including defaults including constraints including comments,
  primary key (wallet_id, id)
)
partition by range (id);
comment on table webhook_deliveries is
  'owner: webhooks. One row for each event sent to an endpoint, written in the commit that made it happen.';
comment on column webhook_deliveries.body is
  'The bytes that are signed and sent, as they were when the event happened. Null where an older release purged it.';

create index webhook_deliveries_of_bulk_orders
  on webhook_deliveries (wallet_id, subject_id, endpoint_number)
  where event = 'bulk.completed';

alter table webhook_attempts rename to webhook_attempts_first;
alter table webhook_attempts_first drop constraint webhook_attempts_pkey, drop constraint webhook_attempts_once;
alter index webhook_attempts_filtered rename to webhook_attempts_first_filtered;

create table webhook_attempts (
  like webhook_attempts_first including defaults including constraints including comments,
  primary key (wallet_id, id, created_at)
)
partition by range (created_at);
comment on table webhook_attempts is
  'owner: webhooks. The log of attempts: one row each, written when it ends, never changed, dropped with its month.';

create index webhook_attempts_of_delivery on webhook_attempts (wallet_id, delivery_id, attempt);

create index webhook_attempts_filtered on webhook_attempts (wallet_id, endpoint_number, event, successful, id);

alter table webhook_attempt_counts rename to webhook_attempt_counts_first;
alter table webhook_attempt_counts_first drop constraint webhook_attempt_counts_pkey;
alter table webhook_attempt_counts_first add column month date;
update webhook_attempt_counts_first set month = date_trunc('month', now() at time zone 'UTC');
alter table webhook_attempt_counts_first
  alter column month set default date_trunc('month', now() at time zone 'UTC'),
  alter column month set not null;

create table webhook_attempt_counts (
  like webhook_attempt_counts_first including defaults including constraints including comments,
  primary key (wallet_id, endpoint_number, event, successful, month)
)
partition by range (month);
comment on table webhook_attempt_counts is
  'owner: webhooks. How many attempts the log holds of each kind and month: exact totals without counting.';
comment on column webhook_attempt_counts.month is 'The first day of the month (UTC) in which they were recorded.';

do $$
declare
  v_until constant timestamptz := date_trunc('month', now(), 'UTC') + interval '2 months';
begin
  execute format(
    'alter table webhook_deliveries attach partition webhook_deliveries_first for values from (minvalue) to (%L)',
    lpad(to_hex((extract(epoch from v_until) * 1000)::bigint), 12, '0') || repeat('0', 20)
  );
  execute format(
    'alter table webhook_attempts attach partition webhook_attempts_first for values from (minvalue) to (%L)', v_until
  );
  execute format(
    'alter table webhook_attempt_counts attach partition webhook_attempt_counts_first
       for values from (minvalue) to (%L)',
    (v_until at time zone 'UTC')::date
  );
end
$$;

-- A process of release 0.1.0 still calls these, every ten minutes: they find nothing to do.
create or replace function purge_webhook_log(p_wallet_id integer, p_before timestamptz, p_limit integer)
returns integer
language sql
as 'select 0';

create or replace function purge_webhook_bodies(p_wallet_id integer, p_before uuid, p_limit integer)
returns integer
language sql
as 'select 0';

comment on column webhook_logs.bodies_purged_to is
  'Of release 0.1.0, which walked over the deliveries. Written no more.';
