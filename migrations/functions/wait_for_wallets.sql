-- Locks wallets that somebody else holds, in key order, where they come free within a moment: most are held for the
-- milliseconds of a commit, and whoever asks gets its turn then. Others wait behind who waits, so the moment is short.
-- writes: wallets
-- locks: the wallets, in key order; none where it answers false.
-- safe to repeat.
create or replace function wait_for_wallets(p_wallet_ids integer[])
returns boolean
language plpgsql
set lock_timeout = 10
as $$
begin
  -- The door: see accept_purchases.
  update wallets w
     set seq = w.seq
   where w.wallet_id = 0;

  perform 1
     from wallets w
    where w.wallet_id = any (p_wallet_ids)
    order by w.wallet_id
      for update;
  return true;
exception
  when lock_not_available then
    return false;
end
$$;
