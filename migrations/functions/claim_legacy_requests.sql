-- Lets legacy requests without a reference through, unless the same was let through less than p_window_seconds ago.
-- Answers which of them, counted from 1. Of equal requests at one time exactly one passes: the others wait for its
-- row and then find it young. No two items of a call may be equal.
-- Every call forgets twice as many rows that are over as it brings, so the table holds what the windows hold.
-- writes: guarded_purchases
-- locks: the requests' rows, in key order; what is forgotten is locked after them and never waited for.
-- safe to repeat: a request that was let through under its own reference is let through again.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function claim_legacy_requests(
  p_bucket smallint[],
  p_merchant_id integer[],
  p_mode text[],
  p_fingerprint uuid[],
  p_reference text[],
  p_window_seconds integer
)
returns table (ordinal bigint)
language plpgsql
as $$
declare
  v_window constant interval := make_interval(secs => p_window_seconds);
begin
  return query
  with asked as (
    select i.bucket, i.merchant_id, i.mode, i.fingerprint, i.reference, i.ordinal
      from unnest(p_bucket, p_merchant_id, p_mode, p_fingerprint, p_reference)
             with ordinality as i (bucket, merchant_id, mode, fingerprint, reference, ordinal)
  ),
  claimed as (
    insert into guarded_purchases as r (bucket, merchant_id, mode, fingerprint, reference, held_until)
    select a.bucket, a.merchant_id, a.mode, a.fingerprint, a.reference, now() + v_window
      from asked a
     order by a.bucket, a.merchant_id, a.mode, a.fingerprint
        on conflict (bucket, merchant_id, mode, fingerprint) do update
       set reference = excluded.reference,
           held_until = excluded.held_until
     where r.held_until <= now()
        or r.reference = excluded.reference
    returning r.reference
  )
  select a.ordinal
    from asked a
    join claimed c on c.reference = a.reference;

  delete from guarded_purchases r
   where (r.bucket, r.merchant_id, r.mode, r.fingerprint) in (
           select o.bucket, o.merchant_id, o.mode, o.fingerprint
             from guarded_purchases o
            where o.held_until <= now()
            order by o.held_until
            limit 2 * cardinality(p_reference)
              for update skip locked
         );
end
$$;
