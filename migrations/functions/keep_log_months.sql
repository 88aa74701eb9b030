-- Makes the partitions of the request log and of the webhook log up to three months after p_now, and drops those that
-- end before p_keep_requests_from and p_keep_webhooks_from. With a month of deliveries goes what the outbox still
-- has of it.
-- Returns what it made and dropped, in words. It runs as its owner: the service's role makes and drops no table.
-- writes: webhook_outbox
-- locks: for a moment, at most a second each, the partitioned table; whoever writes there waits. The request log is
-- locked against a second process that runs this function: both would make the same table.
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
  v_name text;
  v_bounds text;
begin
  lock table request_log in share update exclusive mode;
  for v_log in
    select l.*
      from (
             values ('request_log', '%L', p_keep_requests_from, 100),
                    ('request_error_days', '%L', p_keep_requests_from, 100),
                    ('webhook_deliveries', 'first_delivery_id(%L)', p_keep_webhooks_from, 100),
                    ('webhook_attempts', '%L', p_keep_webhooks_from, 100),
                    ('webhook_attempt_counts', '%L', p_keep_webhooks_from, 40)
           ) as l (name, bound, keep_from, fillfactor)
  loop
    for v_partition in
      select p.name, p.until
        from list_log_months(v_log.name) p
       order by p.until
    loop
      v_from := v_partition.until;
      if v_partition.until <= v_log.keep_from then
        if v_log.name = 'webhook_deliveries' then
          delete from webhook_outbox o
           where o.delivery_id < first_delivery_id(v_partition.until);
        end if;
        execute format('drop table %I', v_partition.name);
        return next 'dropped ' || v_partition.name;
      end if;
    end loop;
    while v_from < p_now + interval '3 months' loop
      v_name := v_log.name || to_char(v_from, '_YYYY_MM');
      v_bounds := format('for values from (' || v_log.bound || ') to (' || v_log.bound || ')', v_from,
                         v_from + interval '1 month');
      execute format('create table %I (like %I including all)', v_name, v_log.name);
      execute format(
        'alter table %I set (fillfactor = %s, autovacuum_vacuum_scale_factor = 0.05)', v_name, v_log.fillfactor
      );
      execute format('alter table %I attach partition %I %s', v_log.name, v_name, v_bounds);
      return next 'made ' || v_name;
      v_from := v_from + interval '1 month';
    end loop;
  end loop;
end
$$;
revoke execute on function keep_log_months(timestamptz, timestamptz, timestamptz) from public;
