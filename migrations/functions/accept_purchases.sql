-- Accepts a batch of purchases: charge, purchase, entry, and inflight row where the outcome is not known yet.
-- One call is one commit. Each item gets its own outcome, in their order, and no item fails another.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
-- writes: wallets, ledger_entries, purchases, inflight
-- locks: wallets, in key order.
-- safe to repeat: an item whose own id is stored already is answered as accepted, nothing is written again.
--
-- outcome: accepted · known (the reference names another purchase; read it) · bulk (it names a bulk order) ·
--          late (its id lies below what is counted already; make a new one) · insufficient · over_limit ·
--          retry (it fits, but stood behind others that used the balance up; send it again) · no_wallet
--
-- Two processes do not see midnight at the same moment. Where another one has begun the next day already, what is spent
-- counts there: a day that went back and forth between them would begin anew each time, and limit nothing.
create or replace function accept_purchases(p_items new_purchase[], p_day date)
returns table (outcome text, number bigint, balance_before bigint, day_spent bigint)
language plpgsql
set enable_memoize = off
as $$
begin
  perform 1
     from wallets w
    where (w.bucket, w.merchant_id, w.mode) in (
            select i.bucket, i.merchant_id, i.mode
              from unnest(p_items) as i
          )
    order by w.bucket, w.merchant_id, w.mode
      for update;

  -- A statement of its own: waiting for a lock does not refresh the snapshot that a statement reads from.
  return query
  with item as (
    select i.*,
           w.balance,
           w.seq,
           w.purchase_number,
           case when w.day in (p_day, p_day + 1) then w.day_spent else 0 end as spent_today,
           case when w.day = p_day + 1 then w.day else p_day end as limit_day,
           k.id as known_id,
           k.number as known_number,
           k.balance_before as known_balance_before,
           b.id is not null as is_bulk,
           k.id is null and i.id <= w.counted_id as is_late,
           k.id is null
             and b.id is null
             and i.id > w.counted_id
             and i.total <= w.balance
             and (
               i.day_limit is null
               or case when w.day in (p_day, p_day + 1) then w.day_spent else 0 end + i.total <= i.day_limit
             ) as fits
      from unnest(p_items) with ordinality as i
      left join wallets w
        on w.bucket = i.bucket and w.merchant_id = i.merchant_id and w.mode = i.mode
      left join purchases k
        on k.bucket = i.bucket and k.merchant_id = i.merchant_id and k.mode = i.mode and k.reference = i.reference
      left join bulk_orders b
        on b.bucket = i.bucket and b.merchant_id = i.merchant_id and b.mode = i.mode and b.reference = i.reference
  ),
  summed as (
    select item.*,
           sum(case when fits then total else 0 end) over through_item as spent,
           count(*) filter (where fits) over through_item as nth,
           min(day_limit) filter (where fits) over through_item as least_limit
      from item
    window through_item as (
             partition by bucket, merchant_id, mode
             order by ordinality
             rows between unbounded preceding and current row
           )
  ),
  -- Once one has to wait, so do all behind it, smaller ones and those of a higher limit too: numbers stay gapless. What
  -- is spent only grows from item to item, and the least limit only falls.
  decided as materialized (
    select summed.*,
           fits and spent <= balance and (least_limit is null or spent_today + spent <= least_limit) as fresh
      from summed
  ),
  charged as (
    update wallets w
       set balance = w.balance - c.total,
           seq = w.seq + c.purchases,
           purchase_count = w.purchase_count + c.purchases,
           purchase_number = w.purchase_number + c.purchases,
           day = case when w.day = p_day + 1 then w.day else p_day end,
           day_spent = case when w.day in (p_day, p_day + 1) then w.day_spent else 0 end + c.total,
           -- Once a crossing: the next one needs the balance to have been up there again.
           low_balance_owed = w.low_balance_owed
             or coalesce(
                  w.balance >= w.low_balance_threshold and w.balance - c.total < w.low_balance_threshold,
                  false
                ),
           updated_at = now()
      from (
             select d.bucket, d.merchant_id, d.mode, sum(d.total)::bigint as total, count(*) as purchases
               from decided d
              where d.fresh
              group by d.bucket, d.merchant_id, d.mode
           ) c
     where w.bucket = c.bucket and w.merchant_id = c.merchant_id and w.mode = c.mode
  ),
  bought as (
    insert into purchases (
      number, status, balance_before, purchased_at, completed_at, limit_day,
      -- Generated by `npm run generate`: the columns that are stored as they come.
      bucket, merchant_id, mode, bulk_reference, bulk_line, provider_reference, fulfilment, cost, foreign_cost,
      route_reason, id, reference, fingerprint, channel, product_id, customer_ref, phone, quantity, unit_amount,
      face_amount, fee, total, supplier, supplier_code, details, metadata
      -- End.
    )
    select d.purchase_number + d.nth, case when d.settled then 'successful' else 'pending' end,
           d.balance - d.spent + d.total, t.made_at, case when d.settled then t.made_at end, d.limit_day,
           -- Generated by `npm run generate`: the same of an item.
           d.bucket, d.merchant_id, d.mode, d.bulk_reference, d.bulk_line, d.provider_reference, d.fulfilment, d.cost,
           d.foreign_cost, d.route_reason, d.id, d.reference, d.fingerprint, d.channel, d.product_id, d.customer_ref,
           d.phone, d.quantity, d.unit_amount, d.face_amount, d.fee, d.total, d.supplier, d.supplier_code, d.details,
           d.metadata
           -- End.
      from decided d
     -- The id carries its time: 41 bits of milliseconds since 2020 above 22 others.
     cross join lateral (select to_timestamp(((d.id >> 22) + 1577836800000) / 1000.0) as made_at) t
     where d.fresh
  ),
  entered as (
    insert into ledger_entries (
      bucket, merchant_id, mode, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id
    )
    select d.bucket, d.merchant_id, d.mode, d.seq + d.nth, 'purchase', 'wallet', 'clearing', d.total, -d.total,
           d.balance - d.spent, d.id
      from decided d
     where d.fresh
  ),
  awaited as (
    insert into inflight (bucket, merchant_id, mode, purchase_id, due_at, step)
    select d.bucket, d.merchant_id, d.mode, d.id, now() + make_interval(secs => d.due_seconds), d.step
      from decided d
     where d.fresh and not d.settled
  )
  select case
           when d.fresh or d.known_id = d.id then 'accepted'
           when d.known_id is not null then 'known'
           when d.is_bulk then 'bulk'
           when d.is_late then 'late'
           when d.fits then 'retry'
           when d.balance is null then 'no_wallet'
           -- Limits before the balance, as the contract orders its refusals.
           when d.spent_today + d.total > d.day_limit then 'over_limit'
           else 'insufficient'
         end,
         case when d.fresh then d.purchase_number + d.nth else d.known_number end,
         case
           when d.fresh then (d.balance - d.spent + d.total)::bigint
           else coalesce(d.known_balance_before, d.balance)
         end,
         d.spent_today
    from decided d
   order by d.ordinality;
end
$$;
