-- Sends pending purchases on to another supplier after an explicit no: ends the attempt that was declined and begins
-- the next, in one commit and before anybody is asked. One call is one commit.
-- Only the holder of the lease gets through, and only for the attempt that it knows of; everybody else is told nothing.
-- = any: see settle_purchases.
-- writes: inflight, purchases, vend_attempts
-- locks: inflight rows in key order.
-- safe to repeat: an item whose next attempt was begun under the same lease is answered again, nothing is written.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function reroute_purchases(
  p_bucket smallint[],
  p_merchant_id integer[],
  p_mode text[],
  p_id bigint[],
  p_epoch integer[],
  -- The attempt that was declined.
  p_attempt smallint[],
  p_supplier_reference text[],
  p_evidence text[],
  -- What the supplier that declined called its attempt; null where it told nothing.
  p_provider_reference text[],
  p_supplier text[],
  p_supplier_code text[],
  p_cost bigint[],
  p_foreign_cost text[],
  p_route_reason text[],
  p_step text[],
  p_due_seconds integer[]
)
returns table (ordinal bigint)
language plpgsql
as $$
begin
  perform 1
     from unnest(p_bucket, p_merchant_id, p_mode, p_id) as k (bucket, merchant_id, mode, id)
     join inflight f
       on f.bucket = any (array[k.bucket]) and f.merchant_id = k.merchant_id and f.mode = k.mode
      and f.purchase_id = k.id
    order by k.bucket, k.merchant_id, k.mode, k.id
      for update of f;

  return query
  with item as (
    select i.*, f.attempt as present_attempt
      from unnest(
             p_bucket, p_merchant_id, p_mode, p_id, p_epoch, p_attempt, p_supplier_reference, p_evidence,
             p_provider_reference, p_supplier, p_supplier_code, p_cost, p_foreign_cost, p_route_reason,
             p_step, p_due_seconds
           ) with ordinality as i (
             bucket, merchant_id, mode, id, epoch, attempt, supplier_reference, evidence,
             provider_reference, supplier, supplier_code, cost, foreign_cost, route_reason, step, due_seconds,
             ordinal
           )
      join inflight f
        on f.bucket = any (array[i.bucket]) and f.merchant_id = i.merchant_id and f.mode = i.mode
       and f.purchase_id = i.id
       and f.epoch = i.epoch
       and f.attempt between i.attempt and i.attempt + 1
  ),
  moved as (
    update inflight f
       set attempt = i.attempt + 1,
           step = i.step,
           last_answer = null,
           -- The next supplier was asked nothing yet.
           tries = 0,
           not_received_since = null,
           due_at = now() + make_interval(secs => i.due_seconds)
      from item i
     where i.present_attempt = i.attempt
       and f.bucket = any (array[i.bucket])
       and f.merchant_id = i.merchant_id
       and f.mode = i.mode
       and f.purchase_id = i.id
  ),
  -- Reads the purchase as it was before the next CTE changed it: all of them see one snapshot.
  ended as (
    insert into vend_attempts (
      bucket, merchant_id, mode, purchase_id, attempt, supplier, supplier_reference, verdict, evidence, cost,
      foreign_cost, route_reason, provider_reference, supplier_code
    )
    select i.bucket, i.merchant_id, i.mode, i.id, i.attempt, p.supplier, i.supplier_reference, 'declined',
           coalesce(i.evidence, ''), p.cost, p.foreign_cost, p.route_reason, i.provider_reference, p.supplier_code
      from item i
      join purchases p
        on p.bucket = i.bucket and p.merchant_id = i.merchant_id and p.mode = i.mode and p.id = i.id and p.id > 0
     where i.present_attempt = i.attempt
  ),
  begun as (
    update purchases p
       set attempt = i.attempt + 1,
           supplier = i.supplier,
           -- What the last supplier called its attempt means nothing to the next one.
           provider_reference = null,
           supplier_code = i.supplier_code,
           cost = i.cost,
           foreign_cost = i.foreign_cost,
           route_reason = i.route_reason
      from item i
     where i.present_attempt = i.attempt
       and p.bucket = i.bucket
       and p.merchant_id = i.merchant_id
       and p.mode = i.mode
       and p.id = i.id
       and p.id > 0
  )
  select i.ordinal
    from item i
   order by i.ordinal;
end
$$;
