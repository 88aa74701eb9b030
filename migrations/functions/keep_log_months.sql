-- Makes the partitions of the request log and of the webhook log that are missing, from the month of p_now to three
-- months later, and drops those that end before p_keep_requests_from and p_keep_webhooks_from. With a month of
-- deliveries goes what the outbox still has of it. What was written while its month was missing moves from the default
-- partition into the month, or goes where it is as old as that.
-- Returns what it made and dropped, in words. It runs as its owner: the service's role makes and drops no table.
-- writes: webhook_outbox
-- locks: for a moment, at most a second each, the partitioned table; whoever writes there waits, as whoever writes a
-- row without a month does while such rows move. The request log is locked against a second process that runs this
-- function: both would make the same table.
-- safe to repeat.
create or replace function keep_log_months(
  p_now timestamptz,
  p_keep_requests_from timestamptz,
  p_keep_webhooks_from timestamptz
)
returns setof text
language plpgsql
security definer
set search_path from current
set timezone = 'utc'
set lock_timeout = 1000
as $$
declare
  v_log record;
  v_partition record;
  v_from timestamptz;
  v_until timestamptz;
  v_name text;
begin
  lock table request_log in share update exclusive mode;
  for v_log in
    select l.*
      from (
             values ('request_log', 'at', '%L', p_keep_requests_from, 100),
                    ('request_error_days', 'day', '%L', p_keep_requests_from, 100),
                    ('webhook_deliveries', 'id', 'first_delivery_id(%L)', p_keep_webhooks_from, 100),
                    ('webhook_attempts', 'created_at', '%L', p_keep_webhooks_from, 100),
                    ('webhook_attempt_counts', 'month', '%L', p_keep_webhooks_from, 40)
           ) as l (name, parted_by, bound, keep_from, fillfactor)
  loop
    for v_partition in
      select p.name, p.until
        from list_log_months(v_log.name) p
       order by p.until
    loop
      if v_partition.until <= v_log.keep_from then
        if v_log.name = 'webhook_deliveries' then
          delete from webhook_outbox o
           where o.delivery_id < first_delivery_id(v_partition.until);
        end if;
        execute format('drop table %I', v_partition.name);
        return next 'dropped ' || v_partition.name;
      end if;
    end loop;
    execute format('delete from %I where %I < ' || v_log.bound, v_log.name || '_default', v_log.parted_by,
                   v_log.keep_from);
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
      v_until := v_from + interval '1 month';
      execute format('create table %I (like %I including all)', v_name, v_log.name);
      execute format(
        'alter table %I set (fillfactor = %s, autovacuum_vacuum_scale_factor = 0.05)', v_name, v_log.fillfactor
      );
      execute format('lock table %I in access exclusive mode', v_log.name || '_default');
      execute format(
        'with moved as (delete from %I where %I >= ' || v_log.bound || ' and %I < ' || v_log.bound || ' returning *)
         insert into %I select * from moved',
        v_log.name || '_default', v_log.parted_by, v_from, v_log.parted_by, v_until, v_name
      );
      execute format(
        'alter table %I attach partition %I for values from (' || v_log.bound || ') to (' || v_log.bound || ')',
        v_log.name, v_name, v_from, v_until
      );
      return next 'made ' || v_name;
    end loop;
  end loop;
end
$$;
revoke execute on function keep_log_months(timestamptz, timestamptz, timestamptz) from public;
