-- What an entry's hash is: over the hash before it and all that the entry says.
-- writes: none
create or replace function audit_hash(
  p_previous_hash bytea,
  p_number bigint,
  p_at timestamptz,
  p_who text,
  p_command text,
  p_details text
)
returns bytea
language sql immutable parallel safe
return sha256(
  p_previous_hash
    || convert_to(
         json_build_array(p_number, extract(epoch from p_at)::text, p_who, p_command, p_details)::text, 'UTF8'
       )
);
