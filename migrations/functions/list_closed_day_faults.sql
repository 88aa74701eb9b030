-- Movements and goodwill of closed days that are not what the ledger has of them: none in sound books.
-- Days begin and end on a quarter of an hour, whatever the time zone: so each entry finds its day by equality. What was
-- booked after a day was closed is not asked for.
-- writes: none
create or replace function list_closed_day_faults()
returns table (
  day date,
  kind text,
  entries bigint,
  entries_booked bigint,
  credited numeric,
  credited_booked numeric,
  debited numeric,
  debited_booked numeric
)
language plpgsql
stable
as $$
#variable_conflict use_column
begin
  return query
  with booked as (
         select d.day, e.kind, count(*) as entries, sum(greatest(e.delta, 0)) as credited,
                sum(greatest(-e.delta, 0)) as debited
           from closed_days d
          cross join lateral generate_series(
                       d.starts_at, d.ends_at - interval '15 minutes', interval '15 minutes'
                     ) as quarter
           join ledger_entries e
             on date_bin('15 minutes', e.created_at, 'epoch') = quarter
          where e.wallet_id > 0 and e.created_at < d.summed_at
          group by d.day, e.kind
       )
  select coalesce(m.day, b.day) as day, coalesce(m.kind, b.kind) as kind, m.entries, b.entries as entries_booked,
         m.credited, b.credited as credited_booked, m.debited::numeric, b.debited as debited_booked
    from closed_day_movements m
    full join booked b using (day, kind)
   where m.entries is distinct from b.entries
      or m.credited is distinct from b.credited
      or m.debited is distinct from b.debited
   union all
  select s.day, s.dimension, null, null, sum(s.goodwill), min(m.credited), null, null
    from closed_day_sales s
    left join closed_day_movements m
      on m.day = s.day and m.kind = 'goodwill'
   group by s.day, s.dimension
  having sum(s.goodwill) <> coalesce(min(m.credited), 0);
end
$$;
