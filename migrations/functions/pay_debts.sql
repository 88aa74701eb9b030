-- Pays what wallets owe from what they hold: what was taken back after its credit, and the wallet could not bear.
-- writes: wallets, ledger_entries, funding_entries
-- locks: the wallets, in key order: a caller that credited them has them already. One that somebody else holds is
-- passed by.
-- safe to repeat: a wallet that owes nothing, or holds nothing, is left alone.
create or replace function pay_debts(p_wallet_ids integer[])
returns bigint
language plpgsql
as $$
declare
  v_wallet record;
  v_payment bigint;
  v_paid bigint := 0;
begin
  -- The door: see accept_purchases.
  update wallets w
     set seq = w.seq
   where w.wallet_id = 0;

  for v_wallet in
    select w.wallet_id, w.balance, w.debt, w.seq
      from wallets w
     where w.wallet_id = any (p_wallet_ids)
       and w.debt > 0
       and w.balance > 0
     order by w.wallet_id
       for update skip locked
  loop
    v_payment := least(v_wallet.debt, v_wallet.balance);
    v_paid := v_paid + v_payment;
    update wallets w
       set balance = w.balance - v_payment,
           debt = w.debt - v_payment,
           seq = w.seq + 1,
           updated_at = now()
     where w.wallet_id = v_wallet.wallet_id;
    insert into ledger_entries (
      wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason
    )
    values (
      v_wallet.wallet_id, v_wallet.seq + 1, 'top_up', 'wallet', 'funding', v_payment, -v_payment,
      v_wallet.balance - v_payment, 'Debt of a transfer that was taken back'
    );
    insert into funding_entries (debit_account, credit_account, amount, wallet_id, entry_seq, booked_at)
    values ('funding', 'debts', v_payment, v_wallet.wallet_id, v_wallet.seq + 1, now());
  end loop;
  return v_paid;
end
$$;
