-- Refuses every statement that is no insert: the trigger of the audit log.
-- writes: none
create or replace function refuse_audit_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'The audit log only grows, so % is refused. Set right what was done by another command.', tg_op
    using errcode = 'restrict_violation';
end
$$;
