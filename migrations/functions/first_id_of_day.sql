-- The smallest id that a purchase of a day can have, as `purchase_day` counts days.
-- writes: none
create or replace function first_id_of_day(p_day integer) returns bigint
language sql immutable parallel safe
return greatest(0, p_day * 86400000::bigint - 3600000) << 22;
