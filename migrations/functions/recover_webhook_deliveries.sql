-- Owes what failed one more attempt, at once: of the p_limit deliveries of a merchant and mode behind p_after, those
-- that were never delivered, whose attempts are over, were never made or wait for their time. Neither examples, nor
-- what is due or under way anyhow, nor what has lost its body, nor what goes to an endpoint that is removed, or off in
-- this mode. p_endpoint_number names one endpoint; null stands for all. They stand in turn with the merchant's events,
-- not with what is asked for by hand, where turns and breakers do not count: ten thousand would keep everybody's
-- waiting.
-- Returns how many were looked at, how many are owed now, and the last one looked at.
-- writes: webhook_outbox
-- locks: webhook_logs, as resend_webhook_delivery does; then the rows of the outbox that wait for their time.
-- safe to repeat.
create or replace function recover_webhook_deliveries(
  p_wallet_id integer,
  p_endpoint_number integer,
  p_after uuid,
  p_limit integer
)
returns table (looked integer, recovered integer, last_id uuid)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  perform 1
     from webhook_logs l
    where l.wallet_id = p_wallet_id
      for update;

  return query
  with look as materialized (
    select d.id, d.endpoint_number, d.body is not null and not d.is_example as is_kept
      from webhook_deliveries d
     where d.wallet_id = p_wallet_id and d.id > p_after
     order by d.id
     limit p_limit
  ),
  failed as (
    select k.id, k.endpoint_number, tried.attempts, owed.lane
      from look k
     cross join lateral (
             select coalesce(max(a.attempt), 0) as attempts, coalesce(bool_or(a.successful), false) as is_delivered
               from webhook_attempts a
              where a.wallet_id = p_wallet_id and a.delivery_id = k.id
           ) tried
      left join lateral (
             select o.lane, o.due_at <= now() or coalesce(o.leased_until > now(), false) as is_under_way
               from webhook_outbox o
              where o.lane = any (array['event', 'manual', 'later', 'postponed'])
                and o.wallet_id = p_wallet_id
                and o.endpoint_number = k.endpoint_number
                and o.delivery_id = k.id
              limit 1
           ) owed on true
     where k.is_kept
       and exists (
             select 1
               from webhook_endpoints w
              where w.merchant_id = abs(p_wallet_id)
                and w.endpoint_number = k.endpoint_number
                and w.endpoint_number = coalesce(p_endpoint_number, w.endpoint_number)
                and w.url is not null
                and w.disabled_at is null
                and w.mode in (case when p_wallet_id > 0 then 'live' else 'test' end, 'both')
           )
       and not tried.is_delivered
       and owed.is_under_way is not true
     order by k.id
  ),
  brought_forward as (
    update webhook_outbox o
       set due_at = now(),
           lane = 'event',
           leased_until = null,
           epoch = o.epoch + 1
      from failed f
     where o.lane = any (array[f.lane]) -- see claim_webhook_deliveries
       and o.wallet_id = p_wallet_id
       and o.endpoint_number = f.endpoint_number
       and o.delivery_id = f.id
       and o.due_at > now()
       and coalesce(o.leased_until <= now(), true)
    returning 1 as one
  ),
  made as (
    insert into webhook_outbox (wallet_id, endpoint_number, delivery_id, attempts)
    select p_wallet_id, f.endpoint_number, f.id, f.attempts
      from failed f
     where f.lane is null
    returning 1 as one
  )
  select (select count(*)::integer from look),
         (select count(*)::integer from brought_forward) + (select count(*)::integer from made),
         (select k.id from look k order by k.id desc limit 1);
end
$$;
