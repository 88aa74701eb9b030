-- Has a pending purchase go back from its present attempt, of which nobody was asked, to an earlier one that had ended,
-- to wait there for a person. The earlier attempt's row goes: it is written anew when the attempt ends for good.
-- Only the holder of the lease gets through, and only for the attempt that it knows of; everybody else is told false.
-- It runs as its owner: the service's role may delete no attempt by itself.
-- writes: inflight, vend_attempts, purchases
-- locks: the inflight row, as settling does.
create or replace function take_back_purchase(
  p_wallet_id integer,
  p_id bigint,
  p_epoch integer,
  -- The present attempt, and the one that it goes back to.
  p_attempt smallint,
  p_earlier smallint,
  p_answer text
)
returns boolean
language sql
security definer
set search_path from current
as $$
with held as (
  update inflight f
     set attempt = p_earlier,
         step = 'review',
         last_answer = p_answer
   where f.wallet_id = p_wallet_id
     and f.purchase_id = p_id
     and f.epoch = p_epoch
     and f.attempt = p_attempt
  returning f.wallet_id, f.purchase_id, f.attempt
),
reopened as (
  delete from vend_attempts a
   using held h
   where a.wallet_id = h.wallet_id
     and a.purchase_id = h.purchase_id
     and a.attempt = h.attempt
  returning a.wallet_id, a.purchase_id, a.attempt, a.supplier, a.supplier_code, a.cost,
            a.foreign_cost, a.route_reason, a.provider_reference
),
moved as (
  update purchases p
     set attempt = r.attempt,
         supplier = r.supplier,
         provider_reference = r.provider_reference,
         supplier_code = r.supplier_code,
         cost = r.cost,
         foreign_cost = r.foreign_cost,
         route_reason = r.route_reason
    from reopened r
   where p.wallet_id = r.wallet_id
     and p.id = r.purchase_id
  returning p.id
)
select exists (select 1 from moved)
$$;
revoke execute on function take_back_purchase(integer, bigint, integer, smallint, smallint, text)
  from public;
