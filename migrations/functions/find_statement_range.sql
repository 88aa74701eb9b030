-- The part of a wallet's ledger from one time to before another: the last entry before it and the last one in it, and
-- the balances that they left. Null leaves an end open. No row where there is no such wallet.
-- Stable, and so of one snapshot: the wallet's last number and its entries agree.
-- writes: none
create or replace function find_statement_range(p_wallet_id integer, p_from timestamptz, p_before timestamptz)
returns table (opening_seq bigint, closing_seq bigint, opening_balance bigint, closing_balance bigint)
language plpgsql
stable
as $$
begin
  select w.seq into closing_seq
    from wallets w
   where w.wallet_id = p_wallet_id;
  if not found then
    return;
  end if;
  opening_seq := case when p_from is null then 0 else count_entries_before(p_wallet_id, closing_seq, p_from) end;
  if p_before is not null then
    closing_seq := count_entries_before(p_wallet_id, closing_seq, p_before);
  end if;
  return query
  select opening_seq, closing_seq,
         coalesce(
           (select e.balance_after from ledger_entries e where e.wallet_id = p_wallet_id and e.seq = opening_seq),
           0
         ),
         coalesce(
           (select e.balance_after from ledger_entries e where e.wallet_id = p_wallet_id and e.seq = closing_seq),
           0
         );
end
$$;
