-- Leases due deliveries of one lane and mode in turns: at most p_per_endpoint of each endpoint, beginning behind the
-- one given, so that nobody's backlog makes others wait. The lane is 'event'; 'manual', what somebody asked for by
-- hand; or 'slow', what waits for an endpoint that keeps others waiting. p_room says of endpoints whose earlier
-- deliveries the caller still holds how many more it takes: {"17/1": 3} for the first endpoint of merchant 17.
-- In the lane 'slow', an endpoint whose breaker is open gets nothing, one that it was open for gets a single delivery,
-- of both modes and whoever asks: the probe, which keeps the breaker open for as long as its lease. Of the other lanes
-- the caller is told how often in a row an endpoint has failed, and whose breaker is open.
-- Rows that are named by a join have their lane compared by = any (array) instead of =: else the order of the index
-- has merits for the planner, and while the statistics are those of an empty outbox, it takes reading all of it for
-- the cheapest way. For the same reason their lane and mode come from the rows that name them, not from a parameter.
-- The last row, without a delivery, says where to go on, unless fewer than p_endpoints_max endpoints were left: then
-- all had their turn.
-- writes: webhook_outbox, webhook_failing_endpoints
-- locks: the claimed rows, skipping those that another worker holds; then webhook_failing_endpoints of probes, in key
-- order.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function claim_webhook_deliveries(
  p_lane text,
  p_mode text,
  p_after_bucket smallint,
  p_after_merchant_id integer,
  p_after_endpoint_number integer,
  p_endpoints_max integer,
  p_per_endpoint integer,
  p_limit integer,
  p_lease_seconds integer,
  p_room jsonb
)
returns table (
  bucket smallint,
  merchant_id integer,
  endpoint_number integer,
  delivery_id uuid,
  epoch integer,
  attempts integer,
  is_probe boolean,
  failures integer,
  is_breaker_open boolean,
  event text,
  body text,
  is_example boolean,
  endpoints integer
)
language plpgsql
set enable_bitmapscan = off
set enable_sort = off
as $$
#variable_conflict use_column
begin
  return query
  with recursive turn as (
    (
      select o.bucket, o.merchant_id, o.endpoint_number, 1 as visited
        from webhook_outbox o
       where o.lane = p_lane
         and o.mode = p_mode
         and (o.bucket, o.merchant_id, o.endpoint_number)
               > (p_after_bucket, p_after_merchant_id, p_after_endpoint_number)
       order by o.bucket, o.merchant_id, o.endpoint_number
       limit 1
    )
    union all
    select n.bucket, n.merchant_id, n.endpoint_number, t.visited + 1
      from turn t
     cross join lateral (
             select o.bucket, o.merchant_id, o.endpoint_number
               from webhook_outbox o
              where o.lane = p_lane
                and o.mode = p_mode
                and (o.bucket, o.merchant_id, o.endpoint_number) > (t.bucket, t.merchant_id, t.endpoint_number)
              order by o.bucket, o.merchant_id, o.endpoint_number
              limit 1
           ) n
     where t.visited < p_endpoints_max
  ),
  due as (
    select p_lane as lane, d.bucket, d.merchant_id, p_mode as mode, d.endpoint_number, d.delivery_id, t.is_probe,
           t.failures, t.is_breaker_open, t.visited
      from (
             select n.*,
                    coalesce(f.failures, 0) as failures,
                    coalesce(f.open_until > now(), false) as is_breaker_open,
                    p_lane = 'slow' and f.open_until is not null as is_probe,
                    (p_room ->> (n.merchant_id || '/' || n.endpoint_number))::integer as room
               from turn n
               left join webhook_failing_endpoints f
                 on f.bucket = n.bucket and f.merchant_id = n.merchant_id and f.endpoint_number = n.endpoint_number
           ) t
     cross join lateral (
             select o.bucket, o.merchant_id, o.endpoint_number, o.delivery_id
               from webhook_outbox o
              where o.lane = p_lane
                and o.mode = p_mode
                and o.bucket = t.bucket
                and o.merchant_id = t.merchant_id
                and o.endpoint_number = t.endpoint_number
                and o.due_at <= now()
                and coalesce(o.leased_until <= now(), true)
                and not (t.is_probe and t.is_breaker_open)
              order by o.delivery_id
              limit case when t.is_probe then least(coalesce(t.room, 1), 1) else coalesce(t.room, p_per_endpoint) end
                for update skip locked
           ) d
     limit p_limit
  ),
  probe as (
    update webhook_failing_endpoints f
       set open_until = now() + make_interval(secs => p_lease_seconds)
      from (
             select d.bucket, d.merchant_id, d.endpoint_number,
                    (array_agg(d.delivery_id order by d.visited))[1] as delivery_id
               from due d
              where d.is_probe
              group by d.bucket, d.merchant_id, d.endpoint_number
              order by d.bucket, d.merchant_id, d.endpoint_number
           ) first
     where f.bucket = any (array[first.bucket])
       and f.merchant_id = first.merchant_id
       and f.endpoint_number = first.endpoint_number
       -- Looked at again where somebody else probes at this moment.
       and f.open_until <= now()
    returning f.bucket, f.merchant_id, f.endpoint_number, first.delivery_id
  ),
  claimed as (
    update webhook_outbox o
       set epoch = o.epoch + 1,
           leased_until = now() + make_interval(secs => p_lease_seconds)
      from (
             select d.lane, d.bucket, d.merchant_id, d.mode, d.endpoint_number, d.delivery_id, d.is_probe, d.failures,
                    d.is_breaker_open
               from due d
              where not d.is_probe
                 or exists (
                      select 1
                        from probe p
                       where p.bucket = d.bucket
                         and p.merchant_id = d.merchant_id
                         and p.endpoint_number = d.endpoint_number
                         and p.delivery_id = d.delivery_id
                    )
           ) c
     where o.lane = any (array[c.lane])
       and o.bucket = c.bucket
       and o.merchant_id = c.merchant_id
       and o.mode = c.mode
       and o.endpoint_number = c.endpoint_number
       and o.delivery_id = c.delivery_id
    returning o.bucket, o.merchant_id, o.endpoint_number, o.delivery_id, o.epoch, o.attempts, c.is_probe, c.failures,
              c.is_breaker_open
  )
  select c.bucket, c.merchant_id, c.endpoint_number, c.delivery_id, c.epoch, c.attempts, c.is_probe, c.failures,
         c.is_breaker_open, d.event, d.body, d.is_example, 0
    from claimed c
    join webhook_deliveries d
      on d.bucket = c.bucket and d.merchant_id = c.merchant_id and d.mode = p_mode and d.id = c.delivery_id
   union all
  select t.bucket, t.merchant_id, t.endpoint_number, null, 0, 0, false, 0, false, '', null, false, stop.endpoints
    from (
           -- Where the limit was reached, the endpoints behind have not had their turn.
           select case when count(*) >= p_limit then max(d.visited) else (select max(m.visited) from turn m) end as at,
                  case when count(*) >= p_limit then p_endpoints_max else (select max(m.visited) from turn m) end
                    as endpoints
             from due d
         ) stop
   cross join lateral (
           -- No endpoint behind it is looked for.
           select m.bucket, m.merchant_id, m.endpoint_number
             from turn m
            where m.visited = stop.at
            limit 1
         ) t;
end
$$;
