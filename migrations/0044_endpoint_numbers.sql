-- A merchant may have several webhook endpoints. Each has a number; number 1 is the one of PUT /webhook. What is owed,
-- tried and known of failures belongs to an endpoint, so that one that is down holds up no other.

alter table webhook_endpoints
  add column endpoint_number integer not null default 1 check (endpoint_number > 0),
  drop constraint webhook_endpoints_pkey,
  add constraint webhook_endpoints_pkey primary key (bucket, merchant_id, endpoint_number);
comment on table webhook_endpoints is
  'owner: webhooks. Where a merchant wants its events, for both modes. Number 1 is the one of PUT /webhook.';

alter table webhook_failing_endpoints
  add column endpoint_number integer not null default 1,
  drop constraint webhook_failing_endpoints_pkey,
  add constraint webhook_failing_endpoints_pkey primary key (bucket, merchant_id, endpoint_number);

alter table webhook_deliveries
  -- Where it goes. A number is never given to another endpoint of its merchant.
  add column endpoint_number integer not null default 1;

alter table webhook_outbox
  add column endpoint_number integer not null default 1,
  drop constraint webhook_outbox_pkey,
  add constraint webhook_outbox_pkey primary key (lane, bucket, merchant_id, mode, endpoint_number, delivery_id);

alter table webhook_attempts
  add column endpoint_number integer not null default 1;

drop index webhook_attempts_filtered;
create index webhook_attempts_filtered
  on webhook_attempts (bucket, merchant_id, mode, endpoint_number, event, successful, id);

alter table webhook_attempt_counts
  add column endpoint_number integer not null default 1,
  drop constraint webhook_attempt_counts_pkey,
  add constraint webhook_attempt_counts_pkey
    primary key (bucket, merchant_id, mode, endpoint_number, event, successful);

-- These take the endpoint's number, or answer it, from now on.
drop function if exists claim_webhook_deliveries(
  text, smallint, integer, text, integer, integer, integer, integer, jsonb
);
drop function if exists finish_webhook_attempts(
  smallint[], integer[], text[], uuid[], text[], integer[], integer[], integer[], text[], boolean[], smallint[],
  integer[], text[], text[], text[]
);
drop function if exists note_webhook_outcomes(smallint[], integer[], boolean[], bigint[]);
drop function if exists record_webhook_attempts(
  smallint[], integer[], text[], uuid[], integer[], text[], boolean[], smallint[], integer[], text[], text[], text[]
);
drop function if exists resend_webhook_delivery(smallint, integer, text, uuid);
