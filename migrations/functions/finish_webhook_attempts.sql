-- Records a batch of attempts by the holders of their leases: a delivery that is over leaves the outbox, a failed one
-- is due again after p_wait_ms (null: never), and each attempt is logged. Where the row was claimed again since, or
-- made due by hand, its epoch is another one and nothing is written. A lease that ran out does not matter as long as
-- nobody else claimed the row: the attempt was made. One call is one commit. Returns the recorded attempts' ordinals.
-- record_webhook_attempts writes the log. Endpoints that do nothing but fail are remembered: one with a success among
-- the attempts given fails no more, whatever else it did, and what is postponed for it stands with the events again, a
-- thousand at a time.
-- writes: webhook_outbox, webhook_failing_endpoints
-- locks: webhook_logs, in key order; then the rows of the outbox; then webhook_failing_endpoints, in key order.
-- safe to repeat: the row is gone, or counts the attempt already.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function finish_webhook_attempts(
  p_bucket smallint[],
  p_merchant_id integer[],
  p_mode text[],
  p_endpoint_number integer[],
  p_delivery_id uuid[],
  p_lane text[],
  p_epoch integer[],
  p_attempt integer[],
  p_wait_ms integer[],
  p_event text[],
  p_successful boolean[],
  p_http_status smallint[],
  p_duration_ms integer[],
  p_error text[],
  p_error_detail text[],
  p_response_body text[],
  p_url text[],
  p_url_version integer[]
)
returns table (ordinal bigint)
language plpgsql
as $$
#variable_conflict use_column
declare
  kept bigint[];
begin
  -- Before the outbox, as record_webhook_attempts takes them first as well.
  perform 1
     from webhook_logs l
    where (l.bucket, l.merchant_id, l.mode) in (
            select k.bucket, k.merchant_id, k.mode
              from unnest(p_bucket, p_merchant_id, p_mode) as k (bucket, merchant_id, mode)
          )
    order by l.bucket, l.merchant_id, l.mode
      for update;

  with item as (
    select i.bucket, i.merchant_id, i.mode, i.endpoint_number, i.delivery_id, i.lane, i.epoch, i.attempt, i.wait_ms,
           i.ordinal
      from unnest(
             p_bucket, p_merchant_id, p_mode, p_endpoint_number, p_delivery_id, p_lane, p_epoch, p_attempt, p_wait_ms
           ) with ordinality as i (
             bucket, merchant_id, mode, endpoint_number, delivery_id, lane, epoch, attempt, wait_ms, ordinal
           )
  ),
  -- By = any: see claim_webhook_deliveries.
  over as (
    delete from webhook_outbox o
     using item i
     where i.wait_ms is null
       and o.lane = any (array[i.lane])
       and o.bucket = i.bucket
       and o.merchant_id = i.merchant_id
       and o.mode = i.mode
       and o.endpoint_number = i.endpoint_number
       and o.delivery_id = i.delivery_id
       and o.epoch = i.epoch
       and o.attempts = i.attempt - 1
    returning i.ordinal
  ),
  later as (
    update webhook_outbox o
       set attempts = i.attempt,
           due_at = now() + make_interval(secs => i.wait_ms / 1000.0),
           leased_until = null,
           lane = 'later'
      from item i
     where i.wait_ms is not null
       and o.lane = any (array[i.lane])
       and o.bucket = i.bucket
       and o.merchant_id = i.merchant_id
       and o.mode = i.mode
       and o.endpoint_number = i.endpoint_number
       and o.delivery_id = i.delivery_id
       and o.epoch = i.epoch
       and o.attempts = i.attempt - 1
    returning i.ordinal
  )
  select array_agg(k.ordinal order by k.ordinal)
    into kept
    from (select over.ordinal from over union all select later.ordinal from later) k;

  if kept is null then
    return;
  end if;
  if cardinality(kept) < cardinality(p_bucket) then
    select array_agg(p_bucket[k.i]), array_agg(p_merchant_id[k.i]), array_agg(p_mode[k.i]),
           array_agg(p_endpoint_number[k.i]), array_agg(p_delivery_id[k.i]), array_agg(p_attempt[k.i]),
           array_agg(p_event[k.i]), array_agg(p_successful[k.i]), array_agg(p_http_status[k.i]),
           array_agg(p_duration_ms[k.i]), array_agg(p_error[k.i]), array_agg(p_error_detail[k.i]),
           array_agg(p_response_body[k.i]), array_agg(p_url[k.i]), array_agg(p_url_version[k.i])
      into p_bucket, p_merchant_id, p_mode, p_endpoint_number, p_delivery_id, p_attempt, p_event, p_successful,
           p_http_status, p_duration_ms, p_error, p_error_detail, p_response_body, p_url, p_url_version
      from unnest(kept) as k (i);
  end if;

  with outcome as (
    select i.bucket, i.merchant_id, i.endpoint_number, bool_or(i.successful) as is_well
      from unnest(p_bucket, p_merchant_id, p_endpoint_number, p_successful)
             as i (bucket, merchant_id, endpoint_number, successful)
     group by i.bucket, i.merchant_id, i.endpoint_number
  ),
  recovered as (
    delete from webhook_failing_endpoints f
     using outcome o
     where o.is_well
       and f.bucket = any (array[o.bucket])
       and f.merchant_id = o.merchant_id
       and f.endpoint_number = o.endpoint_number
  )
  insert into webhook_failing_endpoints (bucket, merchant_id, endpoint_number)
  select o.bucket, o.merchant_id, o.endpoint_number
    from outcome o
   where not o.is_well
     -- One that was removed meanwhile has nobody who would ever delete the row.
     and exists (
           select 1
             from webhook_endpoints w
            where w.bucket = o.bucket and w.merchant_id = o.merchant_id and w.endpoint_number = o.endpoint_number
         )
   order by o.bucket, o.merchant_id, o.endpoint_number
      on conflict (bucket, merchant_id, endpoint_number)
      do update set last_failed_at = now();

  update webhook_outbox o
     set lane = 'event'
    from (
           select distinct i.bucket, i.merchant_id, i.endpoint_number
             from unnest(p_bucket, p_merchant_id, p_endpoint_number, p_successful)
                    as i (bucket, merchant_id, endpoint_number, successful)
            where i.successful
         ) w
   cross join lateral (
           select q.lane, q.mode, q.delivery_id
             from webhook_outbox q
            where q.lane = 'postponed'
              and q.mode = any (array['live', 'test'])
              and q.bucket = w.bucket
              and q.merchant_id = w.merchant_id
              and q.endpoint_number = w.endpoint_number
              -- Whoever held it too long may still record it, under the lane in which it was claimed.
              and q.leased_until is null
            limit 1000
              for update skip locked
         ) p
   where o.lane = any (array[p.lane])
     and o.bucket = w.bucket
     and o.merchant_id = w.merchant_id
     and o.mode = p.mode
     and o.endpoint_number = w.endpoint_number
     and o.delivery_id = p.delivery_id;

  perform 1
     from record_webhook_attempts(
            p_bucket, p_merchant_id, p_mode, p_endpoint_number, p_delivery_id, p_attempt, p_event, p_successful,
            p_http_status, p_duration_ms, p_error, p_error_detail, p_response_body, p_url, p_url_version
          );
  return query select k.ordinal from unnest(kept) as k (ordinal);
end
$$;
