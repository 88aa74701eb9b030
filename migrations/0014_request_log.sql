-- The request log: what merchants' programs asked and were answered, for 30 days. Rows come in batches beside the
-- requests, up to 500 a second and process, so a commit of a purchase never waits for one. What is secret is left out
-- of them and customers' numbers are masked, before they are stored. It is kept in months, as the webhook log is.

create table request_log (
  wallet_id integer not null,
  at timestamptz not null,
  number integer not null,
  method text not null,
  endpoint text not null,
  path text not null check (length(path) <= 500),
  status smallint check (status between 100 and 999),
  code text collate "C",
  duration_ms integer not null check (duration_ms >= 0),
  key_id integer,
  address inet,
  request_id text collate "C" not null check (length(request_id) <= 100),
  is_request_id_sent boolean not null,
  reference text collate "C" check (length(reference) <= 100),
  purchase_id bigint,
  body text check (octet_length(body) <= 4096),
  -- Newest first is a walk down this key; the other filters look at what they pass on it, up to a bound.
  primary key (wallet_id, at, number)
)
partition by range (at);
comment on table request_log is
  'owner: request-log. One row for a request whose key was known, written within a second or two of its answer.';
comment on column request_log.wallet_id is 'The wallet.';
comment on column request_log.at is 'When it was answered, or its client had left. It came duration_ms earlier.';
comment on column request_log.number is
  'Tells the requests of one millisecond apart. Counted by each process, from a number drawn at its start.';
comment on column request_log.method is 'The HTTP method.';
comment on column request_log.endpoint is
  'The route''s pattern: /api/v1/merchant/transactions/:reference. none where there is no route.';
comment on column request_log.path is
  'The path and query as they were sent, without secrets and customers'' numbers; the first 500 characters.';
comment on column request_log.status is 'The status of the answer. Null where the client left before it was out.';
comment on column request_log.code is
  'The code of a refusal, or why the purchase failed. CLIENT_LEFT where the client left. Null after a success.';
comment on column request_log.duration_ms is 'Milliseconds from the request''s head to the last byte of its answer.';
comment on column request_log.key_id is
  'The key that it came with, let in or not: api_keys.id. Null: a member sent it from the console.';
comment on column request_log.address is 'Where it came from. Null where that was not readable.';
comment on column request_log.request_id is 'What X-Request-Id of the answer says.';
comment on column request_log.is_request_id_sent is
  'The client chose the id: it is found by an index. An id of ours holds its time, by which its row is found.';
comment on column request_log.reference is
  'The merchant''s name of the purchase or bulk order, as sent in the body or path or as made for it.';
comment on column request_log.purchase_id is
  'The purchase that the answer tells of: purchases.id. It may be purged since.';
comment on column request_log.body is
  'The body as JSON, secrets left out, customers'' numbers masked, cut at 4 KiB. Null where none was read.';

-- Requests that failed, code by code: a rare one is found among millions of others. Successes are not in it.
create index request_log_by_code
  on request_log (wallet_id, code, at, number)
  where code is not null;

-- A transaction's timeline begins with the request that made it.
create index request_log_by_reference
  on request_log (wallet_id, reference, at, number)
  where reference is not null;

-- Empty where clients choose no ids of their own.
create index request_log_by_sent_id
  on request_log (wallet_id, request_id, at, number)
  where is_request_id_sent;

create table request_error_days (
  wallet_id integer not null,
  day date not null,
  endpoint text collate "C" not null,
  code text collate "C" not null,
  requests bigint not null check (requests > 0),
  not_kept bigint not null default 0 check (not_kept between 0 and requests),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (wallet_id, day, endpoint, code)
)
partition by range (day);
comment on table request_error_days is
  'owner: request-log. How often each error was answered on each day, counted in the statement that logs the requests.';
comment on column request_error_days.wallet_id is 'The wallet.';
comment on column request_error_days.day is 'The day in the deployment''s time zone.';
comment on column request_error_days.endpoint is 'As request_log.endpoint.';
comment on column request_error_days.code is 'As request_log.code.';
comment on column request_error_days.requests is
  'How many requests were answered so, with a row in the log or without one.';
comment on column request_error_days.not_kept is
  'How many of these requests have no row in the log: too many came in a second, or the database was away.';
comment on column request_error_days.first_at is 'The first of them on that day.';
comment on column request_error_days.last_at is 'The last of them on that day.';

do $$
declare
  v_until constant timestamptz := date_trunc('month', now(), 'UTC') + interval '2 months';
  v_log record;
begin
  for v_log in
    select l.name, l.until, l.options
      from (
             values ('request_log', v_until::text, 'with (autovacuum_vacuum_scale_factor = 0.05)'),
                    ('request_error_days', v_until::date::text,
                     'with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200)')
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
comment on table request_log_default is 'owner: request-log. Requests of months that have no partition yet.';
comment on table request_error_days_default is
  'owner: request-log. Counts of errors of months that have no partition yet.';
