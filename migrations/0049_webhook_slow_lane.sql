-- Live and sandbox are claimed apart, so that a sandbox with thousands of endpoints costs live deliveries nothing. The
-- lane 'slow' holds what waits for an endpoint that keeps a place for long, or is not known to answer, until there is a
-- place for such: nobody walks over it on the way to what can be sent at once.
alter table webhook_outbox
  drop constraint webhook_outbox_lane_check,
  add constraint webhook_outbox_lane_check check (lane in ('event', 'manual', 'later', 'slow')),
  drop constraint webhook_outbox_pkey,
  add constraint webhook_outbox_pkey primary key (lane, mode, bucket, merchant_id, endpoint_number, delivery_id);

alter table webhook_failing_endpoints
  -- Since the last success. Who failed once is not taken for an endpoint that keeps others waiting.
  add column failures integer not null default 1 check (failures > 0);

-- The walk has another order from now on, and is told of the mode.
drop function if exists claim_webhook_deliveries(
  text, smallint, integer, text, integer, integer, integer, integer, integer, jsonb
);
