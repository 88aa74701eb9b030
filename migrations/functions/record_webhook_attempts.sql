-- Writes a batch of attempts into the delivery log: numbers them, stores them, counts them. The only writer of the log,
-- as the numbers are gapless and the counts exact. One call is one commit.
-- writes: webhook_logs, webhook_attempts, webhook_attempt_counts
-- locks: webhook_logs, in key order; counts only under their log's lock.
-- not safe to repeat: an attempt that is logged already violates webhook_attempts_once, and nothing is written.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function record_webhook_attempts(
  p_bucket smallint[],
  p_merchant_id integer[],
  p_mode text[],
  p_endpoint_number integer[],
  p_delivery_id uuid[],
  p_attempt integer[],
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
returns table (ordinal bigint, id bigint)
language plpgsql
as $$
begin
  perform 1
     from webhook_logs l
    where (l.bucket, l.merchant_id, l.mode) in (
            select k.bucket, k.merchant_id, k.mode
              from unnest(p_bucket, p_merchant_id, p_mode) as k (bucket, merchant_id, mode)
          )
    order by l.bucket, l.merchant_id, l.mode
      for update;

  return query
  with item as (
    select i.*,
           l.last_id + row_number() over (
             partition by i.bucket, i.merchant_id, i.mode
             order by i.ordinal
           ) as id
      from unnest(
             p_bucket, p_merchant_id, p_mode, p_endpoint_number, p_delivery_id, p_attempt, p_event, p_successful,
             p_http_status, p_duration_ms, p_error, p_error_detail, p_response_body, p_url,
             p_url_version
           ) with ordinality as i (
             bucket, merchant_id, mode, endpoint_number, delivery_id, attempt, event, successful,
             http_status, duration_ms, error, error_detail, response_body, url, url_version, ordinal
           )
      join webhook_logs l
        on l.bucket = i.bucket and l.merchant_id = i.merchant_id and l.mode = i.mode
  ),
  numbered as (
    update webhook_logs l
       set last_id = n.last_id
      from (
             select i.bucket, i.merchant_id, i.mode, max(i.id) as last_id
               from item i
              group by i.bucket, i.merchant_id, i.mode
           ) n
     where l.bucket = n.bucket and l.merchant_id = n.merchant_id and l.mode = n.mode
  ),
  counted as (
    insert into webhook_attempt_counts as c (
      bucket, merchant_id, mode, endpoint_number, event, successful, attempts
    )
    select i.bucket, i.merchant_id, i.mode, i.endpoint_number, i.event, i.successful, count(*)
      from item i
     group by i.bucket, i.merchant_id, i.mode, i.endpoint_number, i.event, i.successful
        on conflict (bucket, merchant_id, mode, endpoint_number, event, successful)
        do update set attempts = c.attempts + excluded.attempts
  ),
  logged as (
    insert into webhook_attempts (
      bucket, merchant_id, mode, id, endpoint_number, delivery_id, attempt, event, successful, http_status, duration_ms,
      error, error_detail, response_body, url, url_version
    )
    select i.bucket, i.merchant_id, i.mode, i.id, i.endpoint_number, i.delivery_id, i.attempt, i.event, i.successful,
           i.http_status, i.duration_ms, i.error, i.error_detail, i.response_body, i.url, i.url_version
      from item i
  )
  select i.ordinal, i.id
    from item i
   order by i.ordinal;
end
$$;
