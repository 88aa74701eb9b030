-- Leases due deliveries of one lane, and of wallets up to p_last_wallet_id, in turns: at most p_per_endpoint of each
-- endpoint, beginning behind the one given, so that nobody's backlog makes others wait. The lane is 'event'; 'manual',
-- what somebody asked for by hand; or 'postponed'. p_room says of endpoints in work how many the caller takes instead:
-- {"17/1": 3} for the first endpoint of merchant 17.
-- Of each the caller is told whether its endpoint has failed since it last succeeded, and whether its breaker opened
-- meanwhile: such events are to be postponed. Of what is postponed for such an endpoint nothing is claimed while the
-- breaker is open, then a single one, of both modes and whoever asks: the probe, which keeps the breaker open for as
-- long as its lease.
-- Where rows of the outbox are named by a join, the lane is compared by = any (array[…]): while its statistics are
-- those of an empty outbox, the planner would read all of it (test: outbox-plans). For the same reason the lane comes
-- from the rows that name them, not from the parameter.
-- A last row, without a delivery, names the endpoint behind which to go on. There is none where all had their turn.
-- writes: webhook_outbox, webhook_failing_endpoints
-- locks: the claimed rows, skipping those that another worker holds; then webhook_failing_endpoints of probes, in key
-- order.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function claim_webhook_deliveries(
  p_lane text,
  p_after_wallet_id integer,
  p_after_endpoint_number integer,
  p_last_wallet_id integer,
  p_endpoints_max integer,
  p_per_endpoint integer,
  p_limit integer,
  p_lease_seconds integer,
  p_room jsonb
)
returns table (
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
set enable_bitmapscan = off
set enable_sort = off
as $$
#variable_conflict use_column
begin
  return query
  with recursive turn as (
    (
      select o.wallet_id, o.endpoint_number, 1 as visited
        from webhook_outbox o
       where o.lane = p_lane
         and (o.wallet_id, o.endpoint_number) > (p_after_wallet_id, p_after_endpoint_number)
         and o.wallet_id <= p_last_wallet_id
       order by o.wallet_id, o.endpoint_number
       limit 1
    )
    union all
    select n.wallet_id, n.endpoint_number, t.visited + 1
      from turn t
     cross join lateral (
             select o.wallet_id, o.endpoint_number
               from webhook_outbox o
              where o.lane = p_lane
                and (o.wallet_id, o.endpoint_number) > (t.wallet_id, t.endpoint_number)
                and o.wallet_id <= p_last_wallet_id
              order by o.wallet_id, o.endpoint_number
              limit 1
           ) n
     where t.visited < p_endpoints_max
  ),
  due as (
    select p_lane as lane, d.wallet_id, d.endpoint_number, d.delivery_id, t.merchant_id, t.is_failing,
           t.open_until is not null as is_breaker_open, t.is_probe, t.visited
      from (
             select n.*,
                    abs(n.wallet_id) as merchant_id,
                    f.merchant_id is not null as is_failing,
                    f.open_until,
                    p_lane = 'postponed' and f.open_until is not null as is_probe,
                    coalesce(
                      (p_room ->> (abs(n.wallet_id) || '/' || n.endpoint_number))::integer,
                      p_per_endpoint
                    ) as room
               from turn n
               left join webhook_failing_endpoints f
                 on f.merchant_id = abs(n.wallet_id) and f.endpoint_number = n.endpoint_number
              -- In turn, whatever the join: who is behind the limit goes on behind the last who had a turn.
              order by n.visited
           ) t
     cross join lateral (
             select o.wallet_id, o.endpoint_number, o.delivery_id
               from webhook_outbox o
              where o.lane = p_lane
                and o.wallet_id = t.wallet_id
                and o.endpoint_number = t.endpoint_number
                and o.due_at <= now()
                and coalesce(o.leased_until <= now(), true)
                and not (t.is_probe and t.open_until > now())
              order by o.delivery_id
              limit case when t.is_probe then least(t.room, 1) else t.room end
                for update skip locked
           ) d
     limit p_limit
  ),
  probe as (
    update webhook_failing_endpoints f
       set open_until = now() + make_interval(secs => p_lease_seconds)
      from (
             select d.merchant_id, d.endpoint_number
               from due d
              where d.is_probe
              order by d.merchant_id, d.endpoint_number
           ) first
     where f.merchant_id = first.merchant_id
       and f.endpoint_number = first.endpoint_number
       -- Looked at again where somebody else probes at this moment.
       and f.open_until <= now()
    returning f.merchant_id, f.endpoint_number
  ),
  claimed as (
    update webhook_outbox o
       set epoch = o.epoch + 1,
           leased_until = now() + make_interval(secs => p_lease_seconds)
      from (
             select d.*
               from due d
              where not d.is_probe
                 or (d.merchant_id, d.endpoint_number) in (select p.merchant_id, p.endpoint_number from probe p)
           ) c
     where o.lane = any (array[c.lane])
       and o.wallet_id = c.wallet_id
       and o.endpoint_number = c.endpoint_number
       and o.delivery_id = c.delivery_id
    returning o.wallet_id, o.endpoint_number, o.delivery_id, o.epoch, o.attempts, c.is_failing, c.is_breaker_open,
              c.is_probe
  )
  select c.*, d.event, d.body, d.is_example
    from claimed c
    join webhook_deliveries d
      on d.wallet_id = c.wallet_id and d.id = c.delivery_id
   union all
  (
    select t.wallet_id, t.endpoint_number, null, 0, 0, false, false, false, '', null, false
      from turn t
           -- Where the limit was reached, the endpoints behind have not had their turn.
     where t.visited = (select case when count(*) >= p_limit then max(d.visited) else p_endpoints_max end from due d)
     -- No endpoint behind it is looked for.
     limit 1
  );
end
$$;
