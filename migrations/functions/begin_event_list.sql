-- Begins a wallet's list of events: its ledger is read from p_from on. What is pending now is awaited, as it may have
-- been bought before; where the list is there already, nothing is.
-- writes: event_lists, awaited_ends
-- safe to repeat.
create or replace function begin_event_list(p_wallet_id integer, p_from timestamptz)
returns void
language plpgsql
as $$
declare
  v_last_seq bigint;
  v_read_seq bigint;
begin
  insert into event_lists (wallet_id, read_seq)
  select w.wallet_id, 0
    from wallets w
   where w.wallet_id = p_wallet_id
      on conflict (wallet_id) do nothing;
  if not found then
    return;
  end if;

  select w.seq into v_last_seq
    from wallets w
   where w.wallet_id = p_wallet_id;
  v_read_seq := count_entries_before(p_wallet_id, v_last_seq, p_from);
  update event_lists l
     set read_seq = v_read_seq
   where l.wallet_id = p_wallet_id;

  insert into awaited_ends (wallet_id, subject_id, is_order)
  select f.wallet_id, f.purchase_id, false
    from inflight f
   where f.wallet_id = p_wallet_id;

  insert into awaited_ends (wallet_id, subject_id, is_order)
  select distinct b.wallet_id, b.id, true
    from inflight f
    join purchases p
      on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    join bulk_orders b
      on b.wallet_id = p.wallet_id and b.reference = p.bulk_reference and b.reference <> ''
   where f.wallet_id = p_wallet_id;
end
$$;
