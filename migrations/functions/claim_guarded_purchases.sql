-- Takes the places of purchases, no two of them equal, for their windows, and returns those that nobody had. Of several
-- equal purchases at one time exactly one gets the place; the others wait for its row. Each that is taken forgets two
-- whose time is over: the table holds what the windows hold.
-- writes: guarded_purchases
-- locks: rows in key order; then, without waiting, those that are forgotten: two calls can't hold each other up.
-- called on: batched connections alone, whose settings fit its plans (src/platform/database/connection-config.ts).
create or replace function claim_guarded_purchases(
  p_wallet_ids integer[],
  p_fingerprints uuid[],
  p_references text[],
  p_seconds integer[]
)
returns table (wallet_id integer, fingerprint uuid)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_now constant timestamptz := now();
  v_item record;
  v_claimed integer := 0;
begin
  -- Row by row: with Citus no variable stands behind ON CONFLICT where rows are selected.
  for v_item in
    select i.wallet_id, i.fingerprint, i.reference, i.seconds
      from unnest(p_wallet_ids, p_fingerprints, p_references, p_seconds)
             as i (wallet_id, fingerprint, reference, seconds)
     order by i.wallet_id, i.fingerprint
  loop
    return query
    insert into guarded_purchases as g (wallet_id, fingerprint, reference, guarded_until)
    values (
      v_item.wallet_id, v_item.fingerprint, v_item.reference, v_now + make_interval(secs => v_item.seconds)
    )
        on conflict (wallet_id, fingerprint) do update
       set reference = excluded.reference,
           guarded_until = excluded.guarded_until
     where g.guarded_until <= v_now
    returning g.wallet_id, g.fingerprint;
    if found then
      v_claimed := v_claimed + 1;
    end if;
  end loop;

  delete from guarded_purchases g
   where (g.wallet_id, g.fingerprint) in (
           select o.wallet_id, o.fingerprint
             from guarded_purchases o
            where o.guarded_until <= v_now
            order by o.guarded_until
            limit 2 * v_claimed
              for update skip locked
         );
end
$$;
