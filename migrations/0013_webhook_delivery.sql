-- Sending what is owed: in which order rows are claimed, and which endpoints answer nothing but failures.

alter table webhook_outbox
  drop constraint webhook_outbox_lane_check,
  -- later: waits for its next attempt. It joins the events when its time has come, so that whoever looks for due work
  -- passes no merchant who only waits: ten thousand dead endpoints would cost fifty milliseconds a look.
  add constraint webhook_outbox_lane_check check (lane in ('event', 'manual', 'later'));

drop index webhook_outbox_due;

-- One index for each lane, so that a manual attempt never stands behind a backlog. By merchant first: due work is found
-- merchant by merchant, in turns; within one, in the order in which it happened.
create index webhook_outbox_due on webhook_outbox (bucket, merchant_id, mode, due_at, delivery_id)
  where lane = 'event';
create index webhook_outbox_manual on webhook_outbox (bucket, due_at)
  where lane = 'manual';
create index webhook_outbox_later on webhook_outbox (bucket, due_at)
  where lane = 'later';

create table webhook_failing_endpoints (
  bucket smallint not null,
  merchant_id integer not null,
  failing_since timestamptz not null default now(),
  last_failed_at timestamptz not null default now(),
  -- The breaker: nothing is sent before, then one attempt alone.
  open_until timestamptz,
  -- How often it opened in a row: each time it stays open for twice as long.
  opened integer not null default 0 check (opened >= 0),
  -- When the operator's log was told that the endpoint will be switched off.
  noticed_at timestamptz,
  primary key (bucket, merchant_id)
)
with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
comment on table webhook_failing_endpoints is
  'owner: webhooks. Endpoints that have failed and not succeeded since, one row each: the first success deletes it.';
