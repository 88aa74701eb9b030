-- Makes a delivery due now, because somebody asked for it. One whose attempts are over has no row in the outbox any
-- more: it gets one that goes on counting. The epoch is raised so that a worker whose lease ran out can't end with its
-- attempt what somebody asked for since. Returns false when it is due already, or an attempt is under way.
-- Rows for deliveries that may have one are made under the lock of their log alone, so that none gets a second one.
-- writes: webhook_outbox
-- locks: webhook_logs; then the row of the outbox.
-- safe to repeat.
create or replace function resend_webhook_delivery(
  p_wallet_id integer,
  p_endpoint_number integer,
  p_delivery_id uuid
)
returns boolean
language plpgsql
set enable_seqscan = off
set jit = off
as $$
begin
  perform 1
     from webhook_logs l
    where l.wallet_id = p_wallet_id
      for update;

  -- A statement of its own: waiting for a lock does not refresh the snapshot that a statement reads from. Nor does it
  -- move now(): what somebody else made due while this one waited would seem to wait for later.
  update webhook_outbox o
     set due_at = now(),
         lane = 'manual',
         leased_until = null,
         epoch = o.epoch + 1
   where o.lane = any (array['event', 'manual', 'later', 'postponed'])
     and o.wallet_id = p_wallet_id
     and o.endpoint_number = p_endpoint_number
     and o.delivery_id = p_delivery_id
     and o.due_at > clock_timestamp()
     and coalesce(o.leased_until <= clock_timestamp(), true);
  if found then
    return true;
  end if;

  insert into webhook_outbox (wallet_id, endpoint_number, delivery_id, attempts, lane)
  select p_wallet_id, p_endpoint_number, p_delivery_id,
         coalesce(
           (
             select max(a.attempt)
               from webhook_attempts a
              where a.wallet_id = p_wallet_id
                and a.delivery_id = p_delivery_id
           ),
           0
         ),
         'manual'
   where not exists (
           select 1
             from webhook_outbox o
            where o.lane = any (array['event', 'manual', 'later', 'postponed'])
              and o.wallet_id = p_wallet_id
              and o.endpoint_number = p_endpoint_number
              and o.delivery_id = p_delivery_id
         );
  return found;
end
$$;
