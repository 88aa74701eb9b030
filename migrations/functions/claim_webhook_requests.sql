-- Carries out requests of a worker by one round trip, one after the other: see claim_webhook_deliveries. Most lanes are
-- empty, and a look is cheaper than that function. Each row says whose it is: requests count from 1.
-- writes: none
-- calls: claim_webhook_deliveries
-- locks: as that function.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function claim_webhook_requests(
  p_lanes text[],
  p_after_wallet_ids integer[],
  p_after_endpoint_numbers integer[],
  p_last_wallet_ids integer[],
  p_per_endpoint integer[],
  p_limits integer[],
  p_rooms jsonb,
  p_endpoints_max integer,
  p_lease_seconds integer
)
returns table (
  request integer,
  wallet_id integer,
  endpoint_number integer,
  delivery_id uuid,
  epoch integer,
  attempts integer,
  is_failing boolean,
  is_breaker_open boolean,
  is_probe boolean,
  event text,
  body text,
  is_example boolean
)
language plpgsql
as $$
#variable_conflict use_column
begin
  for v_request in 1 .. cardinality(p_lanes) loop
    perform 1
       from webhook_outbox o
      where o.lane = p_lanes[v_request]
        and o.wallet_id between p_after_wallet_ids[v_request] and p_last_wallet_ids[v_request]
      limit 1;
    continue when not found;
    return query
    select v_request, c.*
      from claim_webhook_deliveries(
             p_lanes[v_request], p_after_wallet_ids[v_request], p_after_endpoint_numbers[v_request],
             p_last_wallet_ids[v_request], p_endpoints_max, p_per_endpoint[v_request], p_limits[v_request],
             p_lease_seconds, p_rooms -> (v_request - 1)
           ) c;
  end loop;
end
$$;
