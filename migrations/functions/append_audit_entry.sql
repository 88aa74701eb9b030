-- Adds an entry to the audit log's chain. It runs as its owner: the service's role may only read the table.
-- writes: audit_log
-- locks: the row of audit_log_forwarded against other entries until the transaction ends, so it comes last in its
-- transaction. Not the table: that would hold vacuum up, and it this.
create or replace function append_audit_entry(p_who text, p_command text, p_details text) returns bigint
language plpgsql
security definer
set search_path from current
as $$
declare
  before_number bigint;
  before_hash bytea;
  written_at timestamptz := clock_timestamp();
begin
  perform 1
     from audit_log_forwarded f
    where f.id = 1
      for update;
  select a.number, a.hash into before_number, before_hash
    from audit_log a
   order by a.number desc
   limit 1;
  before_number := coalesce(before_number, 0);
  before_hash := coalesce(before_hash, decode(repeat('00', 32), 'hex'));
  insert into audit_log (number, at, who, command, details, previous_hash, hash)
  values (
    before_number + 1, written_at, p_who, p_command, p_details, before_hash,
    audit_hash(before_hash, before_number + 1, written_at, p_who, p_command, p_details)
  );
  return before_number + 1;
end
$$;
revoke execute on function append_audit_entry(text, text, text) from public;
