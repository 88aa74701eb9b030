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
  -- Of the wallets: all that are asked for, and those that are locked here.
  v_wanted integer[] := array(select distinct i.wallet_id from unnest(p_items) as i);
  v_wallet_ids integer[] := '{}';
  v_wallet wallets%rowtype;
  v_wallets wallets[];
  v_requested bigint[];
  v_least_limit bigint[];
  v_charged bigint[];
  v_charges integer[];
  -- Of the items: what their references name already, and what becomes of them.
  v_known record;
  v_known_ids bigint[] := array_fill(null::bigint, array[cardinality(p_items)]);
  v_numbers bigint[] := v_known_ids;
  v_before bigint[] := v_known_ids;
  v_seqs bigint[] := v_known_ids;
  v_spent_today bigint[] := v_known_ids;
  v_is_bulk boolean[] := array_fill(false, array[cardinality(p_items)]);
  v_is_fresh boolean[] := v_is_bulk;
  v_outcomes text[] := array_fill(null::text, array[cardinality(p_items)]);
  v_item record;
  v_nth integer;
  v_fits boolean;
begin
  -- Wallets that nobody holds, and where some are missing, these too if they come free in a moment.
  for v_round in 1 .. 2 loop
    exit when cardinality(v_wallet_ids) = cardinality(v_wanted)
      or v_round = 2 and not wait_for_wallets(v_wanted);
    for v_wallet in
      select w.*
        from wallets w
       where w.wallet_id = any (v_wanted)
         and w.wallet_id <> all (v_wallet_ids)
       order by w.wallet_id
         for update skip locked
    loop
      -- The day of the wallet is the later one of its own and p_day: see above.
      if v_wallet.day not in (p_day, p_day + 1) then
        v_wallet.day := p_day;
        v_wallet.day_spent := 0;
      end if;
      v_wallet_ids := v_wallet_ids || v_wallet.wallet_id;
      v_wallets := v_wallets || v_wallet;
      v_requested := v_requested || 0::bigint;
      v_charged := v_charged || 0::bigint;
      v_charges := v_charges || 0;
      v_least_limit := v_least_limit || null::bigint;
    end loop;
  end loop;

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
    v_nth := array_position(v_wallet_ids, v_item.wallet_id);
    v_wallet := v_wallets[v_nth];
    v_spent_today[v_item.nth] := v_wallet.day_spent;
    v_before[v_item.nth] := coalesce(v_before[v_item.nth], v_wallet.balance);
    if v_known_ids[v_item.nth] = v_item.id then
      v_outcomes[v_item.nth] := 'accepted';
    elsif v_known_ids[v_item.nth] is not null then
      v_outcomes[v_item.nth] := 'known';
    elsif v_is_bulk[v_item.nth] then
      v_outcomes[v_item.nth] := 'bulk';
    elsif v_nth is null then
      v_outcomes[v_item.nth] :=
        case
          when exists (select 1 from wallets w where w.wallet_id = v_item.wallet_id) then 'retry'
          else 'no_wallet'
        end;
    elsif v_item.id <= v_wallet.counted_id then
      v_outcomes[v_item.nth] := 'late';
    -- Limits before the balance, as the contract orders its refusals.
    elsif v_wallet.day_spent + v_item.total > v_item.day_limit then
      v_outcomes[v_item.nth] := 'over_limit';
    elsif v_item.total > v_wallet.balance then
      v_outcomes[v_item.nth] := 'insufficient';
    else
      v_outcomes[v_item.nth] := 'retry';
      -- Once one has to wait, so do all behind it, smaller ones and those of a higher limit too: numbers stay gapless.
      -- What was asked for only grows from item to item, and the least limit only falls.
      v_requested[v_nth] := v_requested[v_nth] + v_item.total;
      v_least_limit[v_nth] := least(v_least_limit[v_nth], v_item.day_limit);
      if v_requested[v_nth] <= v_wallet.balance
        and (v_wallet.day_spent + v_requested[v_nth] > v_least_limit[v_nth]) is not true then
        v_outcomes[v_item.nth] := 'accepted';
        v_is_fresh[v_item.nth] := true;
        v_charges[v_nth] := v_charges[v_nth] + 1;
        v_numbers[v_item.nth] := v_wallet.purchase_number + v_charges[v_nth];
        v_seqs[v_item.nth] := v_wallet.seq + v_charges[v_nth];
        v_before[v_item.nth] := v_wallet.balance - v_charged[v_nth];
        v_charged[v_nth] := v_charged[v_nth] + v_item.total;
      end if;
    end if;
  end loop;

  if true = any (v_is_fresh) then
    update wallets w
       set balance = w.balance - c.total,
           seq = w.seq + c.purchases,
           purchase_count = w.purchase_count + c.purchases,
           purchase_number = w.purchase_number + c.purchases,
           day = (v_wallets[c.nth]).day,
           day_spent = (v_wallets[c.nth]).day_spent + c.total,
           -- Once a crossing: the next one needs the balance to have been up there again.
           low_balance_due = w.low_balance_due
             or coalesce(
                  w.balance >= w.low_balance_threshold and w.balance - c.total < w.low_balance_threshold,
                  false
                ),
           updated_at = now()
      from unnest(v_charged, v_charges) with ordinality as c (total, purchases, nth)
     where w.wallet_id = v_wallet_ids[c.nth]
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
           (v_wallets[array_position(v_wallet_ids, i.wallet_id)]).day,
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
