-- The lowest id that a webhook delivery of this moment can have: a UUID of version 7 begins with its milliseconds.
-- writes: none
create or replace function first_delivery_id(p_at timestamptz) returns uuid
language sql immutable parallel safe
return (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
