-- The months of a log, each with the time that it begins and ends at: the first one begins with time itself. Not the
-- default partition.
-- Where a log is parted by the ids of deliveries, their time is read from the ids.
-- writes: none
create or replace function list_log_months(p_log text)
returns table (name text, since timestamptz, until timestamptz)
language sql
stable
-- On a node of Citus a session has no path to the log.
set search_path from current
set timezone = 'utc'
as $$
  select m.name,
         case when m.name = p_log || '_first' then 'epoch'::timestamptz else m.until - interval '1 month' end,
         m.until
    from (
           select c.relname::text as name,
                  case
                    when b.bound ~ '^[0-9a-f]{8}-[0-9a-f]{4}-'
                    then to_timestamp(('x' || left(replace(b.bound, '-', ''), 12))::bit(48)::bigint / 1000.0)
                    else b.bound::timestamptz
                  end as until
             from pg_inherits i
             join pg_class c
               on c.oid = i.inhrelid
            cross join lateral (
                    select substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('([^']*)'\)$re$) as bound
                  ) b
            where i.inhparent = to_regclass(p_log)
              and b.bound is not null
         ) m
$$;
