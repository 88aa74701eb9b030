-- Leases at most p_limit pending purchases whose time has come, oldest first within each group of wallets and at most
-- p_per_group of each, so that no wallet's backlog takes all places; groups in the order given (see inflight_due).
-- The holder of the lease may ask the supplier and settle under its epoch; when it dies, the row comes due again by
-- itself.
-- writes: inflight
-- locks: the claimed rows, skipping those that another worker holds.
create or replace function claim_due_purchases(
  p_groups integer[],
  p_per_group integer,
  p_limit integer,
  p_lease_seconds integer
)
returns table (
  wallet_id integer,
  purchase_id bigint,
  epoch integer,
  step text,
  tries integer,
  -- For how long the supplier has said that it never received the attempt; null where its last word was another.
  not_received_ms double precision
)
language plpgsql
set enable_seqscan = off
-- By due_at's index: a vacuum after a rush leaves statistics by which sorting all that is pending is cheaper.
set enable_sort = off
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := now();
begin
  return query
  update inflight f
     -- Only the first claim of a queued purchase may ask the supplier to vend: whoever comes later cannot know whether
     -- it did.
     set step = case when f.step = 'queued' then 'dispatch' else f.step end,
         epoch = f.epoch + 1,
         -- What leaves the queue is sent, for the first time: that is no question yet.
         tries = case when f.step = 'queued' then 0 else f.tries + 1 end,
         due_at = v_now + make_interval(secs => p_lease_seconds)
    from (
           select d.wallet_id, d.purchase_id, d.step
             from unnest(p_groups) as g (number)
            cross join lateral (
                    select i.wallet_id, i.purchase_id, i.step
                      from inflight i
                     where (i.wallet_id & 63) = g.number and i.due_at <= v_now and i.step <> 'review'
                     order by i.due_at
                     limit p_per_group
                       for update skip locked
                  ) d
            limit p_limit
         ) due
   where f.wallet_id = any (array[due.wallet_id]) -- see settle_purchases
     and f.purchase_id = due.purchase_id
  returning f.wallet_id, f.purchase_id, f.epoch, due.step, f.tries,
            extract(epoch from v_now - f.not_received_since)::float8 * 1000;
end
$$;
