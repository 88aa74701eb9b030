-- Places a bulk order: all of its lines are charged and recorded, or none. One call is one commit.
-- What accept_purchases decides line by line is decided here once for all, under the wallet's lock: ten thousand
-- lines then cost little more than writing them. p_kinds holds a whole line of each kind; p_lines come in the order of
-- their ids, and say what is their own.
-- writes: bulk_orders, wallets, ledger_entries, purchases, inflight
-- locks: the wallet.
-- safe to repeat: an order whose own id is stored already is answered as placed, nothing is written again.
--
-- outcome: placed · known (the reference names an order; read it) · purchase (it names a purchase) ·
--          late (its ids lie below what is counted already) · insufficient · over_limit ·
--          taken (the lines in taken_lines have references that are used already)
create or replace function place_bulk_order(
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
set enable_seqscan = off
set enable_mergejoin = off
-- Lines meet their kinds by hashing: there may be as many kinds as lines.
set enable_hashjoin = on
set enable_nestloop = off
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  v_first constant new_purchase := p_kinds[1];
  v_wallet wallets%rowtype;
  v_known bulk_orders%rowtype;
  v_spent_today bigint;
  v_refusal text;
  v_taken integer[];
  v_placed integer := 0;
begin
  perform 1
     from wallets w
    where w.bucket = v_first.bucket and w.merchant_id = v_first.merchant_id and w.mode = v_first.mode
      for update;

  -- A statement of its own: waiting for a lock does not refresh the snapshot that a statement reads from.
  select w.* into v_wallet
    from wallets w
   where w.bucket = v_first.bucket and w.merchant_id = v_first.merchant_id and w.mode = v_first.mode;
  -- The next day may have begun elsewhere: see accept_purchases.
  v_spent_today := case when v_wallet.day in (p_day, p_day + 1) then v_wallet.day_spent else 0 end;

  select b.* into v_known
    from bulk_orders b
   where b.bucket = v_first.bucket
     and b.merchant_id = v_first.merchant_id
     and b.mode = v_first.mode
     and b.reference = p_order_reference;
  if v_known.id = p_order_id then
    return query select 'placed', null::integer[], v_known.balance_before, v_spent_today;
    return;
  elsif v_known.id is not null then
    return query select 'known', null::integer[], v_wallet.balance, v_spent_today;
    return;
  end if;

  if exists (
    select 1
      from purchases p
     where p.bucket = v_first.bucket
       and p.merchant_id = v_first.merchant_id
       and p.mode = v_first.mode
       and p.reference = p_order_reference
  ) then
    return query select 'purchase', null::integer[], v_wallet.balance, v_spent_today;
    return;
  end if;

  v_refusal := case
                 when least(p_order_id, p_lines[1].id) <= v_wallet.counted_id then 'late'
                 when v_spent_today + p_order_total > v_first.day_limit then 'over_limit'
                 when p_order_total > v_wallet.balance then 'insufficient'
               end;

  if v_refusal is null and not exists (
    select 1
      from bulk_orders b
     where b.bucket = v_first.bucket
       and b.merchant_id = v_first.merchant_id
       and b.mode = v_first.mode
       and b.reference = any (array(select i.reference from unnest(p_lines) as i))
  ) then
    -- Whether a purchase has one of the references, the index says while it is written: looking first took an eighth of
    -- an order's time.
    begin
      with charged as materialized (
        select i.*,
               k.settled,
               k.step,
               k.total,
               (sum(k.total) over through_line)::bigint as spent
          from unnest(p_lines)
                 with ordinality as i (id, reference, fingerprint, phone, provider_reference, kind, nth)
          join unnest(p_kinds) with ordinality as k
            on k.ordinality = i.kind
        window through_line as (order by i.nth rows between unbounded preceding and current row)
      ),
      bought as (
        insert into purchases (
          bucket, merchant_id, mode, id, reference, number, fingerprint, channel, status, product_id, customer_ref,
          phone, quantity, unit_amount, face_amount, fee, total, balance_before, supplier, provider_reference, details,
          fulfilment, metadata, bulk_reference, bulk_line, supplier_code, cost, route_reason, purchased_at,
          completed_at, limit_day
        )
        select v_first.bucket, v_first.merchant_id, v_first.mode, c.id, c.reference, v_wallet.purchase_number + c.nth,
               c.fingerprint, k.channel, case when k.settled then 'successful' else 'pending' end, k.product_id,
               c.phone, c.phone, k.quantity, k.unit_amount, k.face_amount, k.fee, k.total,
               v_wallet.balance - c.spent + k.total, k.supplier, c.provider_reference, k.details::json,
               k.fulfilment::json, k.metadata::json, p_order_reference, c.nth - 1, k.supplier_code, k.cost,
               k.route_reason, t.made_at, case when k.settled then t.made_at end,
               case when v_wallet.day = p_day + 1 then v_wallet.day else p_day end
          from charged c
          join unnest(p_kinds) with ordinality as k
            on k.ordinality = c.kind
         -- The id carries its time: 41 bits of milliseconds since 2020 above 22 others.
         cross join lateral (select to_timestamp(((c.id >> 22) + 1577836800000) / 1000.0) as made_at) t
      ),
      entered as (
        insert into ledger_entries (
          bucket, merchant_id, mode, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id
        )
        select v_first.bucket, v_first.merchant_id, v_first.mode, v_wallet.seq + c.nth, 'purchase', 'wallet',
               'clearing', c.total, -c.total, v_wallet.balance - c.spent, c.id
          from charged c
      ),
      awaited as (
        insert into inflight (bucket, merchant_id, mode, purchase_id, due_at, step)
        select v_first.bucket, v_first.merchant_id, v_first.mode, c.id, now() + make_interval(secs => k.due_seconds),
               k.step
          from charged c
          join unnest(p_kinds) with ordinality as k
            on k.ordinality = c.kind
         where not c.settled
      ),
      ordered as (
        insert into bulk_orders (
          bucket, merchant_id, mode, id, reference, category, fingerprint, lines, amount, total, balance_before,
          open_lines, over_at_once, created_at
        )
        select v_first.bucket, v_first.merchant_id, v_first.mode, p_order_id, p_order_reference, p_order_category,
               p_order_fingerprint, cardinality(p_lines), p_order_amount, p_order_total, v_wallet.balance,
               count(*) filter (where not c.settled),
               -- What waits for neither a worker nor a question ends before the order is answered.
               bool_and(c.settled or c.step = 'dispatch'),
               to_timestamp(((p_order_id >> 22) + 1577836800000) / 1000.0)
          from charged c
      )
      update wallets w
         set balance = w.balance - c.total,
             seq = w.seq + c.lines,
             purchase_count = w.purchase_count + c.lines,
             purchase_number = w.purchase_number + c.lines,
             day = case when w.day = p_day + 1 then w.day else p_day end,
             day_spent = v_spent_today + c.total,
             -- Once a crossing: the next one needs the balance to have been up there again.
             low_balance_owed = w.low_balance_owed
               or coalesce(
                    w.balance >= w.low_balance_threshold and w.balance - c.total < w.low_balance_threshold,
                    false
                  ),
             updated_at = now()
        from (select sum(charged.total)::bigint as total, count(*) as lines from charged) c
       where w.bucket = v_first.bucket
         and w.merchant_id = v_first.merchant_id
         and w.mode = v_first.mode
         and c.total = p_order_total
         and c.lines = cardinality(p_lines);
      get diagnostics v_placed = row_count;
      if v_placed <> 1 then
        raise exception 'broken promise: the lines of a bulk order make its total';
      end if;
      return query select 'placed', null::integer[], v_wallet.balance, v_spent_today;
      return;
    exception
      when unique_violation then
        null;
    end;
  end if;

  -- Looked up one by one: where the planner may choose, and knows nothing, it hashes all that the wallet ever bought.
  select array_agg(i.nth - 1 order by i.nth) into v_taken
    from unnest(p_lines) with ordinality as i (id, reference, fingerprint, phone, provider_reference, kind, nth)
    left join lateral (
           select p.id
             from purchases p
            where p.bucket = v_first.bucket
              and p.merchant_id = v_first.merchant_id
              and p.mode = v_first.mode
              and p.reference = i.reference
            limit 1
         ) p
      on true
    left join lateral (
           select b.id
             from bulk_orders b
            where b.bucket = v_first.bucket
              and b.merchant_id = v_first.merchant_id
              and b.mode = v_first.mode
              and b.reference = i.reference
            limit 1
         ) b
      on true
   where p.id is not null
      or b.id is not null;
  if v_taken is not null then
    return query select 'taken', v_taken, v_wallet.balance, v_spent_today;
  elsif v_refusal is not null then
    return query select v_refusal, null::integer[], v_wallet.balance, v_spent_today;
  else
    raise exception 'broken promise: lines of a bulk order were refused for no reason that is known';
  end if;
end
$$;
