-- Deletes the oldest purchases of a merchant's sandbox wallet made before p_before_id, oldest first, up to the first
-- pending one. Their entries stay, so the chain of the balance stays whole; purged_purchases keeps what the books need
-- to know of them. Bulk orders go with their last line, counts with the last purchase that they count.
-- Nothing is joined that a plan could begin at the wrong end: while the statistics know little of a wallet, reading all
-- of it once for every row that goes looks cheap. So rows are named by lists of ids, or one by one.
-- It runs as its owner: the service's role may delete no purchase by itself.
-- writes: purchases, wallets, purged_purchases, purchase_counts, bulk_orders
-- locks: the wallet, then its counts in key order.
-- safe to repeat.
create or replace function purge_sandbox_purchases(
  p_merchant_id integer,
  p_before_id bigint,
  p_limit integer
)
returns integer
language plpgsql
security definer
set search_path from current
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_wallet_id constant integer := -p_merchant_id;
  v_counted_id bigint;
  v_purged integer := 0;
  v_last_id bigint := 0;
  v_orders text[] := '{}';
  v_gone record;
begin
  -- The door: see accept_purchases.
  update wallets w
     set seq = w.seq
   where w.wallet_id = 0;

  select w.counted_id into v_counted_id
    from wallets w
   where w.wallet_id = v_wallet_id
     for update;

  for v_gone in
    with oldest as (
      select p.id, p.status, p.total, bool_or(p.status = 'pending') over (order by p.id) as behind_pending
        from purchases p
       where p.wallet_id = v_wallet_id
         and p.id < p_before_id
       order by p.id
       limit p_limit
    ),
    gone as (
      delete from purchases p
       where p.wallet_id = v_wallet_id
         -- The oldest are all up to the last of them.
         and p.id <= (select max(o.id) from oldest o where not o.behind_pending)
      returning p.id, p.status, p.total, p.product_id, p.channel, p.bulk_reference
    ),
    summed as (
      select count(*) as purchases,
             max(id) as last_id,
             coalesce(sum(total) filter (where status <> 'failed'), 0) as kept
        from gone
    ),
    counted as (
      update wallets w
         set purchase_count = w.purchase_count - s.purchases
        from summed s
       where w.wallet_id = v_wallet_id
    ),
    noted as (
      insert into purged_purchases (wallet_id, last_id, purchases, value_kept)
      select v_wallet_id, s.last_id, s.purchases, s.kept
        from summed s
       where s.purchases > 0
      on conflict (wallet_id) do update
         set last_id = excluded.last_id,
             purchases = purged_purchases.purchases + excluded.purchases,
             value_kept = purged_purchases.value_kept + excluded.value_kept
    )
    select levels.day,
           gone.product_id,
           gone.status,
           gone.channel,
           count(*) as purchases,
           count(*) filter (where gone.id <= v_counted_id) as counted,
           coalesce(sum(gone.total) filter (where gone.id <= v_counted_id), 0) as charged,
           max(gone.id) as last_id,
           array_agg(distinct gone.bulk_reference) filter (where gone.bulk_reference is not null) as orders
      from gone
     cross join lateral (values (-1), (purchase_day(gone.id))) as levels (day)
     group by levels.day, gone.product_id, gone.status, gone.channel
     order by levels.day, gone.product_id, gone.status, gone.channel
  loop
    if v_gone.day = -1 then
      v_purged := v_purged + v_gone.purchases;
      v_last_id := greatest(v_last_id, v_gone.last_id);
      v_orders := v_orders || v_gone.orders;
    end if;
    update purchase_counts c
       set purchases = c.purchases - v_gone.counted,
           charged = c.charged - v_gone.charged
     where c.wallet_id = v_wallet_id
       and c.day = v_gone.day
       and c.product_id = v_gone.product_id
       and c.status = v_gone.status
       and c.channel = v_gone.channel;
  end loop;

  delete from purchase_counts c
   where c.wallet_id = v_wallet_id
     and c.day <= purchase_day(v_last_id)
     and c.purchases = 0;

  -- A statement of its own: it has to see that the lines are gone. A value and no `not exists`, which would be a join.
  delete from bulk_orders b
   where b.wallet_id = v_wallet_id
     and b.reference = any (v_orders)
     and b.reference <> ''
     and (
           select p.id
             from purchases p
            where p.wallet_id = b.wallet_id
              and p.bulk_reference = b.reference
            limit 1
         ) is null;
  return v_purged;
end
$$;
revoke execute on function purge_sandbox_purchases(integer, bigint, integer) from public;
