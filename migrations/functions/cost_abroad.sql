-- The hundredths in purchases.foreign_cost or vend_attempts.foreign_cost: 450 of `USD 4.50 at 1600.00`. Null for null.
-- writes: none
create or replace function cost_abroad(p_foreign_cost text)
returns bigint
language sql
immutable
parallel safe
as $$
  select replace(split_part(p_foreign_cost, ' ', 2), '.', '')::bigint
$$;
