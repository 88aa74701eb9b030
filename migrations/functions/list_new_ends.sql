-- Lengthens a wallet's list of events: reads what its ledger holds since the last time (every purchase has one debit,
-- and they are numbered without a gap in the order of their commits), awaits the ends of the purchases and bulk orders
-- that it meets, and gives what has ended the next positions. Only one caller at a time does so for a wallet, under the
-- lock of the list, which it holds until its commit: so positions become visible in their order, and whoever has read
-- the list up to one of them finds everything else behind it.
-- Reads at most p_limit entries, and looks at most at twice as many that are awaited, in turns where there are more; of
-- bulk orders that have ended at most twenty are listed.
-- Rows are named one by one (limit 1): to a join, a plan made for an empty table reads a wallet's purchases for each.
-- Ends before p_since are not listed, and what is older leaves the list. The last such event stays, as the cursor of
-- whoever saw nothing happen since.
-- outcome: whole (there was no more) · more (call again) · busy (somebody else is at it) · unknown (begin the list)
-- writes: event_lists, awaited_ends, listed_events
-- locks: the wallet's row of event_lists, without waiting for it.
-- safe to repeat: an end is listed once.
create or replace function list_new_ends(
  p_wallet_id integer,
  p_since timestamptz,
  p_limit integer
)
returns text
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set join_collapse_limit = 1
set plan_cache_mode = force_generic_plan
as $$
declare
  -- All lines of an order that has ended are read.
  v_orders_max constant integer := 20;
  v_list event_lists%rowtype;
  v_read bigint;
  v_read_seq bigint;
  v_looked bigint;
  v_looked_to bigint;
  v_ended bigint;
  v_orders bigint;
  v_is_second_old boolean;
  v_last_old bigint;
begin
  -- The door: see accept_purchases.
  update event_lists l
     set read_seq = l.read_seq
   where l.wallet_id = 0;

  select l.* into v_list
    from event_lists l
   where l.wallet_id = p_wallet_id
     for update skip locked;
  if not found then
    perform 1
       from event_lists l
      where l.wallet_id = p_wallet_id;
    return case when found then 'busy' else 'unknown' end;
  end if;

  -- From here on each statement sees what whoever had the lock before has committed.
  with entry as materialized (
    select e.seq, e.kind, e.purchase_id
      from ledger_entries e
     where e.wallet_id = p_wallet_id and e.seq > v_list.read_seq
     order by e.seq
     limit p_limit
  ),
  met as materialized (
    select p.id, p.bulk_reference, p.bulk_line
      from entry e
     cross join lateral (
             select p.id, p.bulk_reference, p.bulk_line
               from purchases p
              where p.wallet_id = p_wallet_id
                and p.id = e.purchase_id
              limit 1
           ) p
     where e.kind = 'purchase'
  ),
  awaited as (
    insert into awaited_ends (wallet_id, subject_id, is_order)
    select p_wallet_id, m.id, false
      from met m
     union all
    -- An order comes with its last line, behind all others.
    select p_wallet_id, b.id, true
      from met m
     cross join lateral (
             select b.id, b.lines
               from bulk_orders b
              where b.wallet_id = p_wallet_id
                and b.reference = m.bulk_reference
                and b.reference <> ''
              limit 1
           ) b
     where b.lines = m.bulk_line + 1
        on conflict (wallet_id, subject_id) do nothing
  )
  select count(*), max(e.seq) into v_read, v_read_seq
    from entry e;

  with looked as materialized (
    select a.subject_id, a.is_order
      from awaited_ends a
     where a.wallet_id = p_wallet_id
       and a.subject_id > v_list.looked_to
     order by a.subject_id
     limit 2 * p_limit
  ),
  known as materialized (
    select l.subject_id,
           case
             when p.status <> 'pending' then 'transaction.' || p.status
             when b.open_lines = 0
               and count(*) filter (where b.open_lines = 0) over (order by l.subject_id) <= v_orders_max
             then 'bulk.completed'
           end as event,
           p.completed_at,
           b.reference as order_reference,
           p.id is null and b.id is null as is_purged
      from looked l
      left join lateral (
             select p.id, p.status, p.completed_at
               from purchases p
              where not l.is_order
                and p.wallet_id = p_wallet_id
                and p.id = l.subject_id
              limit 1
           ) p
        on true
      left join lateral (
             select b.id, b.reference, b.open_lines
               from bulk_orders b
              where l.is_order
                and b.wallet_id = p_wallet_id
                and b.id = l.subject_id
              limit 1
           ) b
        on true
  ),
  ended as materialized (
    select k.subject_id, k.event, coalesce(k.completed_at, line.last_completed_at) as happened_at
      from known k
     cross join lateral (
             select max(p.completed_at) as last_completed_at
               from purchases p
              where p.wallet_id = p_wallet_id
                and p.bulk_reference = k.order_reference
           ) line
     where k.event is not null
  ),
  awaited_no_more as (
    delete from awaited_ends a
     where a.wallet_id = p_wallet_id
       and a.subject_id = any (array(select k.subject_id from known k where k.event is not null or k.is_purged))
  ),
  listed as (
    insert into listed_events (wallet_id, position, event, subject_id, happened_at)
    select p_wallet_id,
           v_list.last_position
             + row_number() over (order by e.happened_at, e.event = 'bulk.completed', e.subject_id),
           e.event, e.subject_id, e.happened_at
      from ended e
     where e.happened_at >= p_since
        -- What was pending when the list was begun may be met in the ledger as well.
        on conflict (wallet_id, subject_id) do nothing
  )
  select (select count(*) from looked),
         (select max(l.subject_id) from looked l),
         (select count(*) from ended),
         (select count(*) from ended e where e.event = 'bulk.completed')
    into v_looked, v_looked_to, v_ended, v_orders;

  update event_lists l
     set read_seq = coalesce(v_read_seq, l.read_seq),
         last_position = l.last_position + v_ended,
         looked_to = case when v_looked < 2 * p_limit then 0 else v_looked_to end
   where l.wallet_id = p_wallet_id
     and (v_read > 0 or v_ended > 0 or v_looked = 2 * p_limit or l.looked_to > 0);

  -- The first one is often the one that stays.
  select e.happened_at < p_since into v_is_second_old
    from listed_events e
   where e.wallet_id = p_wallet_id
   order by e.position
  offset 1
   limit 1;
  if v_is_second_old then
    select max(f.position) into v_last_old
      from (
             select e.position, e.happened_at
               from listed_events e
              where e.wallet_id = p_wallet_id
              order by e.position
              limit 2 * p_limit
           ) f
     where f.happened_at < p_since;
    delete from listed_events e
     where e.wallet_id = p_wallet_id
       and e.position < v_last_old
       and e.happened_at < p_since;
  end if;

  return case
           when v_read = p_limit or v_looked = 2 * p_limit or v_orders = v_orders_max then 'more'
           else 'whole'
         end;
end
$$;
