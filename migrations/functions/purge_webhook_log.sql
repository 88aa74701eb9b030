-- Deletes at most p_limit of a log's oldest attempts, made before p_before, and lets go of the bodies of deliveries
-- that nothing is left of and nothing is owed of. The deliveries themselves stay: the books ask for them.
-- Returns how many attempts went.
-- writes: webhook_attempts, webhook_attempt_counts, webhook_deliveries
-- locks: webhook_logs.
-- safe to repeat.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function purge_webhook_log(
  p_wallet_id integer,
  p_before timestamptz,
  p_limit integer
)
returns integer
language plpgsql
as $$
declare
  purged uuid[];
begin
  perform 1
     from webhook_logs l
    where l.wallet_id = p_wallet_id
      for update;

  -- Attempts are numbered as they are made, so the oldest come first and the first one that is young ends it.
  with oldest as (
    select a.id, bool_or(a.created_at >= p_before) over (order by a.id) as is_young
      from webhook_attempts a
     where a.wallet_id = p_wallet_id
     order by a.id
     limit p_limit
  ),
  gone as (
    delete from webhook_attempts a
     using oldest o
     where a.wallet_id = p_wallet_id
       and a.id = o.id
       and not o.is_young
    returning a.delivery_id, a.endpoint_number, a.event, a.successful
  ),
  counted as (
    update webhook_attempt_counts c
       set attempts = c.attempts - g.attempts
      from (
             select n.endpoint_number, n.event, n.successful, count(*) as attempts
               from gone n
              group by n.endpoint_number, n.event, n.successful
           ) g
     where c.wallet_id = p_wallet_id
       and c.endpoint_number = g.endpoint_number
       and c.event = g.event
       and c.successful = g.successful
  )
  select array_agg(g.delivery_id)
    into purged
    from gone g;

  -- An endpoint that was removed is no part of the log any more.
  delete from webhook_attempt_counts c
   where c.wallet_id = p_wallet_id and c.attempts = 0;

  update webhook_deliveries d
     set body = null
    from (select distinct u.id from unnest(purged) as u (id)) g
   where d.wallet_id = p_wallet_id
     and d.id = g.id
     and not exists (
           select 1
             from webhook_outbox o
            where o.lane = any (array['event', 'manual', 'later', 'postponed'])
              and o.wallet_id = p_wallet_id
              and o.endpoint_number = d.endpoint_number
              and o.delivery_id = g.id
         )
     and not exists (
           select 1
             from webhook_attempts a
            where a.wallet_id = p_wallet_id and a.delivery_id = g.id
         );
  return coalesce(cardinality(purged), 0);
end
$$;
