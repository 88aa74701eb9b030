-- Webhooks: where a merchant wants them, what happened for it, what is still owed, and what became of each attempt.
--
-- A delivery (its frozen body above all) is written once and kept; what is owed is a small row that is leased, put off
-- and deleted. Measured over 60,000 deliveries with a body of 1.3 kB: with both in one table, claiming and finishing
-- one took 385 µs and wrote 5.4 kB of log, in two tables 164 µs and 2.0 kB; the one table grew to twice the size.

alter table revisions
  drop constraint revisions_subject_check,
  -- Of its own: a merchant who changes its webhook a hundred times a minute makes nobody forget API keys.
  add constraint revisions_subject_check check (subject in ('merchants', 'catalogue', 'webhooks'));
insert into revisions (subject) values ('webhooks');

create table webhook_endpoints (
  bucket smallint not null,
  merchant_id integer not null,
  -- Null: no webhook is set. Its other settings are remembered.
  url text check (length(url) between 1 and 2048),
  -- Names of events; '*' alone is all of them.
  events text[] not null default '{*}' check (cardinality(events) > 0),
  notify text not null default 'changes' check (notify in ('changes', 'all')),
  -- Sealed (platform/secret-box.ts): the text begins with the id of the key that it is sealed under.
  secret text,
  -- The secret's last characters, by which a person tells two apart.
  secret_hint text,
  -- The one before the last rotation: it signs as well, until it expires.
  previous_secret text,
  previous_secret_expires_at timestamptz,
  -- Set: no event is sent. merchant: switched off by hand; gone: it answered 410; failing: it failed for days.
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing')),
  updated_at timestamptz not null default now(),
  primary key (bucket, merchant_id),
  constraint webhook_endpoints_url_has_secret check ((url is null) = (secret is null)),
  constraint webhook_endpoints_secret_has_hint check ((secret is null) = (secret_hint is null)),
  constraint webhook_endpoints_previous_secret_expires check (
    (previous_secret is null) = (previous_secret_expires_at is null)
  ),
  constraint webhook_endpoints_previous_before_present check (previous_secret is null or secret is not null),
  constraint webhook_endpoints_disabled_says_why check ((disabled_at is null) = (disabled_reason is null))
);
comment on table webhook_endpoints is
  'owner: webhooks. Where a merchant wants its events, one row for both modes; made when the first URL is set.';

create table webhook_deliveries (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null check (mode in ('live', 'test')),
  -- The wire's delivery_id, the same on every attempt. Time-ordered (UUID version 7), made by the application.
  id uuid not null,
  event text not null,
  -- Of the purchase or bulk order; null for events without one.
  reference text collate "C",
  -- Id of the purchase or bulk order; null for events without one.
  subject_id bigint,
  -- The bytes that are signed and sent, as they were when the event happened. Null once purged.
  body text check (octet_length(body) <= 65536),
  created_at timestamptz not null default now(),
  primary key (bucket, merchant_id, mode, id),
  constraint webhook_deliveries_name_their_subject check ((reference is null) = (subject_id is null))
);
comment on table webhook_deliveries is
  'owner: webhooks. One row an event that was owed to a merchant, written in the commit that made it happen.';

-- One event of a kind for each purchase. The reference stands before the subject so that the log finds deliveries by
-- it; it follows from the subject, so the key is no weaker for it. Partial, so that a planner without statistics cannot
-- take it for the primary key's columns, whose lookups would then read all of a merchant's deliveries.
create unique index webhook_deliveries_once
  on webhook_deliveries (bucket, merchant_id, mode, reference, subject_id, event)
  where reference is not null;

create table webhook_outbox (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  delivery_id uuid not null,
  due_at timestamptz not null default now(),
  -- An attempt is under way until then, unless its worker died. In no index, so that a claim is a heap-only update.
  leased_until timestamptz,
  -- Raised by every claim. Whoever records an attempt must match epoch and attempts both: a row that was deleted and
  -- made again (resend) starts a new epoch, but never the same number of attempts.
  epoch integer not null default 0,
  -- Made so far; the next one's number is one more.
  attempts integer not null default 0 check (attempts >= 0),
  -- manual: somebody asked for it (test, resend) and waits; it does not stand behind a backlog of events.
  lane text not null default 'event' check (lane in ('event', 'manual')),
  primary key (bucket, merchant_id, mode, delivery_id)
)
with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
comment on table webhook_outbox is
  'owner: webhooks. Exactly the deliveries that are owed an attempt, now or later.';

-- By merchant first: what is due is found merchant by merchant, in turns, so that the backlog of one is never read to
-- get past it. A merchant's oldest due row is the first of its range.
create index webhook_outbox_due on webhook_outbox (bucket, merchant_id, mode, due_at);

create table webhook_logs (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  -- Number of the last attempt: attempts are numbered without gaps, 1 … last_id.
  last_id bigint not null default 0,
  primary key (bucket, merchant_id, mode)
)
with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
comment on table webhook_logs is
  'owner: webhooks. One row a merchant and mode, made with its endpoint: numbers the log, and is its lock.';

create table webhook_attempts (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  id bigint not null,
  delivery_id uuid not null,
  attempt integer not null check (attempt > 0),
  event text not null,
  successful boolean not null,
  http_status smallint check (http_status between 100 and 999),
  duration_ms integer not null check (duration_ms >= 0),
  error text check (
    error in (
      'timeout', 'dns_error', 'connection_refused', 'connection_reset', 'tls_error', 'blocked_destination',
      'protocol_error'
    )
  ),
  response_body text not null check (length(response_body) <= 500),
  -- Where it was sent: the endpoint's URL at that time.
  url text not null,
  created_at timestamptz not null default now(),
  primary key (bucket, merchant_id, mode, id),
  -- Also finds a delivery's attempts, and is what a second holder of one attempt runs into.
  constraint webhook_attempts_once unique (bucket, merchant_id, mode, delivery_id, attempt),
  constraint webhook_attempts_say_what_happened check (http_status is not null or error is not null),
  constraint webhook_attempts_success_is_2xx check (
    not successful or (http_status between 200 and 299 and error is null)
  )
);
comment on table webhook_attempts is
  'owner: webhooks. The delivery log: one row an attempt, written when it ends. Insert-only.';

create index webhook_attempts_filtered on webhook_attempts (bucket, merchant_id, mode, event, successful, id);

create table webhook_attempt_counts (
  bucket smallint not null,
  merchant_id integer not null,
  mode text not null,
  event text not null,
  successful boolean not null,
  attempts bigint not null check (attempts >= 0),
  primary key (bucket, merchant_id, mode, event, successful)
)
with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
comment on table webhook_attempt_counts is
  'owner: webhooks. How many attempts the log holds of each kind: exact totals for paging without counting.';
