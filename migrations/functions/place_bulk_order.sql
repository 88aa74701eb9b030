-- Places a bulk order: all of its lines are charged and recorded as purchases are (accept_purchases), or none. One call
-- is one commit. p_kinds holds a whole line of each kind; p_lines come in the order of their ids, and say what is their
-- own.
-- writes: bulk_orders
-- calls: accept_purchases, wait_for_wallets
-- locks: the wallet, where nobody else holds it for longer than a moment.
-- safe to repeat: an order whose own id is stored already is answered as placed, nothing is written again.
--
-- outcome: placed · known (the reference names an order; read it) · purchase (it names a purchase) ·
--          late (its ids lie below what is counted already, or where no balance is said, somebody holds the wallet) ·
--          insufficient · over_limit · taken (the lines in taken_lines have references that are used already)
create or replace function place_bulk_order(
  p_wallet_id integer,
  p_order_id bigint,
  p_order_reference text,
  p_order_category text,
  p_order_fingerprint uuid,
  p_order_amount bigint,
  p_order_total bigint,
  p_lines bulk_line[],
  p_kinds new_purchase[],
  p_day date
)
returns table (outcome text, taken_lines integer[], balance bigint, day_spent bigint)
language plpgsql
-- As the sessions have them that accept_purchases is made for.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_kinds new_purchase[] := p_kinds;
  v_line record;
  v_item new_purchase;
  v_items new_purchase[];
  v_wallet wallets%rowtype;
  v_spent_today bigint;
  v_known bulk_orders%rowtype;
  v_refusal text;
  v_taken integer[];
  v_accepted bigint;
begin
  for v_line in
    select l.*
      from unnest(p_lines) with ordinality as l
  loop
    v_item := v_kinds[v_line.kind];
    v_item.bulk_reference := p_order_reference;
    v_item.bulk_line := v_line.ordinality - 1;
    v_item.id := v_line.id;
    v_item.reference := v_line.reference;
    v_item.fingerprint := v_line.fingerprint;
    v_item.customer_ref := v_line.phone;
    v_item.phone := v_line.phone;
    v_item.provider_reference := v_line.provider_reference;
    v_items[v_line.ordinality] := v_item;
  end loop;

  if not wait_for_wallets(array[p_wallet_id]) then
    return query select 'late', null::integer[], null::bigint, 0::bigint;
    return;
  end if;
  select w.* into v_wallet
    from wallets w
   where w.wallet_id = p_wallet_id;
  -- The next day may have begun elsewhere: see accept_purchases.
  v_spent_today := case when v_wallet.day in (p_day, p_day + 1) then v_wallet.day_spent else 0 end;

  select b.* into v_known
    from bulk_orders b
   where b.wallet_id = p_wallet_id and b.reference = p_order_reference and b.reference <> '';
  if v_known.id = p_order_id then
    return query select 'placed', null::integer[], v_known.balance_before, v_spent_today;
    return;
  elsif v_known.id is not null then
    return query select 'known', null::integer[], v_wallet.balance, v_spent_today;
    return;
  elsif exists (
    select 1
      from purchases p
     where p.wallet_id = p_wallet_id and p.reference = p_order_reference and p.reference <> ''
  ) then
    return query select 'purchase', null::integer[], v_wallet.balance, v_spent_today;
    return;
  end if;

  v_refusal := case
                 when least(p_order_id, v_items[1].id) <= v_wallet.counted_id then 'late'
                 when v_spent_today + p_order_total > v_items[1].day_limit then 'over_limit'
                 when p_order_total > v_wallet.balance or v_wallet.debt > 0 then 'insufficient'
               end;
  if v_refusal is null then
    begin
      select array_agg(a.nth - 1 order by a.nth) filter (where a.outcome in ('known', 'bulk')),
             count(*) filter (where a.outcome = 'accepted')
        into v_taken, v_accepted
        from accept_purchases(v_items, p_day)
               with ordinality as a (outcome, number, balance_before, day_spent, nth);
      if v_accepted = cardinality(p_lines) then
        insert into bulk_orders (
          wallet_id, id, reference, category, fingerprint, lines, amount, total, balance_before, open_lines,
          over_at_once, created_at
        )
        select p_wallet_id, p_order_id, p_order_reference, p_order_category, p_order_fingerprint, cardinality(p_lines),
               p_order_amount, p_order_total, v_wallet.balance, count(*) filter (where not i.settled),
               -- What waits for neither a worker nor a question ends before the order is answered.
               bool_and(i.settled or i.step = 'dispatch'),
               to_timestamp(((p_order_id >> 22) + 1577836800000) / 1000.0)
          from unnest(v_items) as i
        having sum(i.total) = p_order_total;
        if not found then
          raise exception 'broken promise: the lines of a bulk order make its total' using errcode = 'assert_failure';
        end if;
        return query select 'placed', null::integer[], v_wallet.balance, v_spent_today;
        return;
      end if;
      raise exception 'some lines are taken'; -- what was charged for the others is taken back
    exception
      when raise_exception then
        null;
    end;
  else
    select array_agg(i.ordinality - 1 order by i.ordinality) into v_taken
      from unnest(p_lines) with ordinality as i
     where exists (
             select 1
               from purchases p
              where p.wallet_id = p_wallet_id and p.reference = i.reference and p.reference <> ''
           )
        or exists (
             select 1
               from bulk_orders b
              where b.wallet_id = p_wallet_id and b.reference = i.reference and b.reference <> ''
           );
  end if;

  if v_taken is null and v_refusal is null then
    raise exception 'broken promise: lines of a bulk order were refused for no reason that is known';
  end if;
  return query
  select case when v_taken is null then v_refusal else 'taken' end, v_taken, v_wallet.balance, v_spent_today;
end
$$;
