-- What was booked in live wallets from p_from to before p_until, and before now, by kind of entry.
-- A wallet's entries are numbered in the order of their times but for some moments (see count_entries_before): so the
-- whole ledger is not read, but what was booked about that time.
-- writes: none
create or replace function sum_movements(p_from timestamptz, p_until timestamptz)
returns table (kind text, entries bigint, credited bigint, debited bigint)
language plpgsql
stable
as $$
declare
  v_wallet_ids integer[];
  v_seqs bigint[];
  v_after bigint[];
  v_up_to bigint[];
begin
  select array_agg(w.wallet_id), array_agg(w.seq) into v_wallet_ids, v_seqs
    from wallets w
   where w.wallet_id > 0 and w.updated_at >= p_from;

  select array_agg(count_entries_before(w.wallet_id, w.seq, p_from - interval '2 minutes') order by w.nth),
         array_agg(count_entries_before(w.wallet_id, w.seq, p_until + interval '2 minutes') order by w.nth)
    into v_after, v_up_to
    from unnest(v_wallet_ids, v_seqs) with ordinality as w (wallet_id, seq, nth);

  return query
  select e.kind, count(*), coalesce(sum(e.amount) filter (where e.delta > 0), 0)::bigint,
         coalesce(sum(e.amount) filter (where e.delta < 0), 0)::bigint
    from unnest(v_wallet_ids, v_after, v_up_to) as w (wallet_id, after, up_to)
    join ledger_entries e
      on e.wallet_id = w.wallet_id and e.seq > w.after and e.seq <= w.up_to
   where e.created_at >= p_from
     and e.created_at < least(p_until, now())
   group by e.kind;
end
$$;
