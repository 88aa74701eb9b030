-- Leases due deliveries of one lane in turns: at most p_per_lane of each endpoint and mode, beginning behind the one
-- given, so that nobody's backlog makes others wait. p_lane is 'event', or 'manual': what somebody asked for by hand.
-- p_held says of endpoints whose earlier deliveries the caller still holds how many more it takes: {"17/1": 3} for
-- the first endpoint of merchant 17. An endpoint whose breaker is open gets no events, one that it was open for gets a
-- single one, of both modes and whoever asks: the probe, which keeps the breaker open for as long as its lease. What
-- was asked for by hand waits for none.
-- Rows that are named by a join have their lane compared by = any (array) instead of =: else the order of the index
-- has merits for the planner, and while the statistics are those of an empty outbox, it takes reading all of it for
-- the cheapest way.
-- The last row, without a delivery, says where to go on, unless fewer than p_lanes_max lanes were left: then all had
-- their turn.
-- writes: webhook_outbox, webhook_failing_endpoints
-- locks: the claimed rows, skipping those that another worker holds; then webhook_failing_endpoints of probes, in key
-- order.

-- Until it took one lane at a time.
drop function if exists claim_webhook_deliveries(
  smallint, integer, text, integer, integer, integer, integer, integer, jsonb
);

create or replace function claim_webhook_deliveries(
  p_lane text,
  p_after_bucket smallint,
  p_after_merchant_id integer,
  p_after_mode text,
  p_after_endpoint_number integer,
  p_lanes_max integer,
  p_per_lane integer,
  p_limit integer,
  p_lease_seconds integer,
  p_held jsonb
)
returns table (
  bucket smallint,
  merchant_id integer,
  mode text,
  endpoint_number integer,
  delivery_id uuid,
  epoch integer,
  attempts integer,
  lane text,
  is_probe boolean,
  event text,
  body text,
  is_example boolean,
  lanes integer
)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
#variable_conflict use_column
begin
  return query
  with recursive turn as (
    (
      select o.bucket, o.merchant_id, o.mode, o.endpoint_number, 1 as visited
        from webhook_outbox o
       where o.lane = p_lane
         and (o.bucket, o.merchant_id, o.mode, o.endpoint_number)
               > (p_after_bucket, p_after_merchant_id, p_after_mode, p_after_endpoint_number)
       order by o.bucket, o.merchant_id, o.mode, o.endpoint_number
       limit 1
    )
    union all
    select n.bucket, n.merchant_id, n.mode, n.endpoint_number, t.visited + 1
      from turn t
     cross join lateral (
             select o.bucket, o.merchant_id, o.mode, o.endpoint_number
               from webhook_outbox o
              where o.lane = p_lane
                and (o.bucket, o.merchant_id, o.mode, o.endpoint_number)
                      > (t.bucket, t.merchant_id, t.mode, t.endpoint_number)
              order by o.bucket, o.merchant_id, o.mode, o.endpoint_number
              limit 1
           ) n
     where t.visited < p_lanes_max
  ),
  due as (
    select p_lane as lane, d.bucket, d.merchant_id, d.mode, d.endpoint_number, d.delivery_id,
           f.open_until is not null as is_probe, t.visited
      from (
             select n.*, (p_held ->> (n.merchant_id || '/' || n.endpoint_number))::integer as room
               from turn n
           ) t
      left join webhook_failing_endpoints f
        on p_lane = 'event' and f.bucket = t.bucket and f.merchant_id = t.merchant_id
       and f.endpoint_number = t.endpoint_number
     cross join lateral (
             select o.bucket, o.merchant_id, o.mode, o.endpoint_number, o.delivery_id
               from webhook_outbox o
              where o.lane = p_lane
                and o.bucket = t.bucket
                and o.merchant_id = t.merchant_id
                and o.mode = t.mode
                and o.endpoint_number = t.endpoint_number
                and o.due_at <= now()
                and coalesce(o.leased_until <= now(), true)
                and coalesce(f.open_until <= now(), true)
              order by o.delivery_id
              limit case when f.open_until is null then coalesce(t.room, p_per_lane)
                         else least(coalesce(t.room, 1), 1) end
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
             select d.lane, d.bucket, d.merchant_id, d.mode, d.endpoint_number, d.delivery_id, d.is_probe
               from due d
              where not d.is_probe
                 or exists (
                      select 1
                        from probe p
                       where p.bucket = d.bucket and p.merchant_id = d.merchant_id
                         and p.endpoint_number = d.endpoint_number and p.delivery_id = d.delivery_id
                    )
           ) c
     where o.lane = any (array[c.lane])
       and o.bucket = c.bucket
       and o.merchant_id = c.merchant_id
       and o.mode = c.mode
       and o.endpoint_number = c.endpoint_number
       and o.delivery_id = c.delivery_id
    returning o.bucket, o.merchant_id, o.mode, o.endpoint_number, o.delivery_id, o.epoch, o.attempts, o.lane, c.is_probe
  )
  select c.bucket, c.merchant_id, c.mode, c.endpoint_number, c.delivery_id, c.epoch, c.attempts, c.lane,
         c.is_probe, d.event, d.body, d.is_example, 0
    from claimed c
    join webhook_deliveries d
      on d.bucket = c.bucket and d.merchant_id = c.merchant_id and d.mode = c.mode and d.id = c.delivery_id
   union all
  select t.bucket, t.merchant_id, t.mode, t.endpoint_number, null, 0, 0, p_lane, false, '', null, false, stop.lanes
    from (
           -- Where the limit was reached, the lanes behind have not had their turn.
           select case when count(*) >= p_limit then max(d.visited) else (select max(m.visited) from turn m) end as at,
                  case when count(*) >= p_limit then p_lanes_max else (select max(m.visited) from turn m) end as lanes
             from due d
         ) stop
   cross join lateral (
           -- No lane behind it is looked for.
           select m.bucket, m.merchant_id, m.mode, m.endpoint_number
             from turn m
            where m.visited = stop.at
            limit 1
         ) t;
end
$$;
