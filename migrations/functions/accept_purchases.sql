-- Accepts a batch of purchases: charge, purchase, entry, and inflight row where the outcome is not known yet.
-- One call is one commit. Each item gets its own outcome, in their order, and no item fails another.
-- called on: batched connections, whose settings fit its plans (src/platform/database/connection-config.ts), and by
--            place_bulk_order, which sets the same.
-- writes: wallets, ledger_entries, purchases, inflight
-- calls: wait_for_wallets
-- locks: wallets, in key order. One that somebody holds for longer than a moment is passed by: its items alone wait.
-- safe to repeat: an item whose own id is stored already is answered as accepted, nothing is written again.
--
-- outcome: accepted · known (the reference names another purchase; read it) · bulk (it names a bulk order) ·
--          late (its id lies below what is counted already; make a new one) · insufficient · over_limit ·
--          retry (it fits, but stood behind others that used the balance up, or where no balance is said, somebody
--          holds its wallet; send it again) · no_wallet
--
-- Two processes do not see midnight at the same moment. Where another one has begun the next day already, what is spent
-- counts there: a day that went back and forth between them would begin anew each time, and limit nothing.
create or replace function accept_purchases(p_items new_purchase[], p_day date)
returns table (outcome text, number bigint, balance_before bigint, day_spent bigint)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_wanted integer[] := array(select distinct i.wallet_id from unnest(p_items) as i);
  -- The wallets that are locked here, in one order: what each holds, and below that, what the items ask of it.
  v_wallet_ids integer[] := '{}';
  v_balances bigint[];
  v_entries bigint[];
  v_purchases bigint[];
  v_counted_ids bigint[];
  v_days date[];
  v_days_spent bigint[];
  v_requested bigint[];
  v_least_limits bigint[];
  v_charged bigint[];
  v_charges bigint[];
  -- Of the items: what their references name already, and what becomes of them.
  v_known record;
  v_known_ids bigint[] := array_fill(null::bigint, array[cardinality(p_items)]);
  v_numbers bigint[] := v_known_ids;
  v_before bigint[] := v_known_ids;
  v_seqs bigint[] := v_known_ids;
  v_spent_today bigint[] := v_known_ids;
  v_limit_days date[] := array_fill(null::date, array[cardinality(p_items)]);
  v_is_bulk boolean[] := array_fill(false, array[cardinality(p_items)]);
  v_is_fresh boolean[] := v_is_bulk;
  v_outcomes text[] := array_fill(null::text, array[cardinality(p_items)]);
  v_item record;
  v_wallet integer;
  v_outcome text;
begin
  -- The door: a write, of nothing, before anything is locked or read. With Citus a lock keeps no wallet from moving to
  -- another node meanwhile, a write does (docs/scale.md).
  update wallets w
     set seq = w.seq
   where w.wallet_id = 0;

  -- Wallets that nobody holds, and where some are missing, all of them if they come free in a moment.
  for v_round in 1 .. 2 loop
    exit when cardinality(v_wallet_ids) = cardinality(v_wanted)
      or v_round = 2 and not wait_for_wallets(v_wanted);
    select coalesce(array_agg(w.wallet_id), '{}'), array_agg(w.balance), array_agg(w.seq),
           array_agg(w.purchase_number), array_agg(w.counted_id),
           -- The day of the wallet is the later one of its own and p_day: see above.
           array_agg(case when w.day in (p_day, p_day + 1) then w.day else p_day end),
           array_agg(case when w.day in (p_day, p_day + 1) then w.day_spent else 0 end)
      into v_wallet_ids, v_balances, v_entries, v_purchases, v_counted_ids, v_days, v_days_spent
      from (
             select l.*
               from wallets l
              where l.wallet_id = any (v_wanted)
              order by l.wallet_id
                for update skip locked
           ) w;
  end loop;
  v_requested := array_fill(0::bigint, array[cardinality(v_wallet_ids)]);
  v_charged := v_requested;
  v_charges := v_requested;
  v_least_limits := array_fill(null::bigint, array[cardinality(v_wallet_ids)]);

  -- Statements of their own: waiting for a lock does not refresh the snapshot that a statement reads from.
  for v_known in
    select i.ordinality as nth, p.id, p.number, p.balance_before
      from unnest(p_items) with ordinality as i
      join purchases p
        on p.wallet_id = i.wallet_id and p.reference = i.reference and p.reference <> ''
  loop
    v_known_ids[v_known.nth] := v_known.id;
    v_numbers[v_known.nth] := v_known.number;
    v_before[v_known.nth] := v_known.balance_before;
  end loop;
  for v_known in
    select i.ordinality as nth
      from unnest(p_items) with ordinality as i
      join bulk_orders b
        on b.wallet_id = i.wallet_id and b.reference = i.reference and b.reference <> ''
  loop
    v_is_bulk[v_known.nth] := true;
  end loop;

  for v_item in
    select i.ordinality as nth, i.wallet_id, i.id, i.total, i.day_limit
      from unnest(p_items) with ordinality as i
  loop
    v_wallet := array_position(v_wallet_ids, v_item.wallet_id);
    v_spent_today[v_item.nth] := v_days_spent[v_wallet];
    if v_known_ids[v_item.nth] is not null then
      v_outcome := case when v_known_ids[v_item.nth] = v_item.id then 'accepted' else 'known' end;
    elsif v_is_bulk[v_item.nth] then
      v_outcome := 'bulk';
    elsif v_wallet is null then
      v_outcome :=
        case
          when exists (select 1 from wallets w where w.wallet_id = v_item.wallet_id) then 'retry'
          else 'no_wallet'
        end;
    else
      v_before[v_item.nth] := v_balances[v_wallet];
      if v_item.id <= v_counted_ids[v_wallet] then
        v_outcome := 'late';
      -- Limits before the balance, as the contract orders its refusals.
      elsif v_days_spent[v_wallet] + v_item.total > v_item.day_limit then
        v_outcome := 'over_limit';
      elsif v_item.total > v_balances[v_wallet] then
        v_outcome := 'insufficient';
      else
        v_outcome := 'retry';
        -- Once one has to wait, so do all behind it, smaller ones and those of a higher limit too: numbers stay
        -- gapless. What was asked for only grows from item to item, and the least limit only falls.
        v_requested[v_wallet] := v_requested[v_wallet] + v_item.total;
        if v_item.day_limit is not null then
          v_least_limits[v_wallet] := least(v_least_limits[v_wallet], v_item.day_limit);
        end if;
        if v_requested[v_wallet] <= v_balances[v_wallet]
          and (v_days_spent[v_wallet] + v_requested[v_wallet] > v_least_limits[v_wallet]) is not true then
          v_outcome := 'accepted';
          v_is_fresh[v_item.nth] := true;
          v_charges[v_wallet] := v_charges[v_wallet] + 1;
          v_numbers[v_item.nth] := v_purchases[v_wallet] + v_charges[v_wallet];
          v_seqs[v_item.nth] := v_entries[v_wallet] + v_charges[v_wallet];
          v_before[v_item.nth] := v_balances[v_wallet] - v_charged[v_wallet];
          v_limit_days[v_item.nth] := v_days[v_wallet];
          v_charged[v_wallet] := v_charged[v_wallet] + v_item.total;
        end if;
      end if;
    end if;
    v_outcomes[v_item.nth] := v_outcome;
  end loop;

  if true = any (v_is_fresh) then
    update wallets w
       set balance = w.balance - c.total,
           seq = w.seq + c.purchases,
           purchase_count = w.purchase_count + c.purchases,
           purchase_number = w.purchase_number + c.purchases,
           day = c.day,
           day_spent = c.day_spent + c.total,
           -- Once a crossing: the next one needs the balance to have been up there again.
           low_balance_due = w.low_balance_due
             or coalesce(
                  w.balance >= w.low_balance_threshold and w.balance - c.total < w.low_balance_threshold,
                  false
                ),
           updated_at = now()
      from unnest(v_wallet_ids, v_charged, v_charges, v_days, v_days_spent)
             as c (wallet_id, total, purchases, day, day_spent)
     where w.wallet_id = c.wallet_id
       and c.purchases > 0;

    insert into purchases (
      number, status, balance_before, purchased_at, completed_at, limit_day,
      -- Generated by `npm run generate`: the columns that are stored as they come.
      wallet_id, bulk_reference, bulk_line, provider_reference, fulfilment, cost, foreign_cost, route_reason, id,
      reference, fingerprint, channel, product_id, customer_ref, phone, quantity, unit_amount, face_amount, fee, total,
      supplier, supplier_code, details, metadata
      -- End.
    )
    select v_numbers[i.ordinality], case when i.settled then 'successful' else 'pending' end, v_before[i.ordinality],
           t.made_at, case when i.settled then t.made_at end,
           v_limit_days[i.ordinality],
           -- Generated by `npm run generate`: the same of an item.
           i.wallet_id, i.bulk_reference, i.bulk_line, i.provider_reference, i.fulfilment, i.cost, i.foreign_cost,
           i.route_reason, i.id, i.reference, i.fingerprint, i.channel, i.product_id, i.customer_ref, i.phone,
           i.quantity, i.unit_amount, i.face_amount, i.fee, i.total, i.supplier, i.supplier_code, i.details, i.metadata
           -- End.
      from unnest(p_items) with ordinality as i
     -- The id carries its time: 41 bits of milliseconds since 2020 above 22 others.
     cross join lateral (select to_timestamp(((i.id >> 22) + 1577836800000) / 1000.0) as made_at) t
     where v_is_fresh[i.ordinality];

    insert into ledger_entries (
      wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id
    )
    select i.wallet_id, v_seqs[i.ordinality], 'purchase', 'wallet', 'clearing', i.total, -i.total,
           v_before[i.ordinality] - i.total, i.id
      from unnest(p_items) with ordinality as i
     where v_is_fresh[i.ordinality];

    insert into inflight (wallet_id, purchase_id, due_at, step)
    select i.wallet_id, i.id, now() + make_interval(secs => i.due_seconds), i.step
      from unnest(p_items) with ordinality as i
     where v_is_fresh[i.ordinality]
       and not i.settled;
  end if;

  return query
  select o.outcome, v_numbers[o.nth], v_before[o.nth], v_spent_today[o.nth]
    from unnest(v_outcomes) with ordinality as o (outcome, nth)
   order by o.nth;
end
$$;
