-- The log was insert-only by agreement: whoever came in with the service's role could change it, take from it or empty
-- it. Such a statement is refused now. The table's owner can still lift the trigger, on purpose and by its name; that
-- entries were then changed tells `audit check`, with a hash that was kept elsewhere.

-- A trigger needs its function; what it says in full is in functions/refuse_audit_change.sql, applied behind this.
create function refuse_audit_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'The audit log only grows.';
end
$$;

create trigger audit_log_only_grows
  before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
