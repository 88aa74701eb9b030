-- A wallet's final purchases of each day from p_first_day to p_last_day, and what was charged for them: as counted in
-- advance, and what lies above counted_id read through, which is less than a minute's worth. Days without any are left
-- out. Settings as in count_purchases_by_facts.
-- writes: none
create or replace function list_purchase_days(
  p_wallet_id integer,
  p_first_day integer,
  p_last_day integer
)
returns table (day integer, status text, purchases bigint, charged bigint)
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_counted_id bigint;
begin
  select w.counted_id into v_counted_id
    from wallets w
   where w.wallet_id = p_wallet_id;

  return query
  select c.day, c.status, sum(c.purchases)::bigint, sum(c.charged)::bigint
    from purchase_counts c
   where c.wallet_id = p_wallet_id
     and c.day between p_first_day and p_last_day
   group by c.day, c.status;

  return query
  select purchase_day(p.id), p.status, count(*), sum(p.total)::bigint
    from purchases p
   where p.wallet_id = p_wallet_id
     and p.id > v_counted_id
     and p.status <> 'pending'
   group by 1, p.status;
end
$$;
