-- Leases requests of the present five-second slot to a process, for many keys at once, after booking back what the
-- process did not use of earlier leases. The promise per key, whatever the number of processes:
--   at most p_limit requests in an aligned minute, at most 1.1 × p_limit in any 60 seconds.
-- A lease counts as used from the moment it is granted; it may be used until its slot ends and not later.
-- writes: request_counts
-- locks: rows in key order, as p_keys is ascending and without repetition.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function lease_requests(
  p_keys integer[],
  -- Requests that wait for an answer now.
  p_needed integer[],
  -- Wanted beyond them, to answer the next ones from memory.
  p_spare integer[],
  -- Unused requests, and the slot in which they were leased.
  p_returned integer[],
  p_returned_slots integer[],
  p_limit integer,
  -- For tests; else the database's clock, the one clock that all processes share.
  p_now timestamptz default null
)
returns table (
  key_id integer,
  granted integer,
  slot integer,
  slot_ends_in_ms integer,
  -- What is left of the limit now.
  remaining integer,
  -- Until at least one request could be granted; null when all that were needed are.
  retry_in_ms integer
)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_slot_ms constant integer := 5000;
  v_window constant bigint := p_limit::bigint * 11 / 10;
  v_now_ms bigint;
  v_slot integer;
  v_locked integer;
begin
  perform 1 from request_counts where key_id = any (p_keys) order by key_id for update;
  get diagnostics v_locked = row_count;
  if v_locked < cardinality(p_keys) then
    insert into request_counts (key_id, slot, counts)
    select given.key_id, 0, array_fill(0, array[13])
      from unnest(p_keys) as given (key_id)
     order by given.key_id
        on conflict do nothing;
    perform 1 from request_counts where key_id = any (p_keys) order by key_id for update;
  end if;

  -- Read after the locks: a wait for them may have taken us into another slot.
  v_now_ms := floor(extract(epoch from coalesce(p_now, clock_timestamp())) * 1000);
  v_slot := v_now_ms / v_slot_ms;

  return query
  with asked as (
    select given.key_id, given.needed, given.spare, given.returned, given.returned_slot, c.slot, c.counts
      from unnest(p_keys, p_needed, p_spare, p_returned, p_returned_slots)
             as given (key_id, needed, spare, returned, returned_slot)
      join request_counts c on c.key_id = given.key_id
  ),
  -- A clock that was set back a little stays in the slot that it had reached; one set back a lot starts anew.
  placed as (
    select key_id, needed, spare, returned, returned_slot, counts,
           case when slot - v_slot > 13 then v_slot else greatest(slot, v_slot) end as slot,
           case when slot - v_slot > 13 then 13 else least(greatest(v_slot - slot, 0), 13) end as shift
      from asked
  ),
  -- This and the next two are materialized: else what each computes is computed anew wherever a later one names it,
  -- which multiplies (measured: 30 instead of 11 µs a key, 520 instead of 190 for one alone).
  shifted as materialized (
    select key_id, needed, spare, slot, returned,
           counts[shift + 1 : 13] || array_fill(0, array[shift]) as counts,
           13 - (slot - returned_slot) as returned_at
      from placed
  ),
  -- Never below zero: after a crash the table starts empty, and leases from before it still come back.
  counted as materialized (
    select key_id, needed, spare, slot,
           case
             when returned > 0 and returned_at between 1 and 13
             then counts[1 : returned_at - 1]
                  || greatest(counts[returned_at] - returned, 0)
                  || counts[returned_at + 1 : 13]
             else counts
           end as counts
      from shifted
  ),
  summed as materialized (
    select key_id, needed, spare, slot, counts,
           (select sum(n) from unnest(counts[13 - slot % 12 : 13]) as n) as in_minute,
           (select sum(n) from unnest(counts) as n) as in_window
      from counted
  ),
  freed as (
    select key_id, needed, spare, slot, counts, in_minute,
           greatest(least(p_limit - in_minute, v_window - in_window), 0)::integer as free
      from summed
  ),
  -- Spare requests only while plenty are free: what one process holds unused, another one cannot have.
  decided as (
    select key_id, needed, slot, counts, in_minute, free,
           least(needed, free) + least(spare, greatest(free - needed, 0) / 16) as granted
      from freed
  ),
  booked as (
    update request_counts c
       set slot = d.slot,
           counts = d.counts[1 : 12] || (d.counts[13] + d.granted)
      from decided d
     where c.key_id = d.key_id
    returning d.key_id, d.needed, d.granted, d.slot, d.counts, d.in_minute, d.free
  )
  select b.key_id,
         b.granted,
         b.slot,
         ((b.slot + 1) * v_slot_ms::bigint - v_now_ms)::integer,
         b.free - b.granted,
         case when b.granted < b.needed then (
           -- The first later slot in which the minute is new (or was not the obstacle) and old slots are forgotten.
           select ((b.slot + min(later)) * v_slot_ms::bigint - v_now_ms)::integer
             from generate_series(1, 13) as later
            where (later >= 12 - b.slot % 12 or b.in_minute + b.granted < p_limit)
              and (
                    select coalesce(sum(n), 0) + case when later < 13 then b.granted else 0 end
                      from unnest(b.counts[later + 1 : 13]) as n
                  ) < v_window
         ) end
    from booked b
   order by b.key_id;
end
$$;
