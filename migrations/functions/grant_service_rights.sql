-- Gives the role that serves its rights in this schema: all rows of all tables and sequences, but of the tables listed
-- below only what stands beside them, so that whoever gets hold of that role changes nothing that was booked. Takes
-- away what it had beyond that. For the owner of the tables to call, whenever there may be new ones.
-- Says nothing where all is as it should be: a grant has every session plan its statements anew.
-- writes: none
-- safe to repeat.
create or replace function grant_service_rights(p_role name) returns void
language plpgsql
as $$
declare
  v_schema constant regnamespace := current_schema()::regnamespace;
  v_statement text;
begin
  for v_statement in
    with limited (table_name, rights) as (
      values ('ledger_entries', '{select, insert}'::text[]),
             -- append_audit_entry writes it.
             ('audit_log', '{select}'),
             -- take_back_purchase takes attempts away.
             ('vend_attempts', '{select, insert}'),
             -- purge_sandbox_purchases deletes those of the sandbox.
             ('purchases', '{select, insert, update}'),
             -- What holds a bank reference stays.
             ('wallet_credits', '{select, insert, update}'),
             ('applied_migrations', '{select}')
    ),
    relation as (
      select c.oid,
             c.relacl,
             case when c.relkind = 'S' then 'sequence' else 'table' end as kind,
             case
               when c.relkind = 'S' then '{usage, select}'
               else coalesce(l.rights, '{select, insert, update, delete}')
             end as rights
        from pg_class c
        left join limited l
          on l.table_name = c.relname
       where c.relnamespace = v_schema
         and c.relkind in ('r', 'p', 'v', 'm', 'S')
    )
    select format('grant usage on schema %s to %I', v_schema, p_role)
     where not has_schema_privilege(p_role, v_schema, 'usage')
    union all
    select format('revoke %s on %s %s from %I', given.privilege_type, r.kind, r.oid::regclass, p_role)
      from relation r
     cross join lateral aclexplode(r.relacl) given
     where given.grantee = p_role::regrole
       and lower(given.privilege_type) <> all (r.rights)
    union all
    select format('grant %s on %s %s to %I', lacking.name, r.kind, r.oid::regclass, p_role)
      from relation r
     cross join lateral (
             select string_agg(w.name, ', ') as name
               from unnest(r.rights) as w (name)
              where not case r.kind
                          when 'sequence' then has_sequence_privilege(p_role, r.oid, w.name)
                          else has_table_privilege(p_role, r.oid, w.name)
                        end
           ) lacking
     where lacking.name is not null
    union all
    -- Only the service may call functions that run as their owner: a restored copy may have lost that.
    select format('revoke execute on function %s from public', p.oid::regprocedure)
      from pg_proc p
     where p.pronamespace = v_schema
       and p.prosecdef
       and has_function_privilege('public', p.oid, 'execute')
    union all
    select format('grant execute on function %s to %I', p.oid::regprocedure, p_role)
      from pg_proc p
     where p.pronamespace = v_schema
       and (p.prosecdef or not has_function_privilege(p_role, p.oid, 'execute'))
       and not exists (
             select 1
               from aclexplode(p.proacl) given
              where given.grantee = p_role::regrole and given.privilege_type = 'EXECUTE'
           )
  loop
    execute v_statement;
  end loop;
end
$$;
