-- How many entries of a wallet, p_last in all, come before the first one that was booked at p_at or later.
-- Entries are numbered in the order of their commits; an entry's time is when its transaction began, which may be a
-- little earlier than that of the entry before it. So the order of the times is taken as exact but for the margin: what
-- is older than p_at by more than that lies before every entry of p_at, and from there on the entries are read.
-- An entry that is booked later never changes the answer, once some entry of p_at or later is there.
-- writes: none
create or replace function count_entries_before(
  p_wallet_id integer,
  p_last bigint,
  p_at timestamptz
)
returns bigint
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  -- Longer than a transaction waits for a wallet: each of its statements is given up after a minute.
  v_margin constant interval := '2 minutes';
  -- Entries up to v_low are older than p_at. It is a power of two that is halved, so that the same entries are looked
  -- at whatever has been booked since.
  v_low bigint := 0;
  v_step bigint := 1;
  v_first bigint;
begin
  while v_step <= p_last loop
    v_step := v_step * 2;
  end loop;

  while v_step > 1 loop
    v_step := v_step / 2;
    if v_low + v_step <= p_last and exists (
      select 1
        from ledger_entries e
       where e.wallet_id = p_wallet_id
         and e.seq = v_low + v_step
         and e.created_at < p_at - v_margin
    ) then
      v_low := v_low + v_step;
    end if;
  end loop;

  select e.seq into v_first
    from ledger_entries e
   where e.wallet_id = p_wallet_id
     and e.seq > v_low
     and e.seq <= p_last
     and e.created_at >= p_at
   order by e.seq
   limit 1;
  return coalesce(v_first - 1, p_last);
end
$$;
