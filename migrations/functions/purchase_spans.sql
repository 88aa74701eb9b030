-- The spans of fifty days, as `purchases_by_customer` counts them, in which a wallet has purchases within a range of
-- ids. Two probes of the index; empty where there are none.
-- writes: none
create or replace function purchase_spans(
  p_wallet_id integer,
  p_from_id bigint,
  p_before_id bigint
)
returns int4range
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_first bigint;
  v_last bigint;
begin
  select p.id into v_first
    from purchases p
   where p.wallet_id = p_wallet_id
     and p.id >= p_from_id
     and p.id < p_before_id
   order by p.id
   limit 1;
  select p.id into v_last
    from purchases p
   where p.wallet_id = p_wallet_id
     and p.id >= p_from_id
     and p.id < p_before_id
   order by p.id desc
   limit 1;
  if v_first is null then
    return 'empty';
  end if;
  return int4range((v_first >> 54)::integer, (v_last >> 54)::integer, '[]');
end
$$;
