-- Lets go of the bodies of a log's deliveries that were dropped before their first attempt: the other bodies go with
-- their last attempt (purge_webhook_log). Walks on from where the last call ended, over at most p_limit deliveries
-- before p_before, and up to the first that is still owed: it may be dropped as well.
-- Returns how many deliveries it went past.
-- writes: webhook_deliveries, webhook_logs
-- locks: webhook_logs.
-- safe to repeat.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function purge_webhook_bodies(
  p_wallet_id integer,
  p_before uuid,
  p_limit integer
)
returns integer
language plpgsql
as $$
declare
  walked_to uuid;
  passed uuid[];
begin
  select coalesce(l.bodies_purged_to, '00000000-0000-0000-0000-000000000000')
    into walked_to
    from webhook_logs l
   where l.wallet_id = p_wallet_id
     for update;

  with oldest as (
    select d.id, bool_or(owed.is_due) over (order by d.id) as is_behind_due
      from (
             select w.id, w.endpoint_number
               from webhook_deliveries w
              where w.wallet_id = p_wallet_id
                and w.id > walked_to
                and w.id < p_before
              order by w.id
              limit p_limit
           ) d
     cross join lateral (
             select exists (
                      select 1
                        from webhook_outbox o
                       where o.lane = any (array['event', 'manual', 'later', 'postponed'])
                         and o.wallet_id = p_wallet_id
                         and o.endpoint_number = d.endpoint_number
                         and o.delivery_id = d.id
                    ) as is_due
           ) owed
  )
  select array_agg(o.id order by o.id)
    into passed
    from oldest o
   where not o.is_behind_due;
  if passed is null then
    return 0;
  end if;

  update webhook_deliveries d
     set body = null
    from unnest(passed) as p (id)
   where d.wallet_id = p_wallet_id
     and d.id = p.id
     and d.body is not null
     and not exists (
           select 1
             from webhook_attempts a
            where a.wallet_id = p_wallet_id and a.delivery_id = p.id
         );

  update webhook_logs l
     set bodies_purged_to = passed[cardinality(passed)]
   where l.wallet_id = p_wallet_id;
  return cardinality(passed);
end
$$;
