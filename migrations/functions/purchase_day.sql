-- Day of a purchase, since 2020-01-01 at +01:00: its id carries milliseconds since 2020 above 22 other bits.
-- writes: none
create or replace function purchase_day(p_id bigint) returns integer
language sql immutable parallel safe
return (((p_id >> 22) + 3600000) / 86400000)::integer;
