-- Brings a batch of pending purchases to their final status: the one door. One call is one commit.
-- Deleting the inflight row is the gate: whoever deletes it settles, everybody else is told nothing was theirs.
-- What its merchant is owed to hear of it (id and body, drawn up by the caller) is written in the same commit: to the
-- first endpoint by the items themselves, to others by p_further and p_further_bodies, which is null for most batches.
-- Bodies and evidence come beside the items, one an item, with U+0001 between them, which neither has in it: within a
-- row of an array each of their quotes would be escaped twice and read twice.
-- Most batches hold successes and nothing else: what only some need is a statement of its own, begun for those alone,
-- because starting a statement of many parts costs more than a purchase does.
-- Where rows of inflight are named by a join, the bucket is compared by = any (array[…]) instead of =: else the order
-- of the index has merits in the planner's eyes, and while its statistics are those of an empty table, as after every
-- quiet minute, it takes reading all that is pending for the cheapest way.
-- Joins are made in the order in which they are written: from a wallet the planner would go on to its purchases, all
-- of them for each refund, as a plan made for an empty table sees no difference.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
-- writes: inflight, purchases, wallets, ledger_entries, vend_attempts, purchase_counts, bulk_orders,
--         webhook_deliveries, webhook_outbox
-- locks: inflight rows in key order, then the wallets of failed purchases in key order, then the bulk orders of lines
--        in key order.
-- safe to repeat: a purchase that is final already is not returned, and nothing is written.
create or replace function settle_purchases(
  p_items settlement[],
  p_event_bodies text,
  p_evidence text,
  p_further further_delivery[],
  p_further_bodies text
)
returns table (ordinal bigint)
language plpgsql
set join_collapse_limit = 1
as $$
declare
  v_settled bigint[];
  v_event_bodies text[];
  v_evidence text[] := string_to_array(p_evidence, chr(1));
  v_some_failed boolean;
  v_some_owed boolean;
  v_some_lines boolean;
  v_some_counted boolean;
begin
  with gate as (
    delete from inflight f
     using (
             select i.ordinality, i.bucket, i.merchant_id, i.mode, i.id, i.epoch, i.attempt
               from unnest(p_items) with ordinality as i
              order by i.bucket, i.merchant_id, i.mode, i.id
           ) i
     where f.bucket = any (array[i.bucket])
       and f.merchant_id = i.merchant_id
       and f.mode = i.mode
       and f.purchase_id = i.id
       and f.epoch = coalesce(i.epoch, f.epoch)
       and f.attempt = i.attempt
    returning i.ordinality
  )
  select array_agg(g.ordinality) into v_settled
    from gate g;

  -- A statement of its own, and so are the next ones: waiting for a lock does not refresh the snapshot that a statement
  -- reads from.
  with settled as (
    update purchases p
       set status = i.status,
           error_code = i.error_code,
           provider_reference = i.provider_reference,
           fulfilment = i.fulfilment::json,
           completed_at = i.completed_at,
           refunded_at = case when i.status = 'failed' then i.completed_at end,
           delivery_id = i.delivery_id,
           further_delivery_ids = i.further_delivery_ids
      from unnest(p_items) with ordinality as i
     where i.ordinality = any (v_settled)
       and p.bucket = i.bucket
       and p.merchant_id = i.merchant_id
       and p.mode = i.mode
       and p.id = i.id
       and p.id > 0
       and p.status = 'pending'
    returning i.ordinality, p.bucket, p.merchant_id, p.mode, p.id, p.status, p.delivery_id, p.bulk_reference, i.attempt,
              p.supplier, p.supplier_code, p.provider_reference, i.supplier_reference, p.cost,
              p.foreign_cost, p.route_reason
  ),
  attempted as (
    insert into vend_attempts (
      bucket, merchant_id, mode, purchase_id, attempt, supplier, supplier_reference, verdict, evidence, cost,
      foreign_cost, route_reason, provider_reference, supplier_code
    )
    select s.bucket, s.merchant_id, s.mode, s.id, s.attempt, s.supplier, s.supplier_reference,
           case when s.status = 'successful' then 'vended' else 'declined' end, coalesce(v_evidence[s.ordinality], ''),
           s.cost, s.foreign_cost, s.route_reason, s.provider_reference, s.supplier_code
      from settled s
     where s.supplier is not null
  )
  -- What ended below the wallet's counted_id was pending when it was counted. Nobody moves counted_id past a purchase
  -- whose inflight row is held here.
  select array_agg(s.ordinality), bool_or(s.status = 'failed'), bool_or(s.delivery_id is not null),
         bool_or(s.bulk_reference is not null), bool_or(s.id <= w.counted_id)
    into v_settled, v_some_failed, v_some_owed, v_some_lines, v_some_counted
    from settled s
    join wallets w
      on w.bucket = s.bucket and w.merchant_id = s.merchant_id and w.mode = s.mode;

  -- Before any wallet is locked, as it needs none: others wait for those.
  if v_some_owed then
    v_event_bodies := string_to_array(p_event_bodies, chr(1));
    with owed as (
      select i.bucket, i.merchant_id, i.mode, i.delivery_id, i.status, i.reference, i.id,
             v_event_bodies[i.ordinality] as body
        from unnest(p_items) with ordinality as i
       where i.ordinality = any (v_settled)
         and i.delivery_id is not null
    ),
    told as (
      insert into webhook_deliveries (bucket, merchant_id, mode, id, event, reference, subject_id, body)
      select o.bucket, o.merchant_id, o.mode, o.delivery_id, 'transaction.' || o.status, o.reference, o.id, o.body
        from owed o
    )
    insert into webhook_outbox (bucket, merchant_id, mode, delivery_id)
    select o.bucket, o.merchant_id, o.mode, o.delivery_id
      from owed o;
  end if;

  if p_further is not null then
    v_event_bodies := string_to_array(p_further_bodies, chr(1));
    with owed as (
      select i.bucket, i.merchant_id, i.mode, f.endpoint_number, f.id, i.status, i.reference, i.id as purchase_id,
             v_event_bodies[f.ordinality] as body
        from unnest(p_further) with ordinality as f
        join unnest(p_items) with ordinality as i
          on i.ordinality = f.ordinal
       where f.ordinal = any (v_settled)
    ),
    told as (
      insert into webhook_deliveries (
        bucket, merchant_id, mode, endpoint_number, id, event, reference, subject_id, body
      )
      select o.bucket, o.merchant_id, o.mode, o.endpoint_number, o.id, 'transaction.' || o.status, o.reference,
             o.purchase_id, o.body
        from owed o
    )
    insert into webhook_outbox (bucket, merchant_id, mode, endpoint_number, delivery_id)
    select o.bucket, o.merchant_id, o.mode, o.endpoint_number, o.id
      from owed o;
  end if;

  if v_some_failed then
    perform 1
       from wallets w
      where (w.bucket, w.merchant_id, w.mode) in (
              select i.bucket, i.merchant_id, i.mode
                from unnest(p_items) with ordinality as i
               where i.ordinality = any (v_settled)
                 and i.status = 'failed'
            )
      order by w.bucket, w.merchant_id, w.mode
        for update;

    with refunded as materialized (
      select p.bucket,
             p.merchant_id,
             p.mode,
             p.id,
             p.total,
             p.limit_day,
             w.day,
             w.balance,
             w.seq,
             sum(p.total) over through_item as given_back,
             row_number() over through_item as nth
        from unnest(p_items) with ordinality as i
        join purchases p
          on p.bucket = i.bucket and p.merchant_id = i.merchant_id and p.mode = i.mode and p.id = i.id and p.id > 0
        join wallets w
          on w.bucket = i.bucket and w.merchant_id = i.merchant_id and w.mode = i.mode
       where i.ordinality = any (v_settled)
         and i.status = 'failed'
      window through_item as (
               partition by p.bucket, p.merchant_id, p.mode
               order by i.ordinality
               rows between unbounded preceding and current row
             )
    ),
    credited as (
      update wallets w
         set balance = w.balance + c.total,
             seq = w.seq + c.refunds,
             -- A refund gives the allowance of its own day back, where the wallet still counts that day.
             day_spent = greatest(0, w.day_spent - c.total_of_day),
             updated_at = now()
        from (
               select r.bucket, r.merchant_id, r.mode, sum(r.total)::bigint as total, count(*) as refunds,
                      coalesce(sum(r.total) filter (where r.limit_day = r.day), 0)::bigint as total_of_day
                 from refunded r
                group by r.bucket, r.merchant_id, r.mode
             ) c
       where w.bucket = c.bucket and w.merchant_id = c.merchant_id and w.mode = c.mode
    )
    insert into ledger_entries (
      bucket, merchant_id, mode, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id
    )
    select r.bucket, r.merchant_id, r.mode, r.seq + r.nth, 'refund', 'clearing', 'wallet', r.total, r.total,
           r.balance + r.given_back, r.id
      from refunded r;
  end if;

  if v_some_counted then
    insert into purchase_counts as c (
      bucket, merchant_id, mode, day, product_id, status, channel, purchases, charged, first_id, last_id
    )
    select p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel, count(*), sum(p.total),
           min(p.id), max(p.id)
      from unnest(p_items) with ordinality as i
      join purchases p
        on p.bucket = i.bucket and p.merchant_id = i.merchant_id and p.mode = i.mode and p.id = i.id and p.id > 0
      join wallets w
        on w.bucket = i.bucket and w.merchant_id = i.merchant_id and w.mode = i.mode and w.counted_id >= i.id
     cross join lateral (values (-1), (purchase_day(p.id))) as levels (day)
     where i.ordinality = any (v_settled)
     group by p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel
     order by p.bucket, p.merchant_id, p.mode, levels.day, p.product_id, p.status, p.channel
        on conflict (bucket, merchant_id, mode, day, product_id, status, channel) do update
           set purchases = c.purchases + excluded.purchases,
               charged = c.charged + excluded.charged,
               first_id = least(c.first_id, excluded.first_id),
               last_id = greatest(c.last_id, excluded.last_id);
  end if;

  if v_some_lines then
    perform 1
       from bulk_orders b
      where (b.bucket, b.merchant_id, b.mode, b.reference) in (
              select i.bucket, i.merchant_id, i.mode, i.bulk_reference
                from unnest(p_items) with ordinality as i
               where i.ordinality = any (v_settled)
                 and i.bulk_reference is not null
            )
      order by b.bucket, b.merchant_id, b.mode, b.reference
        for update;

    -- The last line closes the order; who announces that finds it by its open_lines.
    update bulk_orders b
       set open_lines = b.open_lines - c.lines
      from (
             select i.bucket, i.merchant_id, i.mode, i.bulk_reference, count(*) as lines
               from unnest(p_items) with ordinality as i
              where i.ordinality = any (v_settled)
                and i.bulk_reference is not null
              group by i.bucket, i.merchant_id, i.mode, i.bulk_reference
           ) c
     where b.bucket = c.bucket
       and b.merchant_id = c.merchant_id
       and b.mode = c.mode
       and b.reference = c.bulk_reference;
  end if;

  return query
  select u.ordinal
    from unnest(v_settled) as u (ordinal);
end
$$;
