-- Makes deliveries due now. One whose attempts are over has no row in the outbox any more: it gets one that goes on
-- counting. The epoch is raised so that a worker whose lease ran out can't end with its attempt what was resent since.
-- Returns how many are due now that were not: neither those that were due already nor those with an attempt under way.
-- Rows for deliveries that may have one are made under the lock of their log alone, so that none gets a second one.
-- writes: webhook_outbox
-- locks: webhook_logs; then the rows of the outbox.
-- safe to repeat.
create or replace function resend_webhook_deliveries(
  p_wallet_id integer,
  p_delivery_ids uuid[],
  p_lane text
)
returns integer
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_brought_forward integer;
  v_made integer;
  v_now timestamptz;
begin
  -- The door: see accept_purchases.
  delete from webhook_outbox o
   where o.lane = '' and o.wallet_id = 0;

  perform 1
     from webhook_logs l
    where l.wallet_id = p_wallet_id
      for update;

  -- A statement of its own: waiting for a lock does not refresh the snapshot that a statement reads from. Nor does it
  -- move now(): what somebody else made due while this one waited would seem to wait for later.
  v_now := clock_timestamp();
  update webhook_outbox o
     set due_at = v_now,
         lane = p_lane,
         leased_until = null,
         epoch = o.epoch + 1
    from webhook_deliveries d
   where d.wallet_id = p_wallet_id
     and d.id = any (p_delivery_ids)
     and o.lane = any (array['event', 'manual', 'later', 'postponed'])
     and o.wallet_id = p_wallet_id
     and o.endpoint_number = d.endpoint_number
     and o.delivery_id = d.id
     and o.due_at > v_now
     and coalesce(o.leased_until <= v_now, true);
  get diagnostics v_brought_forward = row_count;

  insert into webhook_outbox (wallet_id, endpoint_number, delivery_id, attempts, lane, due_at)
  select p_wallet_id, d.endpoint_number, d.id, coalesce(tried.attempts, 0), p_lane, v_now
    from webhook_deliveries d
   cross join lateral (
           select max(a.attempt) as attempts
             from webhook_attempts a
            where a.wallet_id = p_wallet_id and a.delivery_id = d.id
         ) tried
   where d.wallet_id = p_wallet_id
     and d.id = any (p_delivery_ids)
     and not exists (
           select 1
             from webhook_outbox o
            where o.lane = any (array['event', 'manual', 'later', 'postponed'])
              and o.wallet_id = p_wallet_id
              and o.endpoint_number = d.endpoint_number
              and o.delivery_id = d.id
         );
  get diagnostics v_made = row_count;
  return v_brought_forward + v_made;
end
$$;
