-- Takes an order's lines and bytes out of what its merchant may send in this minute, over all processes; takes nothing
-- where either is more than is left.
-- writes: bulk_budgets
-- locks: the merchant's row.
create or replace function take_bulk_budget(
  p_merchant_id integer,
  p_lines bigint,
  p_bytes bigint,
  p_lines_max bigint,
  p_bytes_max bigint
)
returns table (
  -- What is spent: lines or bytes. Null when they were taken.
  spent text,
  -- Until the minute ends.
  retry_seconds integer
)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  v_minute constant timestamptz := date_trunc('minute', clock_timestamp());
  v_before bulk_budgets%rowtype;
begin
  insert into bulk_budgets (merchant_id, minute, lines, bytes)
  values (p_merchant_id, v_minute, 0, 0)
      on conflict do nothing;
  -- A minute that began while this one waited for the lock counts as this one; one before it is over.
  update bulk_budgets b
     set minute = v_minute,
         lines = 0,
         bytes = 0
   where b.merchant_id = p_merchant_id
     and b.minute not between v_minute and v_minute + interval '1 minute';
  select b.* into v_before from bulk_budgets b where b.merchant_id = p_merchant_id for update;
  spent := case
             when v_before.lines + p_lines > p_lines_max then 'lines'
             when v_before.bytes + p_bytes > p_bytes_max then 'bytes'
           end;
  if spent is null then
    update bulk_budgets b
       set lines = b.lines + p_lines,
           bytes = b.bytes + p_bytes
     where b.merchant_id = p_merchant_id;
  end if;
  retry_seconds := greatest(1, ceil(extract(epoch from v_minute + interval '1 minute' - clock_timestamp())))::integer;
  return next;
end
$$;
