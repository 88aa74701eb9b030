-- The webhook log in months: what is old is dropped with its month, which costs the same however many rows there are.
-- keep_log_months makes and drops them. The first partition goes to the end of the next month; a row without a month of
-- its own waits in the default partition until keep_log_months has made that month.
-- Deliveries are parted by their ids, which begin with their time: so an id finds its month, and stays unique.

create table webhook_deliveries (
  wallet_id integer not null,
  id uuid not null,
  endpoint_number integer not null default 1,
  event text not null,
  reference text collate "C",
  subject_id bigint,
  is_example boolean not null default false,
  body text check (octet_length(body) <= 65536),
  created_at timestamptz not null default now(),
  primary key (wallet_id, id),
  constraint webhook_deliveries_name_their_subject check ((reference is null) = (subject_id is null))
)
partition by range (id);
comment on table webhook_deliveries is
  'owner: webhooks. One row for each event sent to an endpoint, written in the commit that made it happen.';
comment on column webhook_deliveries.wallet_id is 'The wallet.';
comment on column webhook_deliveries.id is
  'The wire''s delivery_id, the same on every attempt. Time-ordered (UUID version 7), made by the application.';
comment on column webhook_deliveries.endpoint_number is 'The endpoint that it goes to.';
comment on column webhook_deliveries.event is 'The event''s name: transaction.successful.';
comment on column webhook_deliveries.reference is
  'The merchant''s name of the purchase or bulk order. Null for events without one.';
comment on column webhook_deliveries.subject_id is 'The id of the purchase or bulk order. Null for events without one.';
comment on column webhook_deliveries.is_example is
  'The event was asked for to try out a receiver: it gets one attempt, and nothing happened in truth.';
comment on column webhook_deliveries.body is
  'The bytes that are signed and sent, as they were when the event happened. Null where an older release purged it.';
comment on column webhook_deliveries.created_at is 'When the event happened.';

-- A bulk order's end is sent to each endpoint once. Purchases need no index here, which every event would have to be
-- entered into: a purchase names the deliveries about its end itself (purchases.delivery_id).
create index webhook_deliveries_of_bulk_orders
  on webhook_deliveries (wallet_id, subject_id, endpoint_number)
  where event = 'bulk.completed';

create table webhook_attempts (
  wallet_id integer not null,
  id bigint not null,
  endpoint_number integer not null default 1,
  delivery_id uuid not null,
  attempt integer not null check (attempt > 0),
  event text not null,
  url text not null,
  url_version integer not null,
  successful boolean not null,
  http_status smallint check (http_status between 100 and 999),
  error text check (
    error in (
      'timeout', 'dns_error', 'connection_refused', 'connection_reset', 'tls_error', 'blocked_destination',
      'protocol_error'
    )
  ),
  error_detail text check (length(error_detail) <= 200),
  response_body text not null check (length(response_body) <= 500),
  duration_ms integer not null check (duration_ms >= 0),
  created_at timestamptz not null default now(),
  primary key (wallet_id, id, created_at),
  constraint webhook_attempts_say_what_happened check (http_status is not null or error is not null),
  constraint webhook_attempts_success_is_2xx check (
    not successful or (http_status between 200 and 299 and error is null)
  )
)
partition by range (created_at);
comment on table webhook_attempts is
  'owner: webhooks. The log of attempts: one row each, written when it ends, never changed, dropped with its month.';
comment on column webhook_attempts.wallet_id is 'The wallet.';
comment on column webhook_attempts.id is 'The number of the attempt in its log, from 1.';
comment on column webhook_attempts.endpoint_number is 'The endpoint that it went to.';
comment on column webhook_attempts.delivery_id is 'The delivery.';
comment on column webhook_attempts.attempt is 'Counts the delivery''s attempts from 1.';
comment on column webhook_attempts.event is 'The event''s name.';
comment on column webhook_attempts.url is
  'Where it was sent: the endpoint''s URL at that time, up to the question mark.';
comment on column webhook_attempts.url_version is
  'The version of the endpoint''s URL at the time: webhook_endpoints.url_version.';
comment on column webhook_attempts.successful is 'The receiver answered with 2xx.';
comment on column webhook_attempts.http_status is 'The status that it answered with. Null where no answer came.';
comment on column webhook_attempts.response_body is 'The first 500 characters of the answer.';
comment on column webhook_attempts.duration_ms is 'How long the attempt took.';
comment on column webhook_attempts.created_at is 'When it was recorded.';
comment on column webhook_attempts.error_detail is
  'More of why, in words for people: "the certificate has expired". Null where no more is known.';
comment on column webhook_attempts.error is 'Why no answer came, or why it was none. Null where the status says it.';

create index webhook_attempts_of_delivery on webhook_attempts (wallet_id, delivery_id, attempt);

create index webhook_attempts_filtered on webhook_attempts (wallet_id, endpoint_number, event, successful, id);

create table webhook_attempt_counts (
  wallet_id integer not null,
  endpoint_number integer not null default 1,
  event text not null,
  successful boolean not null,
  attempts bigint not null check (attempts >= 0),
  month date not null default date_trunc('month', now() at time zone 'UTC'),
  primary key (wallet_id, endpoint_number, event, successful, month)
)
partition by range (month);
comment on table webhook_attempt_counts is
  'owner: webhooks. How many attempts the log holds of each kind and month: exact totals without counting.';
comment on column webhook_attempt_counts.wallet_id is 'The wallet.';
comment on column webhook_attempt_counts.endpoint_number is 'The endpoint.';
comment on column webhook_attempt_counts.event is 'The event''s name.';
comment on column webhook_attempt_counts.successful is 'How the attempts ended.';
comment on column webhook_attempt_counts.attempts is 'How many there are.';
comment on column webhook_attempt_counts.month is 'The first day of the month (UTC) in which they were recorded.';

do $$
declare
  v_until constant timestamptz := date_trunc('month', now(), 'UTC') + interval '2 months';
  v_log record;
begin
  for v_log in
    select l.name, l.until, l.options
      from (
             values ('webhook_deliveries',
                     lpad(to_hex((extract(epoch from v_until) * 1000)::bigint), 12, '0') || repeat('0', 20), ''),
                    ('webhook_attempts', v_until::text, ''),
                    ('webhook_attempt_counts', (v_until at time zone 'UTC')::date::text,
                     'with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200)')
           ) as l (name, until, options)
  loop
    execute format(
      'create table %I partition of %I for values from (minvalue) to (%L) ' || v_log.options,
      v_log.name || '_first', v_log.name, v_log.until
    );
    execute format('create table %I partition of %I default', v_log.name || '_default', v_log.name);
  end loop;
end
$$;
comment on table webhook_deliveries_default is 'owner: webhooks. Deliveries of months that have no partition yet.';
comment on table webhook_attempts_default is 'owner: webhooks. Attempts of months that have no partition yet.';
comment on table webhook_attempt_counts_default is
  'owner: webhooks. Counts of attempts of months that have no partition yet.';

create type finished_attempt as (
  wallet_id integer,
  endpoint_number integer,
  delivery_id uuid,
  lane text,
  epoch integer,
  attempt integer,
  wait_ms integer,
  event text,
  successful boolean,
  http_status smallint,
  duration_ms integer,
  error text,
  error_detail text,
  response_body text,
  url text,
  url_version integer
);
comment on type finished_attempt is 'An attempt as finish_webhook_attempts takes it.';
comment on column finished_attempt.wallet_id is 'The wallet.';
comment on column finished_attempt.endpoint_number is 'The endpoint.';
comment on column finished_attempt.delivery_id is 'The delivery.';
comment on column finished_attempt.lane is 'The lane in which it was claimed.';
comment on column finished_attempt.epoch is 'The lease under which it was made.';
comment on column finished_attempt.attempt is 'Its number, from 1.';
comment on column finished_attempt.wait_ms is 'When to try again, in milliseconds from now. Null: never.';
comment on column finished_attempt.event is 'As in webhook_attempts.';
comment on column finished_attempt.successful is 'As in webhook_attempts.';
comment on column finished_attempt.http_status is 'As in webhook_attempts.';
comment on column finished_attempt.duration_ms is 'As in webhook_attempts.';
comment on column finished_attempt.error is 'As in webhook_attempts.';
comment on column finished_attempt.error_detail is 'As in webhook_attempts.';
comment on column finished_attempt.response_body is 'As in webhook_attempts.';
comment on column finished_attempt.url is 'As in webhook_attempts.';
comment on column finished_attempt.url_version is 'As in webhook_attempts.';
