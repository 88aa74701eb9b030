-- Records a batch of attempts by the holders of their leases: a delivery that is over leaves the outbox, a failed one
-- is due again after wait_ms (null: never), and each attempt is logged, numbered without gaps and counted. Where the
-- row was claimed again since, or made due by hand, its epoch is another one and nothing is written. A lease that ran
-- out does not matter as long as nobody else claimed the row: the attempt was made. One call is one commit. Returns the
-- recorded attempts' ordinals.
-- Endpoints that do nothing but fail are remembered: one with a success among the attempts given fails no more,
-- whatever else it did, and what is postponed for it stands with the events again, a thousand at a time.
-- = any: see claim_webhook_deliveries.
-- writes: webhook_outbox, webhook_failing_endpoints, webhook_logs, webhook_attempts, webhook_attempt_counts
-- locks: webhook_logs of both modes, in key order; then the rows of the outbox; then webhook_failing_endpoints, in key
--        order, whose rows come and go only under both logs' locks; counts only under their log's lock.
-- safe to repeat: the row is gone, or counts the attempt already.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function finish_webhook_attempts(p_items finished_attempt[])
returns table (ordinal bigint)
language plpgsql
as $$
declare
  v_now constant timestamptz := now();
  v_kept bigint[];
begin
  -- The door: see accept_purchases.
  update webhook_logs l
     set last_id = l.last_id
   where l.wallet_id = 0;

  -- Both modes' logs: an endpoint that fails is its merchant's, and two batches that share no log would both enter it.
  perform 1
     from webhook_logs l
    where l.wallet_id in (
            select w.wallet_id
              from unnest(p_items) as i
             cross join lateral (values (i.wallet_id), (-i.wallet_id)) as w (wallet_id)
          )
    order by l.wallet_id
      for update;

  with over as (
    delete from webhook_outbox o
     using unnest(p_items) with ordinality as i
     where i.wait_ms is null
       and o.lane = any (array[i.lane])
       and o.wallet_id = i.wallet_id
       and o.endpoint_number = i.endpoint_number
       and o.delivery_id = i.delivery_id
       and o.epoch = i.epoch
       and o.attempts = i.attempt - 1
    returning i.ordinality
  ),
  later as (
    update webhook_outbox o
       set attempts = i.attempt,
           due_at = i.due_at,
           leased_until = null,
           lane = 'later'
      from (
             select a.*, v_now + make_interval(secs => a.wait_ms / 1000.0) as due_at
               from unnest(p_items) with ordinality as a
           ) i
     where i.wait_ms is not null
       and o.lane = any (array[i.lane])
       and o.wallet_id = i.wallet_id
       and o.endpoint_number = i.endpoint_number
       and o.delivery_id = i.delivery_id
       and o.epoch = i.epoch
       and o.attempts = i.attempt - 1
    returning i.ordinality
  )
  select array_agg(k.ordinality order by k.ordinality) into v_kept
    from (select over.ordinality from over union all select later.ordinality from later) k;
  if v_kept is null then
    return;
  end if;

  -- In one order, as claims of probes take them.
  perform 1
     from webhook_failing_endpoints f
    where (f.merchant_id, f.endpoint_number) in (select abs(i.wallet_id), i.endpoint_number from unnest(p_items) as i)
    order by f.merchant_id, f.endpoint_number
      for update;

  delete from webhook_failing_endpoints f
   using (
           select abs(i.wallet_id) as merchant_id, i.endpoint_number
             from unnest(p_items) with ordinality as i
            where i.ordinality = any (v_kept)
              and i.successful
            group by abs(i.wallet_id), i.endpoint_number
         ) o
   where f.merchant_id = o.merchant_id
     and f.endpoint_number = o.endpoint_number;

  insert into webhook_failing_endpoints (merchant_id, endpoint_number, failing_since, last_failed_at)
  select o.merchant_id, o.endpoint_number, v_now, v_now
    from (
           select abs(i.wallet_id) as merchant_id, i.endpoint_number
             from unnest(p_items) with ordinality as i
            where i.ordinality = any (v_kept)
            group by abs(i.wallet_id), i.endpoint_number
           having not bool_or(i.successful)
         ) o
   -- One that was removed meanwhile has nobody who would ever delete the row.
   where exists (
           select 1
             from webhook_endpoints w
            where w.merchant_id = o.merchant_id and w.endpoint_number = o.endpoint_number
         )
   order by o.merchant_id, o.endpoint_number
      on conflict (merchant_id, endpoint_number)
      do update set last_failed_at = excluded.last_failed_at;

  update webhook_outbox o
     set lane = 'event'
    from (
           select distinct w.wallet_id, i.endpoint_number
             from unnest(p_items) with ordinality as i
            cross join lateral (values (i.wallet_id), (-i.wallet_id)) as w (wallet_id)
            where i.ordinality = any (v_kept)
              and i.successful
         ) w
   cross join lateral (
           select q.lane, q.delivery_id
             from webhook_outbox q
            where q.lane = 'postponed'
              and q.wallet_id = w.wallet_id
              and q.endpoint_number = w.endpoint_number
              -- A late holder may still record it, under the lane in which it was claimed.
              and q.leased_until is null
            limit 1000
              for update skip locked
         ) p
   where o.lane = any (array[p.lane])
     and o.wallet_id = w.wallet_id
     and o.endpoint_number = w.endpoint_number
     and o.delivery_id = p.delivery_id;

  insert into webhook_attempts (
    wallet_id, id, endpoint_number, delivery_id, attempt, event, successful, http_status, duration_ms, error,
    error_detail, response_body, url, url_version, created_at
  )
  select i.wallet_id, l.last_id + row_number() over (partition by i.wallet_id order by i.ordinality), i.endpoint_number,
         i.delivery_id, i.attempt, i.event, i.successful, i.http_status, i.duration_ms, i.error, i.error_detail,
         i.response_body, i.url, i.url_version, v_now
    from unnest(p_items) with ordinality as i
    join webhook_logs l
      on l.wallet_id = i.wallet_id
   where i.ordinality = any (v_kept);

  update webhook_logs l
     set last_id = l.last_id + n.attempts
    from (
           select i.wallet_id, count(*) as attempts
             from unnest(p_items) with ordinality as i
            where i.ordinality = any (v_kept)
            group by i.wallet_id
         ) n
   where l.wallet_id = n.wallet_id;

  insert into webhook_attempt_counts as c (wallet_id, endpoint_number, event, successful, attempts)
  select i.wallet_id, i.endpoint_number, i.event, i.successful, count(*)
    from unnest(p_items) with ordinality as i
   where i.ordinality = any (v_kept)
   group by i.wallet_id, i.endpoint_number, i.event, i.successful
      on conflict (wallet_id, endpoint_number, event, successful, month)
      do update set attempts = c.attempts + excluded.attempts;

  return query select k.ordinal from unnest(v_kept) as k (ordinal);
end
$$;
