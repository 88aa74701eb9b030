-- Books that a provider gave a transfer back, or part of it, after it was verified: a debit of the wallet that it
-- credited, and what that can't bear becomes a debt of it. Of one in suspense, less is in suspense.
-- writes: wallets, ledger_entries, payments, funding_entries
-- locks: the wallet, then the payment; a wallet that somebody holds for longer than a moment is an error (55P03), as
-- whoever waited for it would keep a connection that others need.
-- safe to repeat: p_taken_back is all that was taken back so far; what was booked of it before is not booked again.
--
-- Answers the kobo that were debited, the kobo that became a debt, and the wallet (null: nobody's); no row where
-- the payment is not verified, or a later event or claim has it.
create or replace function take_back_payment(
  p_provider text,
  p_payment_id text,
  p_epoch integer,
  p_taken_back bigint,
  p_reason text,
  p_evidence text
)
returns table (debited bigint, owed bigint, credited_wallet integer)
language plpgsql
set lock_timeout = 100
as $$
#variable_conflict use_column
declare
  v_wallet wallets%rowtype;
  v_payment payments%rowtype;
  v_from text;
  v_share bigint;
  v_debited bigint := 0;
begin
  -- The door: see accept_purchases.
  update wallets w
     set seq = w.seq
   where w.wallet_id = 0;

  select w.* into v_wallet
    from wallets w
   where w.wallet_id = (
           select p.wallet_id
             from payments p
            where p.provider = p_provider and p.payment_id = p_payment_id
         )
     for update;
  select p.* into v_payment
    from payments p
   where p.provider = p_provider
     and p.payment_id = p_payment_id
     and p.epoch = p_epoch
     and p.state in ('credited', 'unmatched')
     for update;
  -- Credited since the wallet was looked for: its event comes again, or it is asked about again.
  if not found or v_payment.wallet_id is distinct from v_wallet.wallet_id then
    return;
  end if;

  update payments p
     set taken_back = greatest(p.taken_back, p_taken_back),
         due_at = null,
         evidence = p_evidence
   where p.provider = p_provider and p.payment_id = p_payment_id;
  if p_taken_back <= v_payment.taken_back then
    return query select 0::bigint, 0::bigint, v_payment.wallet_id;
    return;
  end if;

  -- Of what was taken back, what a wallet was credited of it: where its merchant bore the fee, that was less.
  v_share := least(p_taken_back, v_payment.credited) - least(v_payment.taken_back, v_payment.credited);
  v_from := case when v_payment.wallet_id is null then 'suspense' else 'funding' end;
  if v_payment.wallet_id is not null then
    v_debited := least(v_share, v_wallet.balance);
  end if;
  if v_debited > 0 then
    insert into ledger_entries (
      wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason
    )
    values (
      v_wallet.wallet_id, v_wallet.seq + 1, 'top_up', 'wallet', 'funding', v_debited, -v_debited,
      v_wallet.balance - v_debited, p_reason
    );
  end if;
  if v_payment.wallet_id is not null then
    update wallets w
       set balance = w.balance - v_debited,
           seq = w.seq + case when v_debited > 0 then 1 else 0 end,
           debt = w.debt + v_share - v_debited,
           -- Once a crossing, as a purchase marks it: see accept_purchases.
           low_balance_due = w.low_balance_due
             or coalesce(
                  w.balance >= w.low_balance_threshold and w.balance - v_debited < w.low_balance_threshold,
                  false
                ),
           updated_at = now()
     where w.wallet_id = v_wallet.wallet_id;
  end if;

  insert into funding_entries (
    debit_account, credit_account, amount, provider, payment_id, wallet_id, entry_seq, booked_at
  )
  select m.debit_account, m.credit_account, m.amount, p_provider, p_payment_id, v_payment.wallet_id,
         case when v_debited > 0 then v_wallet.seq + 1 end, now()
    from (
           values (v_from, 'provider', v_share),
                  ('debts', 'funding', case when v_payment.wallet_id is null then 0 else v_share - v_debited end),
                  ('fees', 'provider', p_taken_back - v_payment.taken_back - v_share)
         ) m (debit_account, credit_account, amount)
   where m.amount > 0;

  return query
  select v_debited, case when v_payment.wallet_id is null then 0 else v_share - v_debited end, v_payment.wallet_id;
end
$$;
