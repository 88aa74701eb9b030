-- What was booked in live wallets from p_from to before p_until, and before now, by kind of entry.
-- A wallet's entries are numbered in the order of their times but for some moments (see count_entries_before): so the
-- whole ledger is not read, but what was booked about that time.
-- writes: none
create or replace function sum_movements(p_from timestamptz, p_until timestamptz)
returns table (kind text, entries bigint, credited bigint, debited bigint)
language sql
stable
as $$
select e.kind, count(*), coalesce(sum(e.amount) filter (where e.delta > 0), 0)::bigint,
       coalesce(sum(e.amount) filter (where e.delta < 0), 0)::bigint
  from wallets w
 cross join lateral (
         select b.kind, b.amount, b.delta
           from ledger_entries b
          where b.wallet_id = w.wallet_id
            and b.seq > count_entries_before(w.wallet_id, w.seq, p_from - interval '2 minutes')
            and b.seq <= count_entries_before(w.wallet_id, w.seq, p_until + interval '2 minutes')
            and b.created_at >= p_from
            and b.created_at < least(p_until, now())
       ) e
 where w.wallet_id > 0 and w.updated_at >= p_from
 group by e.kind
$$;
