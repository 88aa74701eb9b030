-- How many of a wallet's purchases have a status, one of some products, a channel, and an id within a range: exactly,
-- from the counts, what lies above counted_id, what is pending below it, and the days that the range only touches.
-- Null leaves a filter out. p_first_day and p_last_day are the days that lie in the range as a whole (-1 and -1: all
-- time; first above last: none), p_edge_from and p_edge_before what else of it is left.
-- writes: none
create or replace function count_purchases_by_facts(
  p_wallet_id integer,
  p_status text,
  p_product_ids integer[],
  p_channel text,
  p_from_id bigint,
  p_before_id bigint,
  p_first_day integer,
  p_last_day integer,
  p_edge_from bigint[],
  p_edge_before bigint[]
)
returns bigint
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_counted_id bigint;
  v_total bigint := 0;
  v_more bigint;
begin
  select w.counted_id into v_counted_id
    from wallets w
   where w.wallet_id = p_wallet_id;

  if p_status is distinct from 'pending' then
    -- A statement each, so that the index finds the products: comparing every row with the hundred of a category takes
    -- twice as long as reading it (measured over a month of 2,300 rows: 1.2 ms and 0.45 ms).
    if p_product_ids is null then
      select coalesce(sum(c.purchases), 0) into v_total
        from purchase_counts c
       where c.wallet_id = p_wallet_id
         and c.day between p_first_day and p_last_day
         and (p_status is null or c.status = p_status)
         and (p_channel is null or c.channel = p_channel);
    else
      select coalesce(sum(c.purchases), 0) into v_total
        from purchase_counts c
       where c.wallet_id = p_wallet_id
         and c.day between p_first_day and p_last_day
         and c.product_id = any (p_product_ids)
         and (p_status is null or c.status = p_status)
         and (p_channel is null or c.channel = p_channel);
    end if;

    -- One after the other: as a join, a planner without statistics reads everything once for both.
    for v_edge in 1 .. cardinality(p_edge_from) loop
      select count(*) into v_more
        from purchases p
       where p.wallet_id = p_wallet_id
         and p.id >= p_edge_from[v_edge]
         and p.id < least(p_edge_before[v_edge], v_counted_id + 1)
         and p.status <> 'pending'
         and (p_status is null or p.status = p_status)
         and (p_product_ids is null or p.product_id = any (p_product_ids))
         and (p_channel is null or p.channel = p_channel);
      v_total := v_total + v_more;
    end loop;

    select count(*) into v_more
      from purchases p
     where p.wallet_id = p_wallet_id
       and p.id > v_counted_id
       and p.id >= p_from_id
       and p.id < p_before_id
       and p.status <> 'pending'
       and (p_status is null or p.status = p_status)
       and (p_product_ids is null or p.product_id = any (p_product_ids))
       and (p_channel is null or p.channel = p_channel);
    v_total := v_total + v_more;
  end if;

  if p_status is null or p_status = 'pending' then
    select count(*) into v_more
      from purchases p
     where p.wallet_id = p_wallet_id
       and p.id = any (array(
             select f.purchase_id
               from inflight f
              where f.wallet_id = p_wallet_id
                and f.purchase_id >= p_from_id
                and f.purchase_id < p_before_id
           ))
       and (p_product_ids is null or p.product_id = any (p_product_ids))
       and (p_channel is null or p.channel = p_channel);
    v_total := v_total + v_more;
  end if;
  return v_total;
end
$$;
