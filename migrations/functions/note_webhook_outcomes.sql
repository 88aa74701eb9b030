-- Remembers which endpoints do nothing but fail, and how often they have. An endpoint with a success among the
-- attempts given fails no more, whatever else it did.
-- writes: webhook_failing_endpoints
-- locks: its rows, in key order.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function note_webhook_outcomes(
  p_bucket smallint[],
  p_merchant_id integer[],
  p_endpoint_number integer[],
  p_successful boolean[]
)
returns void
language sql
as $$
  with outcome as (
    select i.bucket, i.merchant_id, i.endpoint_number, bool_or(i.successful) as is_well,
           count(*)::integer as attempts
      from unnest(p_bucket, p_merchant_id, p_endpoint_number, p_successful)
             as i (bucket, merchant_id, endpoint_number, successful)
     group by i.bucket, i.merchant_id, i.endpoint_number
  ),
  recovered as (
    delete from webhook_failing_endpoints f
     using outcome o
     -- By = any: see claim_webhook_deliveries.
     where o.is_well and f.bucket = any (array[o.bucket]) and f.merchant_id = o.merchant_id
       and f.endpoint_number = o.endpoint_number
  )
  insert into webhook_failing_endpoints as f (bucket, merchant_id, endpoint_number, failures)
  select o.bucket, o.merchant_id, o.endpoint_number, o.attempts
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
      do update set last_failed_at = now(), failures = f.failures + excluded.failures
$$;
