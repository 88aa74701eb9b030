-- Books a batch of verified payments: credits the wallet of each, or puts it into suspense where it is
-- nobody's. Its wallet is the one that a person chose, or whose receiving account it came to: by the account's number,
-- and where the provider did not tell that, by what it calls the holder; never by a name.
-- One call is one commit: the payment, the wallet, its entry and the company's entries, and what the wallet owes is
-- paid from it first.
-- writes: wallets, ledger_entries, payments, payment_announcements, funding_entries
-- calls: wait_for_wallets, pay_debts
-- locks: the wallets, in key order, then the payments, in key order. Where somebody holds a wallet for longer than a
--        moment, its items alone wait.
-- safe to repeat: a payment is booked once, whoever asks; one that is in suspense may be credited later.
--
-- outcome: booked · gone (it is booked already, or a later event or claim has it) · retry (somebody holds its wallet;
--          send it again)
create or replace function book_payments(p_items payment_booking[])
returns table (outcome text)
language plpgsql
as $$
declare
  -- Of the items; null where it is nobody's.
  v_wallets integer[] := array(
    select coalesce(
             i.wallet_id,
             (
               select a.merchant_id
                 from funding_accounts a
                where a.provider = i.provider and a.account_number = i.account_number
             ),
             (
               select a.merchant_id
                 from funding_accounts a
                where i.account_number is null
                  and a.provider = i.provider
                  and a.account_reference = i.account_reference
             )
           )
      from unnest(p_items) with ordinality as i
     order by i.ordinality
  );
  v_wanted integer[] := array(select distinct w.id from unnest(v_wallets) as w (id) where w.id is not null);
  -- The wallets that are locked here, and of each where the next entry stands.
  v_held integer[];
  v_balances bigint[];
  v_seqs bigint[];
  v_credits bigint[];
  v_entries bigint[];
  -- Of the items.
  v_outcomes text[] := array_fill('gone'::text, array[cardinality(p_items)]);
  v_was_unmatched boolean[] := array_fill(false, array[cardinality(p_items)]);
  v_entry_seqs bigint[] := array_fill(null::bigint, array[cardinality(p_items)]);
  v_balances_after bigint[] := v_entry_seqs;
  v_numbers integer[] := array_fill(null::integer, array[cardinality(p_items)]);
  v_item record;
  v_wallet integer;
  v_now constant timestamptz := now();
begin
  -- The door: see accept_purchases.
  update wallets w
     set seq = w.seq
   where w.wallet_id = 0;

  v_held := array(
    select w.wallet_id
      from wallets w
     where w.wallet_id = any (v_wanted)
     order by w.wallet_id
       for update skip locked
  );
  if cardinality(v_held) < cardinality(v_wanted) and wait_for_wallets(v_wanted) then
    v_held := v_wanted;
  end if;
  -- A statement of its own: waiting for a lock does not refresh the snapshot that a statement reads from.
  select coalesce(array_agg(w.wallet_id), '{}'), array_agg(w.balance), array_agg(w.seq)
    into v_held, v_balances, v_seqs
    from wallets w
   where w.wallet_id = any (v_held);
  v_credits := array_fill(0::bigint, array[cardinality(v_held)]);
  v_entries := v_credits;

  -- The gate: whoever holds the payment's lease, and where it is not credited yet.
  for v_item in
    select i.ordinality as nth, v_wallets[i.ordinality] as wallet_id, i.credited, p.state, p.number
      from unnest(p_items) with ordinality as i
      join payments p
        on p.provider = i.provider and p.payment_id = i.payment_id
     where p.epoch = i.epoch
       and (p.state in ('heard', 'refused') or p.state = 'unmatched' and p.taken_back = 0 and i.wallet_id is not null)
     order by p.provider, p.payment_id
       for update of p
  loop
    v_wallet := array_position(v_held, v_item.wallet_id);
    if v_item.wallet_id is not null and v_wallet is null then
      v_outcomes[v_item.nth] := 'retry';
      continue;
    end if;
    v_outcomes[v_item.nth] := 'booked';
    v_was_unmatched[v_item.nth] := v_item.state = 'unmatched';
    continue when v_wallet is null;
    v_entries[v_wallet] := v_entries[v_wallet] + 1;
    v_credits[v_wallet] := v_credits[v_wallet] + v_item.credited;
    v_entry_seqs[v_item.nth] := v_seqs[v_wallet] + v_entries[v_wallet];
    v_balances_after[v_item.nth] := v_balances[v_wallet] + v_credits[v_wallet];
    v_numbers[v_item.nth] := v_item.number;
  end loop;

  if 'booked' = any (v_outcomes) then
    update payments p
       set state = case when v_wallets[i.ordinality] is null then 'unmatched' else 'credited' end,
           -- In this commit: who books it may not live to ask what went back of it.
           due_at = case when i.is_due then v_now end,
           amount = i.amount,
           fee = i.fee,
           credited = i.credited,
           account_number = i.account_number,
           account_reference = i.account_reference,
           sender = i.sender::jsonb,
           paid_at = i.paid_at,
           evidence = i.evidence,
           wallet_id = coalesce(v_wallets[i.ordinality], i.wallet_id),
           entry_seq = coalesce(v_entry_seqs[i.ordinality], p.entry_seq),
           credited_at = case when v_wallets[i.ordinality] is not null then v_now end
      from unnest(p_items) with ordinality as i
     where p.provider = i.provider
       and p.payment_id = i.payment_id
       and v_outcomes[i.ordinality] = 'booked';

    insert into payment_announcements (number, wallet_id)
    select n.number, n.wallet_id
      from unnest(v_numbers, v_wallets) as n (number, wallet_id)
     where n.number is not null;

    insert into ledger_entries (
      wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason
    )
    select v_wallets[i.ordinality], v_entry_seqs[i.ordinality], 'top_up', 'funding', 'wallet', i.credited, i.credited,
           v_balances_after[i.ordinality], i.reason
      from unnest(p_items) with ordinality as i
     where v_entry_seqs[i.ordinality] is not null;

    -- What it keeps is the company's fee as far as the wallet is credited more than the provider holds.
    insert into funding_entries (
      debit_account, credit_account, amount, provider, payment_id, wallet_id, entry_seq, booked_at
    )
    select m.debit_account, case when v_wallets[i.ordinality] is null then 'suspense' else 'funding' end, m.amount,
           i.provider, i.payment_id, v_wallets[i.ordinality], v_entry_seqs[i.ordinality], now()
      from unnest(p_items) with ordinality as i
     cross join lateral (
             values ('suspense', case when v_was_unmatched[i.ordinality] then i.credited else 0 end),
                    ('provider', case when v_was_unmatched[i.ordinality] then 0 else i.amount - i.fee end),
                    ('fees', case when v_was_unmatched[i.ordinality] then 0 else i.credited - i.amount + i.fee end)
           ) m (debit_account, amount)
     where v_outcomes[i.ordinality] = 'booked'
       and m.amount > 0;

    update wallets w
       set balance = w.balance + c.credit,
           seq = w.seq + c.entries,
           updated_at = now()
      from unnest(v_held, v_credits, v_entries) as c (wallet_id, credit, entries)
     where w.wallet_id = c.wallet_id
       and c.entries > 0;

    perform pay_debts(v_held);
  end if;

  return query
  select o.outcome
    from unnest(v_outcomes) with ordinality as o (outcome, nth)
   order by o.nth;
end
$$;
