-- Moves a wallet's counted_id up over at most p_limit purchases that were made before p_before_id, and counts the final
-- ones among them. Pending purchases are counted when they end (settle_purchases).
-- writes: purchase_counts, wallets
-- locks: the wallet, then the inflight rows in the range that nobody else holds; it never waits for one, since
--        settling takes them in the other order. A purchase that is just ending bounds the range and is counted later.
-- safe to repeat. Its commit does not wait for the disk: counts and counted_id are lost together or not at all, and
-- what is lost is counted again. Waiting would hold the wallet's lock, and the purchases that wait for it.
create or replace function count_purchases(
  p_wallet_id integer,
  p_before_id bigint,
  p_limit integer
)
returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_counted_id bigint;
  v_ending_id bigint;
  v_last_id bigint;
  v_rows integer;
begin
  -- The door: see accept_purchases.
  update wallets w
     set seq = w.seq
   where w.wallet_id = 0;

  perform set_config('synchronous_commit', 'off', true);

  select w.counted_id into v_counted_id
    from wallets w
   where w.wallet_id = p_wallet_id
     for update;

  with pending as materialized (
    select f.purchase_id
      from inflight f
     where f.wallet_id = p_wallet_id
       and f.purchase_id > v_counted_id
       and f.purchase_id < p_before_id
  ),
  held as materialized (
    select f.purchase_id
      from inflight f
     where f.wallet_id = p_wallet_id
       and f.purchase_id > v_counted_id
       and f.purchase_id < p_before_id
       for update skip locked
  )
  select min(e.purchase_id) into v_ending_id
    from (
           select p.purchase_id
             from pending p
           except
           select h.purchase_id
             from held h
         ) e;

  select max(taken.id), count(*) into v_last_id, v_rows
    from (
           select p.id
             from purchases p
            where p.wallet_id = p_wallet_id
              and p.id > v_counted_id
              and p.id < least(p_before_id, v_ending_id)
            order by p.id
            limit p_limit
         ) taken;
  if v_rows = 0 then
    return 0;
  end if;

  insert into purchase_counts as c (
    wallet_id, day, product_id, status, channel, purchases, charged, first_id, last_id
  )
  select p_wallet_id, levels.day, p.product_id, p.status, p.channel, count(*), sum(p.total),
         min(p.id), max(p.id)
    from purchases p
   cross join lateral (values (-1), (purchase_day(p.id))) as levels (day)
   where p.wallet_id = p_wallet_id
     and p.id > v_counted_id
     and p.id <= v_last_id
     and p.status <> 'pending'
   group by levels.day, p.product_id, p.status, p.channel
   order by levels.day, p.product_id, p.status, p.channel
      on conflict (wallet_id, day, product_id, status, channel) do update
         set purchases = c.purchases + excluded.purchases,
             charged = c.charged + excluded.charged,
             first_id = least(c.first_id, excluded.first_id),
             last_id = greatest(c.last_id, excluded.last_id);

  update wallets w
     set counted_id = v_last_id
   where w.wallet_id = p_wallet_id;
  return v_rows;
end
$$;
