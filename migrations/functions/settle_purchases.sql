-- Brings a batch of pending purchases to their final status: the one door. One call is one commit.
-- Deleting the inflight row is the gate: whoever deletes it settles, everybody else is told nothing was theirs.
-- What its merchant is owed to hear of it (body and id, drawn up by the caller) is written in the same statement.
-- Where rows of inflight are named by a join, the bucket is compared by = any (array[…]) instead of =: else the order
-- of the index has merits in the planner's eyes, and while its statistics are those of an empty table, as after every
-- quiet minute, it takes reading all that is pending for the cheapest way.
-- writes: inflight, purchases, wallets, ledger_entries, vend_attempts, purchase_counts, bulk_orders,
--         webhook_deliveries, webhook_outbox
-- locks: inflight rows in key order, then the wallets of failed purchases in key order, then the bulk orders of lines
--        in key order.
-- safe to repeat: a purchase that is final already is not returned, and nothing is written.
create or replace function settle_purchases(
  p_bucket smallint[],
  p_merchant_id integer[],
  p_mode text[],
  p_id bigint[],
  -- The lease under which the caller acts; null for one that holds none (a supplier's callback).
  p_epoch integer[],
  p_status text[],
  p_error_code text[],
  p_provider_reference text[],
  p_fulfilment text[],
  p_supplier_reference text[],
  p_evidence text[],
  -- The attempt that the verdict is about: a word about an earlier one does not pass the gate.
  p_attempt smallint[],
  p_bulk_reference text[],
  p_completed_at timestamptz[],
  -- Null where the merchant is owed no event.
  p_delivery_id uuid[],
  p_event_body text[],
  p_day date,
  p_day_start timestamptz
)
returns table (ordinal bigint)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  perform 1
     from unnest(p_bucket, p_merchant_id, p_mode, p_id) as k (bucket, merchant_id, mode, id)
     join inflight f
       on f.bucket = any (array[k.bucket]) and f.merchant_id = k.merchant_id and f.mode = k.mode
      and f.purchase_id = k.id
    order by k.bucket, k.merchant_id, k.mode, k.id
      for update of f;

  perform 1
     from wallets w
    where (w.bucket, w.merchant_id, w.mode) in (
            select k.bucket, k.merchant_id, k.mode
              from unnest(p_bucket, p_merchant_id, p_mode, p_status) as k (bucket, merchant_id, mode, status)
             where k.status = 'failed'
          )
    order by w.bucket, w.merchant_id, w.mode
      for update;

  perform 1
     from bulk_orders b
    where (b.bucket, b.merchant_id, b.mode, b.reference) in (
            select k.bucket, k.merchant_id, k.mode, k.bulk_reference
              from unnest(p_bucket, p_merchant_id, p_mode, p_bulk_reference)
                     as k (bucket, merchant_id, mode, bulk_reference)
             where k.bulk_reference is not null
          )
      and b.reference <> ''
    order by b.bucket, b.merchant_id, b.mode, b.reference
      for update;

  return query
  with item as (
    select i.*
      from unnest(
             p_bucket, p_merchant_id, p_mode, p_id, p_epoch, p_status, p_error_code, p_provider_reference, p_fulfilment,
             p_supplier_reference, p_evidence, p_attempt, p_bulk_reference, p_completed_at, p_delivery_id, p_event_body
           ) with ordinality as i (
             bucket, merchant_id, mode, id, epoch, status, error_code, provider_reference, fulfilment,
             supplier_reference, evidence, attempt, bulk_reference, completed_at, delivery_id, event_body, ordinal
           )
  ),
  gate as (
    delete from inflight f
     using item i
     where f.bucket = any (array[i.bucket])
       and f.merchant_id = i.merchant_id
       and f.mode = i.mode
       and f.purchase_id = i.id
       and f.epoch = coalesce(i.epoch, f.epoch)
       and f.attempt = i.attempt
    returning i.*
  ),
  settled as (
    update purchases p
       set status = g.status,
           error_code = g.error_code,
           provider_reference = g.provider_reference,
           fulfilment = g.fulfilment::json,
           completed_at = g.completed_at,
           refunded_at = case when g.status = 'failed' then g.completed_at end,
           event_owed = g.delivery_id is not null
      from gate g
     where p.bucket = g.bucket
       and p.merchant_id = g.merchant_id
       and p.mode = g.mode
       and p.id = g.id
       and p.id > 0
       and p.status = 'pending'
    returning g.*, p.reference, p.total, p.purchased_at, p.supplier, p.supplier_code, p.product_id, p.channel, p.cost,
              p.route_reason
  ),
  refunded as materialized (
    select s.*,
           w.balance,
           w.seq,
           sum(s.total) over through_item as given_back,
           row_number() over through_item as nth
      from settled s
      join wallets w
        on w.bucket = s.bucket and w.merchant_id = s.merchant_id and w.mode = s.mode
     where s.status = 'failed'
    window through_item as (
             partition by s.bucket, s.merchant_id, s.mode
             order by s.ordinal
             rows between unbounded preceding and current row
           )
  ),
  credited as (
    update wallets w
       set balance = w.balance + c.total,
           seq = w.seq + c.refunds,
           -- A refund gives the day's allowance back, when it is still that day.
           day_spent = case when w.day = p_day then greatest(0, w.day_spent - c.total_today) else w.day_spent end,
           updated_at = now()
      from (
             select r.bucket, r.merchant_id, r.mode, sum(r.total)::bigint as total, count(*) as refunds,
                    coalesce(sum(r.total) filter (where r.purchased_at >= p_day_start), 0)::bigint as total_today
               from refunded r
              group by r.bucket, r.merchant_id, r.mode
           ) c
     where w.bucket = c.bucket and w.merchant_id = c.merchant_id and w.mode = c.mode
  ),
  entered as (
    insert into ledger_entries (
      bucket, merchant_id, mode, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id
    )
    select r.bucket, r.merchant_id, r.mode, r.seq + r.nth, 'refund', 'clearing', 'wallet', r.total, r.total,
           r.balance + r.given_back, r.id
      from refunded r
  ),
  -- What ended below the wallet's counted_id was pending when it was counted: it is added now. Nobody moves counted_id
  -- past a purchase whose inflight row is held here.
  counted as (
    insert into purchase_counts as c (
      bucket, merchant_id, mode, day, product_id, status, channel, purchases, first_id, last_id
    )
    select s.bucket, s.merchant_id, s.mode, levels.day, s.product_id, s.status, s.channel, count(*),
           min(s.id), max(s.id)
      from settled s
      join wallets w
        on w.bucket = s.bucket and w.merchant_id = s.merchant_id and w.mode = s.mode and w.counted_id >= s.id
     cross join lateral (values (-1), (purchase_day(s.id))) as levels (day)
     group by s.bucket, s.merchant_id, s.mode, levels.day, s.product_id, s.status, s.channel
     order by s.bucket, s.merchant_id, s.mode, levels.day, s.product_id, s.status, s.channel
        on conflict (bucket, merchant_id, mode, day, product_id, status, channel) do update
           set purchases = c.purchases + excluded.purchases,
               first_id = least(c.first_id, excluded.first_id),
               last_id = greatest(c.last_id, excluded.last_id)
  ),
  attempted as (
    insert into vend_attempts (
      bucket, merchant_id, mode, purchase_id, attempt, supplier, supplier_reference, verdict, evidence, cost,
      route_reason, provider_reference, supplier_code
    )
    select s.bucket, s.merchant_id, s.mode, s.id, s.attempt, s.supplier, s.supplier_reference,
           case when s.status = 'successful' then 'vended' else 'declined' end, coalesce(s.evidence, ''), s.cost,
           s.route_reason, s.provider_reference, s.supplier_code
      from settled s
     where s.supplier is not null
  ),
  told as (
    insert into webhook_deliveries (bucket, merchant_id, mode, id, event, reference, subject_id, body)
    select s.bucket, s.merchant_id, s.mode, s.delivery_id, 'transaction.' || s.status, s.reference, s.id, s.event_body
      from settled s
     where s.delivery_id is not null
  ),
  owed as (
    insert into webhook_outbox (bucket, merchant_id, mode, delivery_id)
    select s.bucket, s.merchant_id, s.mode, s.delivery_id
      from settled s
     where s.delivery_id is not null
  ),
  -- The last line closes the order; who announces that finds it by its open_lines.
  closed as (
    update bulk_orders b
       set open_lines = b.open_lines - c.lines
      from (
             select s.bucket, s.merchant_id, s.mode, s.bulk_reference, count(*) as lines
               from settled s
              where s.bulk_reference is not null
              group by s.bucket, s.merchant_id, s.mode, s.bulk_reference
           ) c
     where b.bucket = c.bucket
       and b.merchant_id = c.merchant_id
       and b.mode = c.mode
       and b.reference = c.bulk_reference
       and b.reference <> ''
  )
  select s.ordinal
    from settled s
   order by s.ordinal;
end
$$;
