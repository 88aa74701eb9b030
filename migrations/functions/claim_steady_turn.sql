-- Takes a turn for what can't be taken back. False where it isn't free, and as well, though it is taken, where now is
-- more than a day after it became free, or before: then the database's clock has made a leap, or nobody was there for
-- so long.
-- writes: turns
-- locks: the turn.
-- safe to repeat.
create or replace function claim_steady_turn(p_name text, p_seconds double precision)
returns boolean
language sql
as $$
with before as (
  select t.free_at
    from turns t
   where t.name = p_name
),
taken as (
  insert into turns as t (name, free_at)
  values (p_name, now() + make_interval(secs => p_seconds))
      on conflict (name) do update
         set free_at = excluded.free_at
       where t.free_at <= now() or t.free_at > excluded.free_at
  returning 1
)
select exists (select 1 from taken)
   and coalesce((select b.free_at between now() - interval '1 day' and now() from before b), true)
$$;
