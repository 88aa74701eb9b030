-- Deletes a sandbox wallet's oldest purchases made before p_before_id, oldest first, up to the first pending one. Their
-- entries stay, so the chain of the balance stays whole; purged_purchases keeps what the books need to know of them.
-- Bulk orders go with their last line.
-- writes: purchases, wallets, purged_purchases, purchase_counts, bulk_orders
-- locks: the wallet.
-- safe to repeat.
create or replace function purge_sandbox_purchases(
  p_bucket smallint,
  p_merchant_id integer,
  p_before_id bigint,
  p_limit integer
)
returns integer
language plpgsql
as $$
declare
  purged integer;
begin
  perform 1
     from wallets w
    where w.bucket = p_bucket and w.merchant_id = p_merchant_id and w.mode = 'test'
      for update;

  with oldest as (
    select p.id, p.status, p.total, bool_or(p.status = 'pending') over (order by p.id) as behind_pending
      from purchases p
     where p.bucket = p_bucket and p.merchant_id = p_merchant_id and p.mode = 'test'
       and p.id > 0
       and p.id < p_before_id
     order by p.id
     limit p_limit
  ),
  gone as (
    delete from purchases p
     using oldest o
     where p.bucket = p_bucket
       and p.merchant_id = p_merchant_id
       and p.mode = 'test'
       and p.id = o.id
       and p.id > 0
       and not o.behind_pending
    returning p.id, p.status, p.total, p.product_id, p.channel
  ),
  summed as (
    select count(*) as purchases, max(id) as last_id, coalesce(sum(total) filter (where status <> 'failed'), 0) as kept
      from gone
  ),
  counted as (
    update wallets w
       set purchase_count = w.purchase_count - s.purchases
      from summed s
     where w.bucket = p_bucket and w.merchant_id = p_merchant_id and w.mode = 'test'
  ),
  uncounted as (
    update purchase_counts c
       set purchases = c.purchases - g.purchases
      from (
             select levels.day, gone.product_id, gone.status, gone.channel, count(*) as purchases
               from gone
               join wallets w
                 on w.bucket = p_bucket
                and w.merchant_id = p_merchant_id
                and w.mode = 'test'
                and w.counted_id >= gone.id
              cross join lateral (values (-1), (purchase_day(gone.id))) as levels (day)
              group by levels.day, gone.product_id, gone.status, gone.channel
           ) g
     where c.bucket = p_bucket
       and c.merchant_id = p_merchant_id
       and c.mode = 'test'
       and c.day = g.day
       and c.product_id = g.product_id
       and c.status = g.status
       and c.channel = g.channel
  ),
  noted as (
    insert into purged_purchases (bucket, merchant_id, mode, last_id, purchases, value_kept)
    select p_bucket, p_merchant_id, 'test', s.last_id, s.purchases, s.kept
      from summed s
     where s.purchases > 0
    on conflict (bucket, merchant_id, mode) do update
       set last_id = excluded.last_id,
           purchases = purged_purchases.purchases + excluded.purchases,
           value_kept = purged_purchases.value_kept + excluded.value_kept
  )
  select s.purchases into purged from summed s;

  -- A statement of its own: it has to see that the lines are gone.
  delete from bulk_orders b
   where b.bucket = p_bucket
     and b.merchant_id = p_merchant_id
     and b.mode = 'test'
     and b.id > 0
     and b.id < p_before_id
     and not exists (
           select 1
             from purchases p
            where p.bucket = b.bucket
              and p.merchant_id = b.merchant_id
              and p.mode = b.mode
              and p.bulk_reference = b.reference
         );
  return purged;
end
$$;
