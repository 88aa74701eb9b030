-- Makes the months of one log that are missing, from that of p_now to three months later, and drops those that end
-- before p_keep_from. With a month of deliveries goes what the outbox still has of it. What was written while its month
-- was missing moves from the default partition into the month, or goes where it is as old as that.
-- Returns what it made and dropped, in words. It runs as its owner: the service's role makes and drops no table.
-- writes: webhook_outbox
-- locks: the log against a second process that runs this function: both would make the same table. Writers wait behind
-- a lock that is waited for, so each is given up after 50 ms: on the default partition, to move rows out of it; on the
-- months that go; and last, with nothing more to wait for, on the log itself, which purchases write.
-- safe to repeat.
drop function if exists keep_log_months(timestamptz, timestamptz, timestamptz);
create or replace function keep_log_months(p_log text, p_now timestamptz, p_keep_from timestamptz)
returns setof text
language plpgsql
security definer
set search_path from current
set timezone = 'utc'
set lock_timeout = 50
as $$
declare
  v_log record;
  v_from timestamptz;
  v_name text;
  v_old record;
begin
  select l.*, l.name || '_default' as rest
    into strict v_log
    from (
           values ('request_log', 'at', '%L', 100),
                  ('request_error_days', 'day', '%L', 100),
                  ('webhook_deliveries', 'id', 'first_delivery_id(%L)', 100),
                  ('webhook_attempts', 'created_at', '%L', 100),
                  ('webhook_attempt_counts', 'month', '%L', 40)
         ) as l (name, parted_by, bound, fillfactor)
   where l.name = p_log;
  execute format('lock table only %I in share update exclusive mode', v_log.name);
  execute format('delete from %I where %I < ' || v_log.bound, v_log.rest, v_log.parted_by, p_keep_from);
  for v_from in
    select month
      from generate_series(date_trunc('month', p_now), p_now + interval '3 months', '1 month') as month
     where not exists (
             select 1
               from list_log_months(v_log.name) p
              where p.since <= month and month < p.until
           )
  loop
    v_name := v_log.name || to_char(v_from, '_YYYY_MM');
    execute format('create table %I (like %I including all)', v_name, v_log.name);
    execute format(
      'alter table %I set (fillfactor = %s, autovacuum_vacuum_scale_factor = 0.05)', v_name, v_log.fillfactor
    );
    execute format('lock table only %I in access exclusive mode', v_log.rest);
    execute format(
      'with moved as (delete from %I where %I >= ' || v_log.bound || ' and %I < ' || v_log.bound || ' returning *)
       insert into %I select * from moved',
      v_log.rest, v_log.parted_by, v_from, v_log.parted_by, v_from + interval '1 month', v_name
    );
    execute format(
      'alter table %I attach partition %I for values from (' || v_log.bound || ') to (' || v_log.bound || ')',
      v_log.name, v_name, v_from, v_from + interval '1 month'
    );
    return next 'made ' || v_name;
  end loop;
  select array_agg(p.name order by p.until) as names, max(p.until) as until
    into v_old
    from list_log_months(v_log.name) p
   where p.until <= p_keep_from;
  if v_old.names is null then
    return;
  end if;
  if v_log.name = 'webhook_deliveries' then
    delete from webhook_outbox o
     where o.delivery_id < first_delivery_id(v_old.until);
  end if;
  foreach v_name in array v_old.names || v_log.rest || v_log.name loop
    execute format('lock table only %I in access exclusive mode', v_name);
  end loop;
  foreach v_name in array v_old.names loop
    execute format('drop table %I', v_name);
    return next 'dropped ' || v_name;
  end loop;
end
$$;
revoke execute on function keep_log_months(text, timestamptz, timestamptz) from public;
