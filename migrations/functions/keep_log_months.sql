-- Makes the partitions of the request log up to three months after p_now, and drops those that end before p_keep_from.
-- Returns what it made and dropped, in words. It runs as its owner: the service's role makes and drops no table.
-- writes: none
-- locks: for a moment, at most a second each, the partitioned table; whoever writes there waits.
-- safe to repeat.
create or replace function keep_log_months(
  p_now timestamptz,
  p_keep_from timestamptz
)
returns setof text
language plpgsql
security definer
set search_path from current
set lock_timeout = 1000
as $$
declare
  v_table text;
  v_partition record;
  v_from timestamptz;
  v_name text;
begin
  foreach v_table in array array['request_log', 'request_error_days'] loop
    for v_partition in
      select c.relname as name,
             substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('([^']*)'\)$re$)::timestamptz as until
        from pg_inherits i
        join pg_class c
          on c.oid = i.inhrelid
       where i.inhparent = to_regclass(v_table)
       order by until
    loop
      v_from := v_partition.until;
      if v_partition.until <= p_keep_from then
        execute format('drop table %I', v_partition.name);
        return next 'dropped ' || v_partition.name;
      end if;
    end loop;
    while v_from < p_now + interval '3 months' loop
      v_name := v_table || to_char(v_from, '_YYYY_MM');
      execute format('create table %I (like %I including all)', v_name, v_table);
      execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.05)', v_name);
      execute format(
        'alter table %I attach partition %I for values from (%L) to (%L)',
        v_table, v_name, v_from, v_from + interval '1 month'
      );
      return next 'made ' || v_name;
      v_from := v_from + interval '1 month';
    end loop;
  end loop;
end
$$;
revoke execute on function keep_log_months(timestamptz, timestamptz) from public;
