-- Begins a wallet's list of events: its ledger is read from p_from on. What is pending now is awaited, as it may have
-- been bought before. Ends after which nothing was left to be found in the ledger, before p_from, are not listed.
-- writes: event_lists, awaited_ends
-- locks: none that somebody else waits for for long: whoever begins the same list at the same time.
-- safe to repeat: a list that was begun stays as it is.
create or replace function begin_event_list(
  p_wallet_id integer,
  p_from timestamptz
)
returns void
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set join_collapse_limit = 1
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  -- The last entry before p_from lies between these; 0 where there is none.
  v_low bigint := 0;
  v_high bigint;
  v_middle bigint;
  v_begun bigint;
begin
  select w.seq into v_high
    from wallets w
   where w.wallet_id = p_wallet_id;

  -- Entries are numbered without a gap in the order of their times, but for milliseconds.
  while v_low < v_high loop
    v_middle := (v_low + v_high + 1) / 2;
    if exists (
      select 1
        from ledger_entries e
       where e.wallet_id = p_wallet_id
         and e.seq = v_middle
         and e.created_at < p_from
    ) then
      v_low := v_middle;
    else
      v_high := v_middle - 1;
    end if;
  end loop;

  insert into event_lists (wallet_id, read_seq)
  values (p_wallet_id, v_low)
      on conflict (wallet_id) do nothing
  returning read_seq into v_begun;
  if v_begun is null then
    return;
  end if;

  with pending as materialized (
    select f.purchase_id
      from inflight f
     where f.wallet_id = p_wallet_id
  ),
  orders as (
    select distinct b.id
      from pending f
     cross join lateral (
             select p.bulk_reference
               from purchases p
              where p.wallet_id = p_wallet_id
                and p.id = f.purchase_id
              limit 1
           ) p
     cross join lateral (
             select b.id
               from bulk_orders b
              where b.wallet_id = p_wallet_id
                and b.reference = p.bulk_reference
                and b.reference <> ''
              limit 1
           ) b
  )
  insert into awaited_ends (wallet_id, subject_id, is_order)
  select p_wallet_id, f.purchase_id, false
    from pending f
   union all
  select p_wallet_id, o.id, true
    from orders o;
end
$$;
