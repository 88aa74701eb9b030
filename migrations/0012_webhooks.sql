-- Webhooks: a merchant's endpoints, its events, the deliveries still to be made, and the outcome of each attempt.
-- A delivery (its frozen body above all) is written once and kept; what is owed is a small row that is leased, put off
-- and deleted: measured with both in one table, claiming and finishing one cost 2.3 times as much.

-- A merchant may have up to five endpoints. What is owed, tried and known of failures belongs to an endpoint, so that
-- one that is down holds up no other.
create table webhook_endpoints (
  merchant_id integer not null,
  endpoint_number integer not null default 1 check (endpoint_number > 0),
  mode text not null default 'both' check (mode in ('live', 'test', 'both')),
  url text check (length(url) between 1 and 2048),
  -- People put tokens there.
  url_query text,
  url_version integer not null default 1,
  description text check (length(description) <= 200),
  events text[] not null default '{*}' check (cardinality(events) > 0),
  notify text not null default 'changes' check (notify in ('changes', 'all')),
  secret text,
  secret_hint text,
  previous_secret text,
  previous_secret_expires_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing')),
  -- Deliveries to a removed endpoint keep its number.
  last_endpoint_number integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (merchant_id, endpoint_number),
  constraint webhook_endpoints_url_has_secret check ((url is null) = (secret is null)),
  constraint webhook_endpoints_query_has_url check (url_query is null or url is not null),
  constraint webhook_endpoints_secret_has_hint check ((secret is null) = (secret_hint is null)),
  constraint webhook_endpoints_previous_secret_expires check (
    (previous_secret is null) = (previous_secret_expires_at is null)
  ),
  constraint webhook_endpoints_previous_before_present check (previous_secret is null or secret is not null),
  constraint webhook_endpoints_disabled_says_why check ((disabled_at is null) = (disabled_reason is null))
);
comment on table webhook_endpoints is
  'owner: webhooks. Where a merchant wants its events, for both modes. Number 1 is the one of PUT /webhook.';
comment on column webhook_endpoints.merchant_id is 'The merchant.';
comment on column webhook_endpoints.endpoint_number is
  'The number of the endpoint. A number is never given to another endpoint of its merchant.';
comment on column webhook_endpoints.mode is 'The mode whose events are sent: live, test or both.';
comment on column webhook_endpoints.url is
  'Up to the question mark. Null: no webhook is set; its other settings are remembered.';
comment on column webhook_endpoints.url_query is
  'The URL from its question mark on, sealed like a secret. Null where it has none.';
comment on column webhook_endpoints.url_version is
  'Counts the URLs that were set. An attempt names the one that it went to, so that the log can show its query.';
comment on column webhook_endpoints.description is 'The merchant''s own words.';
comment on column webhook_endpoints.events is 'Names of events; ''*'' alone is all of them.';
comment on column webhook_endpoints.notify is
  'changes: ends of purchases that were answered as pending. all: also what was final in its own response.';
comment on column webhook_endpoints.secret is
  'Signs each delivery. Sealed (platform/sealing/secret-box.ts): the text begins with the id of the sealing key.';
comment on column webhook_endpoints.secret_hint is 'The secret''s last characters, by which a person tells two apart.';
comment on column webhook_endpoints.previous_secret is
  'The one before the last rotation, sealed: it signs as well, until it expires.';
comment on column webhook_endpoints.previous_secret_expires_at is 'When the previous secret stops signing.';
comment on column webhook_endpoints.disabled_at is
  'When the endpoint was switched off: no event is sent. Null: it is on.';
comment on column webhook_endpoints.disabled_reason is
  'merchant: switched off by hand; gone: it answered 410; failing: it failed for days.';
comment on column webhook_endpoints.last_endpoint_number is
  'In the row of number 1, which is made with the first endpoint: the highest number given so far.';
comment on column webhook_endpoints.updated_at is 'When the merchant last changed it.';

create table webhook_failing_endpoints (
  merchant_id integer not null,
  endpoint_number integer not null default 1,
  failing_since timestamptz not null default now(),
  last_failed_at timestamptz not null default now(),
  open_until timestamptz,
  opened integer not null default 0 check (opened >= 0),
  noticed_at timestamptz,
  primary key (merchant_id, endpoint_number)
)
with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
comment on table webhook_failing_endpoints is
  'owner: webhooks. Endpoints that have failed and not succeeded since, one row each: the first success deletes it.';
comment on column webhook_failing_endpoints.merchant_id is 'The merchant.';
comment on column webhook_failing_endpoints.endpoint_number is 'The endpoint.';
comment on column webhook_failing_endpoints.failing_since is 'The time of the first failure since the last success.';
comment on column webhook_failing_endpoints.last_failed_at is 'The time of the last failure.';
comment on column webhook_failing_endpoints.open_until is
  'The breaker: nothing is sent before, then one attempt alone. Null: it is closed.';
comment on column webhook_failing_endpoints.opened is
  'How often the breaker opened in a row: each time it stays open for twice as long.';
comment on column webhook_failing_endpoints.noticed_at is
  'When the operator''s log got the notice that the endpoint will be switched off.';

create table webhook_outbox (
  wallet_id integer not null,
  endpoint_number integer not null default 1,
  delivery_id uuid not null,
  -- event: due now. manual: somebody asked for it (test, resend) and waits; it does not stand behind a backlog of
  -- events. later: waits for its next attempt, and joins the events when its time has come. postponed: waits for an
  -- endpoint that keeps others waiting, or whose breaker is open. So a search for due work passes no endpoint that only
  -- waits: ten thousand dead ones would cost fifty milliseconds a look.
  lane text not null default 'event' check (lane in ('event', 'manual', 'later', 'postponed')),
  due_at timestamptz not null default now(),
  -- In no index, so that a claim is a heap-only update.
  leased_until timestamptz,
  -- The recorder of an attempt must match epoch and attempts both: a row that was deleted and made again (resend)
  -- starts a new epoch, but never the same number of attempts.
  epoch integer not null default 0,
  attempts integer not null default 0 check (attempts >= 0),
  -- Lane by lane, and by wallet, so that a sandbox with thousands of endpoints costs live deliveries nothing. Then by
  -- endpoint: due work is found endpoint by endpoint, in turns, so that the backlog of one is never read to get past
  -- it; within one by id, which is the order of their making. Each wallet's newest entries lie on a page of their own,
  -- so that entering an event into the index is mostly waiting for memory. That a delivery stands in one lane only is
  -- not the index's doing. Rows are made for new deliveries, and for old ones under the lock of their wallet's
  -- webhook_logs row alone (resend_webhook_delivery, recover_webhook_deliveries).
  primary key (lane, wallet_id, endpoint_number, delivery_id)
)
with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
comment on table webhook_outbox is
  'owner: webhooks. Exactly the deliveries that still get an attempt, now or later.';
comment on column webhook_outbox.wallet_id is 'The wallet.';
comment on column webhook_outbox.endpoint_number is 'The endpoint that it goes to.';
comment on column webhook_outbox.delivery_id is 'The delivery.';
comment on column webhook_outbox.lane is 'What it waits for: event, manual, later or postponed.';
comment on column webhook_outbox.due_at is 'When the next attempt may begin.';
comment on column webhook_outbox.leased_until is
  'An attempt is under way until then, unless its worker died. Null: none is.';
comment on column webhook_outbox.epoch is 'Raised by every claim.';
comment on column webhook_outbox.attempts is 'Attempts made so far; the next one''s number is one more.';

create index webhook_outbox_later on webhook_outbox (due_at) where lane = 'later';

create table webhook_logs (
  wallet_id integer not null,
  last_id bigint not null default 0,
  primary key (wallet_id)
)
with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
comment on table webhook_logs is
  'owner: webhooks. One row a wallet, made with the first endpoint: numbers the log, and is its lock.';
comment on column webhook_logs.wallet_id is 'The wallet.';
comment on column webhook_logs.last_id is
  'The number of the last attempt: attempts are numbered without gaps, 1 … last_id.';

create table catalogue_round (
  is_only boolean primary key default true check (is_only),
  up_to_id bigint,
  merchant_id integer not null default 0
);
comment on table catalogue_round is
  'owner: webhooks. One row: how far the events of catalogue changes got. The holder of its lock may send them.';
comment on column catalogue_round.is_only is 'Always true: the table has one row.';
comment on column catalogue_round.up_to_id is
  'The last of the catalogue_changes that are being sent as events. Null while none is.';
comment on column catalogue_round.merchant_id is
  'The last merchant that got its event, in the order of their numbers; 0 before the first.';
insert into catalogue_round (is_only) values (true);
