-- Sends pending purchases on to another supplier after an explicit no: ends the attempt that was declined and begins
-- the next, in one commit and before anybody is asked. One call is one commit.
-- Only the holder of the lease gets through, and only for the attempt that it knows of; everybody else is told nothing.
-- = any: see settle_purchases.
-- writes: inflight, purchases, vend_attempts
-- locks: inflight rows in key order.
-- safe to repeat: an item whose next attempt was begun under the same lease is answered again, nothing is written.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function reroute_purchases(p_items rerouting[])
returns table (ordinal bigint)
language plpgsql
as $$
declare
  v_now constant timestamptz := now();
  v_moved bigint[];
begin
  with moved as (
    update inflight f
       set attempt = i.attempt + 1,
           step = i.step,
           last_answer = null,
           -- The next supplier was asked nothing yet.
           tries = 0,
           not_received_since = null,
           due_at = i.due_at
      from (
             select r.*, v_now + make_interval(secs => r.due_seconds) as due_at
               from unnest(p_items) with ordinality as r
              order by r.wallet_id, r.id
           ) i
     where f.wallet_id = any (array[i.wallet_id])
       and f.purchase_id = i.id
       and f.epoch = i.epoch
       and f.attempt = i.attempt
    returning i.ordinality
  )
  select array_agg(m.ordinality) into v_moved
    from moved m;

  -- Statements of their own: waiting for a lock does not refresh the snapshot that a statement reads from.
  insert into vend_attempts (
    wallet_id, purchase_id, attempt, supplier, supplier_reference, verdict, evidence, cost, foreign_cost, route_reason,
    provider_reference, supplier_code, ended_at
  )
  select p.wallet_id, p.id, p.attempt, p.supplier, i.supplier_reference, 'declined', i.evidence, p.cost, p.foreign_cost,
         p.route_reason, i.provider_reference, p.supplier_code, v_now
    from unnest(p_items) with ordinality as i
    join purchases p
      on p.wallet_id = i.wallet_id and p.id = i.id
   where i.ordinality = any (v_moved);

  update purchases p
     set attempt = i.attempt + 1,
         supplier = i.supplier,
         -- What the last supplier called its attempt means nothing to the next one.
         provider_reference = null,
         supplier_code = i.supplier_code,
         cost = i.cost,
         foreign_cost = i.foreign_cost,
         route_reason = i.route_reason
    from unnest(p_items) with ordinality as i
   where i.ordinality = any (v_moved)
     and p.wallet_id = i.wallet_id
     and p.id = i.id;

  return query
  select i.ordinality
    from unnest(p_items) with ordinality as i
    join inflight f
      on f.wallet_id = any (array[i.wallet_id]) and f.purchase_id = i.id and f.epoch = i.epoch
     and f.attempt = i.attempt + 1
   order by i.ordinality;
end
$$;
