-- Ids of a wallet's purchases of a status, of some products and of a channel, newest first: p_limit of them after
-- p_offset, or fewer. Null leaves a filter out. Reads what lies above counted_id, then walks backwards over those days
-- alone on which the counts say that something matches, between the first and the last that does; days that the offset
-- skips are not read at all. So a rare match is not sought through all that there is.
-- Not for status 'pending': those are in inflight.
-- writes: none
create or replace function list_purchases_by_facts(
  p_wallet_id integer,
  p_status text,
  p_product_ids integer[],
  p_channel text,
  p_from_id bigint,
  p_before_id bigint,
  p_offset bigint,
  p_limit bigint
)
returns setof bigint
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_counted_id bigint;
  v_day integer := purchase_day(p_before_id) + 1;
  v_counted_day integer;
  -- Purchases that were pending when the others were counted are in no day's count. Newest first.
  v_pending bigint[];
  v_at integer := 1;
  v_low bigint;
  v_high bigint := p_before_id - 1;
  -- How many match between v_low and v_high; null while that is not known.
  v_count bigint;
  -- How many of the counted matches lie on days not walked yet.
  v_unseen bigint;
  v_skip bigint := p_offset;
  v_left bigint := p_limit;
  v_rows bigint;
begin
  select w.counted_id into v_counted_id
    from wallets w
   where w.wallet_id = p_wallet_id;
  v_low := greatest(p_from_id, v_counted_id + 1);

  select coalesce(sum(c.purchases), 0) into v_unseen
    from purchase_counts c
   where c.wallet_id = p_wallet_id
     and c.day = -1
     and (p_status is null or c.status = p_status)
     and (p_product_ids is null or c.product_id = any (p_product_ids))
     and (p_channel is null or c.channel = p_channel);

  if p_status is null then
    v_pending := array(
      select p.id
        from purchases p
       where p.wallet_id = p_wallet_id
         and p.id = any (array(
               select f.purchase_id
                 from inflight f
                where f.wallet_id = p_wallet_id
                  and f.purchase_id >= p_from_id
                  and f.purchase_id < least(p_before_id, v_counted_id + 1)
             ))
         and (p_product_ids is null or p.product_id = any (p_product_ids))
         and (p_channel is null or p.channel = p_channel)
       order by p.id + 0 desc -- put in order afterwards: before PostgreSQL 17 an index gives an order or takes a list
    );
  end if;

  loop
    if v_count <= v_skip then
      v_skip := v_skip - v_count;
    else
      return query
      select p.id
        from purchases p
       where p.wallet_id = p_wallet_id
         and p.id >= v_low
         and p.id <= v_high
         and (p_status is null or p.status = p_status)
         and (p_product_ids is null or p.product_id = any (p_product_ids))
         and (p_channel is null or p.channel = p_channel)
       order by p.id desc
       limit v_left
      offset v_skip;
      get diagnostics v_rows = row_count;
      v_left := v_left - v_rows;
      exit when v_left = 0;
      if v_rows > 0 then
        v_skip := 0;
      elsif v_skip > 0 then
        select v_skip - count(*) into v_skip
          from purchases p
         where p.wallet_id = p_wallet_id
           and p.id >= v_low
           and p.id <= v_high
           and (p_status is null or p.status = p_status)
           and (p_product_ids is null or p.product_id = any (p_product_ids))
           and (p_channel is null or p.channel = p_channel);
      end if;
    end if;

    v_counted_day := null;
    if v_unseen > 0 then
      select c.day into v_counted_day
        from purchase_counts c
       where c.wallet_id = p_wallet_id
         and c.day >= purchase_day(p_from_id)
         and c.day < v_day
         and c.purchases > 0
         and (p_status is null or c.status = p_status)
         and (p_product_ids is null or c.product_id = any (p_product_ids))
         and (p_channel is null or c.channel = p_channel)
       order by c.day desc, c.product_id desc, c.status desc, c.channel desc
       limit 1;
    end if;
    v_day := greatest(v_counted_day, purchase_day(v_pending[v_at]));
    exit when v_day is null;

    select sum(c.purchases), min(c.first_id), max(c.last_id) into v_count, v_low, v_high
      from purchase_counts c
     where c.wallet_id = p_wallet_id
       and c.day = v_day
       and c.purchases > 0
       and (p_status is null or c.status = p_status)
       and (p_product_ids is null or c.product_id = any (p_product_ids))
       and (p_channel is null or c.channel = p_channel);
    v_unseen := v_unseen - coalesce(v_count, 0);
    while purchase_day(v_pending[v_at]) = v_day loop
      v_low := least(v_low, v_pending[v_at]);
      v_high := greatest(v_high, v_pending[v_at]);
      v_count := coalesce(v_count, 0) + 1;
      v_at := v_at + 1;
    end loop;
    if v_low < p_from_id or v_high >= p_before_id then
      v_low := greatest(v_low, p_from_id);
      v_high := least(v_high, p_before_id - 1);
      v_count := null;
    end if;
  end loop;
end
$$;
