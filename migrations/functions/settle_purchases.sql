-- Brings a batch of pending purchases to their final status: the one door. One call is one commit.
-- Deleting the inflight row is the gate: whoever deletes it settles, everybody else is told nothing was theirs.
-- The webhooks about the end, with the bodies that the caller wrote, are written in the same commit.
-- A token or PIN is of the sale that it was named for first: an end that hands over another sale's does not pass the
-- gate.
-- Most batches hold successes and nothing else: what only some need is begun for those alone.
-- Where pending rows are named by a join, the wallet is compared by = any (array[…]): while the statistics of inflight
-- are those of an empty table, as after every quiet minute, the planner would read all that is pending (test:
-- pending-plans).
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
-- writes: delivered_codes, inflight, purchases, vend_attempts, webhook_deliveries, webhook_outbox, wallets,
--         ledger_entries, purchase_counts, bulk_orders
-- calls: wait_for_wallets
-- locks: the wallets of failed purchases in key order, then codes in their order, then inflight rows in key order, then
--        the bulk orders of lines in key order. Where somebody holds such a wallet for longer than a moment, its failed
--        purchases are passed by.
-- safe to repeat: a purchase that is final already is not returned, and nothing is written.
--
-- ordinal: of an item that is settled now. passed_by: of one that was not tried, as its wallet is held; send it again.
drop function if exists settle_purchases(settlement[], settlement_webhook[]);
drop function if exists settle_purchases(settlement[], settlement_webhook[], settlement_code[]);
create function settle_purchases(
  p_items settlement[],
  p_webhooks settlement_webhook[],
  p_codes settlement_code[] default null
)
returns table (ordinal bigint, passed_by bigint)
language plpgsql
as $$
declare
  -- The wallets that get something back, and those of them that are locked here.
  v_failing integer[] := array(select distinct i.wallet_id from unnest(p_items) as i where i.status = 'failed');
  v_held integer[] := '{}';
  -- The ordinals of what hands over another sale's goods.
  v_doubtful integer[] := '{}';
  -- What passed the gate: the items' ordinals; of each what it says of its attempt, and the purchase as it is now.
  v_settled bigint[];
  v_supplier_references text[];
  v_evidence text[];
  v_ended purchases[];
  v_some_failed boolean;
  v_some_lines boolean;
  v_wallet wallets%rowtype;
begin
  if v_failing <> '{}' then
    -- The door: see accept_purchases.
    update wallets w
       set seq = w.seq
     where w.wallet_id = 0;

    v_held := array(
      select w.wallet_id
        from wallets w
       where w.wallet_id = any (v_failing)
       order by w.wallet_id
         for update skip locked
    );
    if cardinality(v_held) < cardinality(v_failing) and wait_for_wallets(v_failing) then
      v_held := v_failing;
    end if;
  end if;

  if p_codes is not null then
    insert into delivered_codes (code, wallet_id, purchase_id)
    select c.code, c.wallet_id, c.purchase_id
      from unnest(p_codes) as c
     order by c.code
        on conflict (code) do nothing;

    -- A statement of its own: it reads what another call wrote that the one before waited for.
    select coalesce(array_agg(c.ordinal), '{}') into v_doubtful
      from unnest(p_codes) as c
      join delivered_codes d
        on d.code = c.code
     where (d.wallet_id, d.purchase_id) <> (c.wallet_id, c.purchase_id);
  end if;

  with gate as (
    delete from inflight f
     using (
             select i.ordinality, i.wallet_id, i.id, i.epoch, i.attempt
               from unnest(p_items) with ordinality as i
              where (i.status <> 'failed' or i.wallet_id = any (v_held))
                and i.ordinality <> all (v_doubtful)
              order by i.wallet_id, i.id
           ) i
     where f.wallet_id = any (array[i.wallet_id])
       and f.purchase_id = i.id
       and f.epoch = coalesce(i.epoch, f.epoch)
       and f.attempt = i.attempt
    returning i.ordinality
  )
  select array_agg(g.ordinality) into v_settled
    from gate g;

  -- Statements of their own: waiting for a lock does not refresh the snapshot that a statement reads from.
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
       and p.wallet_id = i.wallet_id
       and p.id = i.id
       and p.status = 'pending'
    returning i.ordinality, i.supplier_reference, i.evidence, p as ended
  )
  select array_agg(s.ordinality), array_agg(s.supplier_reference), array_agg(s.evidence), array_agg(s.ended),
         bool_or((s.ended).status = 'failed'), bool_or((s.ended).bulk_reference is not null)
    into v_settled, v_supplier_references, v_evidence, v_ended, v_some_failed, v_some_lines
    from settled s;

  insert into vend_attempts (
    wallet_id, purchase_id, attempt, supplier, supplier_reference, verdict, evidence, cost, foreign_cost, route_reason,
    provider_reference, supplier_code
  )
  select p.wallet_id, p.id, p.attempt, p.supplier, v_supplier_references[p.ordinality],
         case when p.status = 'successful' then 'vended' else 'declined' end, v_evidence[p.ordinality], p.cost,
         p.foreign_cost, p.route_reason, p.provider_reference, p.supplier_code
    from unnest(v_ended) with ordinality as p
   where p.supplier is not null;

  if p_webhooks is not null then
    insert into webhook_deliveries (wallet_id, endpoint_number, id, event, reference, subject_id, body)
    select d.wallet_id, d.endpoint_number, d.id, d.event, d.reference, d.purchase_id, d.body
      from unnest(p_webhooks) as d
     where d.ordinal = any (v_settled);

    insert into webhook_outbox (wallet_id, endpoint_number, delivery_id)
    select d.wallet_id, d.endpoint_number, d.id
      from unnest(p_webhooks) as d
     where d.ordinal = any (v_settled);
  end if;

  if v_some_failed then
    for v_wallet in
      select w.*
        from wallets w
       where w.wallet_id in (select p.wallet_id from unnest(v_ended) as p where p.status = 'failed')
       order by w.wallet_id
         for update
    loop
      insert into ledger_entries (
        wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id
      )
      select p.wallet_id, v_wallet.seq + row_number() over through_purchase, 'refund', 'clearing', 'wallet', p.total,
             p.total, v_wallet.balance + sum(p.total) over through_purchase, p.id
        from unnest(v_ended) as p
       where p.wallet_id = v_wallet.wallet_id
         and p.status = 'failed'
      window through_purchase as (order by p.id rows between unbounded preceding and current row);

      update wallets w
         set balance = w.balance + r.total,
             seq = w.seq + r.refunds,
             -- A refund gives the allowance of its own day back, where the wallet still counts that day.
             day_spent = greatest(0, w.day_spent - r.total_of_day),
             updated_at = now()
        from (
               select sum(p.total) as total, count(*) as refunds,
                      coalesce(sum(p.total) filter (where p.limit_day = v_wallet.day), 0) as total_of_day
                 from unnest(v_ended) as p
                where p.wallet_id = v_wallet.wallet_id
                  and p.status = 'failed'
             ) r
       where w.wallet_id = v_wallet.wallet_id;
    end loop;
  end if;

  -- What ended below the wallet's counted_id was pending when it was counted. Nothing moves counted_id past a purchase
  -- whose inflight row is held here.
  if exists (
    select 1
      from unnest(v_ended) as p
      join wallets w
        on w.wallet_id = p.wallet_id and w.counted_id >= p.id
  ) then
    insert into purchase_counts as c (
      wallet_id, day, product_id, status, channel, purchases, charged, first_id, last_id
    )
    select p.wallet_id, levels.day, p.product_id, p.status, p.channel, count(*), sum(p.total), min(p.id), max(p.id)
      from unnest(v_ended) as p
      join wallets w
        on w.wallet_id = p.wallet_id and w.counted_id >= p.id
     cross join lateral (values (-1), (purchase_day(p.id))) as levels (day)
     group by p.wallet_id, levels.day, p.product_id, p.status, p.channel
     order by p.wallet_id, levels.day, p.product_id, p.status, p.channel
        on conflict (wallet_id, day, product_id, status, channel) do update
           set purchases = c.purchases + excluded.purchases,
               charged = c.charged + excluded.charged,
               first_id = least(c.first_id, excluded.first_id),
               last_id = greatest(c.last_id, excluded.last_id);
  end if;

  if v_some_lines then
    perform 1
       from bulk_orders b
      where b.reference <> ''
        and (b.wallet_id, b.reference) in (
              select p.wallet_id, p.bulk_reference from unnest(v_ended) as p where p.bulk_reference is not null
            )
      order by b.wallet_id, b.reference
        for update;

    -- The last line closes the order; who announces that finds it by its open_lines.
    update bulk_orders b
       set open_lines = b.open_lines - l.lines
      from (
             select p.wallet_id, p.bulk_reference, count(*) as lines
               from unnest(v_ended) as p
              where p.bulk_reference is not null
              group by p.wallet_id, p.bulk_reference
           ) l
     where b.wallet_id = l.wallet_id
       and b.reference = l.bulk_reference
       and b.reference <> '';
  end if;

  return query
  select s.ordinal, null::bigint
    from unnest(v_settled) as s (ordinal)
   union all
  select null, i.ordinality
    from unnest(p_items) with ordinality as i
   where i.status = 'failed'
     and i.wallet_id <> all (v_held);
end
$$;
