import type pg from "pg";
import { StartError } from "../../kernel/start-error.ts";
import { placeOf } from "./reach-database.ts";

/** A pool, and the address that it connects to. */
export interface Reached {
  readonly pool: pg.Pool;
  readonly connectionString: string;
}

/** One database, as the role that serves and as the one that migrates. */
export interface BothRoles {
  readonly service: Reached;
  readonly migrating: Reached;
}

const presentRole = `select current_user as name, current_database() as database`;
const knowsRole = `
  select current_user as name, to_regrole(quote_ident($1)) is not null as known, current_database() as database`;

/**
 * The role that serves, which the other one gives its rights to.
 * @throws StartError where the two are one, or look at different databases
 */
export async function findServiceRole({ service, migrating }: BothRoles): Promise<string> {
  const [role] = (await service.pool.query<{ name: string; database: string }>(presentRole)).rows;
  const values = [role?.name];
  type Seen = { readonly name: string; readonly known: boolean; readonly database: string };
  const [seen] = (await migrating.pool.query<Seen>(knowsRole, values)).rows;
  if (role === undefined || seen?.known !== true || seen.database !== role.database) {
    throw new StartError(
      `DATABASE_URL (${placeOf(service.connectionString)}) and MIGRATIONS_DATABASE_URL ` +
        `(${placeOf(migrating.connectionString)}) lead to different databases: let both name the same one.`,
    );
  }
  if (seen.name === role.name) {
    throw new StartError(
      `DATABASE_URL and MIGRATIONS_DATABASE_URL name one user (${role.name}), which could change what was booked: ` +
        "let DATABASE_URL name a role that owns nothing (docs/operations/install.md, under two roles).",
    );
  }
  return role.name;
}

/** Gives the role that serves its rights to what is there now. */
export async function grantRights(roles: BothRoles): Promise<void> {
  const role = await findServiceRole(roles);
  await giveRights(roles.migrating.pool, role);
}

// All rows of all tables and sequences, but of the tables listed here only what stands beside them, so that whoever gets
// hold of the role changes nothing that was booked.
const listMissingGrants = `
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
           ('funding_entries', '{select, insert}'),
           ('payments', '{select, insert, update}'),
           -- A line that was there is known for good.
           ('statement_lines', '{select, insert, update}'),
           ('applied_migrations', '{select}'),
           -- The sale that got a token first stays.
           ('delivered_codes', '{select, insert}'),
           ('closed_days', '{select, insert}'),
           ('closed_day_sales', '{select, insert}'),
           ('closed_day_holdings', '{select, insert}'),
           -- A difference between books is kept for good.
           ('reconciliation_differences', '{select, insert, update}'),
           -- What a price was stays.
           ('price_history', '{select, insert}')
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
     where c.relnamespace = current_schema()::regnamespace
       and c.relkind in ('r', 'p', 'v', 'm', 'S')
  )
  select format('grant usage on schema %s to %I', current_schema()::regnamespace, $1::name) as change
   where not has_schema_privilege($1::name, current_schema()::regnamespace, 'usage')
  union all
  select format('revoke %s on %s %s from %I', given.privilege_type, r.kind, r.oid::regclass, $1::name)
    from relation r
   cross join lateral aclexplode(r.relacl) given
   where given.grantee = quote_ident($1::name)::regrole
     and lower(given.privilege_type) <> all (r.rights)
  union all
  select format('grant %s on %s %s to %I', lacking.name, r.kind, r.oid::regclass, $1::name)
    from relation r
   cross join lateral (
           select string_agg(w.name, ', ') as name
             from unnest(r.rights) as w (name)
            where not case r.kind
                        when 'sequence' then has_sequence_privilege($1::name, r.oid, w.name)
                        else has_table_privilege($1::name, r.oid, w.name)
                      end
         ) lacking
   where lacking.name is not null
  union all
  -- Only the service may call functions that run as their owner: a restored copy may have lost that.
  select format('revoke execute on function %s from public', p.oid::regprocedure)
    from pg_proc p
   where p.pronamespace = current_schema()::regnamespace
     and p.prosecdef
     and has_function_privilege('public', p.oid, 'execute')
  union all
  select format('grant execute on function %s to %I', p.oid::regprocedure, $1::name)
    from pg_proc p
   where p.pronamespace = current_schema()::regnamespace
     and (p.prosecdef or not has_function_privilege($1::name, p.oid, 'execute'))
     and not exists (
           select 1
             from aclexplode(p.proacl) given
            where given.grantee = quote_ident($1::name)::regrole and given.privilege_type = 'EXECUTE'
         )`;

/**
 * Gives a role its rights in the present schema, and takes away what it had beyond them; as the owner of the tables,
 * whenever there may be new ones. Grants nothing where all is as it should be: a grant has every session plan its
 * statements anew. Safe to repeat.
 */
export async function giveRights(owner: pg.Pool | pg.Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ change: string }>(listMissingGrants, [role]);
  for (const { change } of rows) await owner.query(change);
}

// A role that owns an object can give itself every right to it. A role that may create in the schema can add functions
// that are then called by the functions that run as their owner.
const findPower = `
  select r.why
    from (
           select 1, 'is a superuser'
             from pg_roles r
            where r.rolname = current_user and r.rolsuper
           union all
           select 2, 'may make roles'
             from pg_roles r
            where r.rolname = current_user and r.rolcreaterole
           union all
           select 3, format('owns the schema %I', n.nspname)
             from pg_namespace n
            where n.nspname = current_schema() and pg_has_role(n.nspowner, 'member')
           union all
           select 4, format('owns %I', c.relname)
             from pg_class c
            where c.relnamespace = current_schema()::regnamespace
              and c.relkind in ('r', 'p', 'v', 'm', 'S')
              and pg_has_role(c.relowner, 'member')
           union all
           select 5, format('owns the function %I', p.proname)
             from pg_proc p
            where p.pronamespace = current_schema()::regnamespace and pg_has_role(p.proowner, 'member')
           union all
           select 6, format('may %s %I', w.verb, c.relname)
             from pg_class c
            cross join unnest('{update, delete, truncate, trigger}'::text[]) as w (verb)
            where c.relnamespace = current_schema()::regnamespace
              and c.relname in ('ledger_entries', 'audit_log')
              and (
                    has_table_privilege(c.oid, w.verb)
                    or w.verb = 'update' and has_any_column_privilege(c.oid, w.verb)
                  )
           union all
           select 7, format('may create in the schema %I', current_schema())
            where has_schema_privilege(current_schema(), 'create')
         ) as r (rank, why)
   order by r.rank, r.why
   limit 1`;

/** By what the role of these connections could change what was booked, such as "is a superuser"; null where it can't. */
export async function powerToRewrite({ pool }: Pick<Reached, "pool">): Promise<string | null> {
  const [power] = (await pool.query<{ why: string }>(findPower)).rows;
  return power?.why ?? null;
}

const presentSchema = `select current_schema() as name, current_setting('search_path') as path`;

/**
 * Makes sure that the role which serves sees the tables that the other one migrated, and can't change what was booked.
 * @throws StartError when it is not so
 */
export async function checkServiceRole({ service, migrating }: BothRoles): Promise<void> {
  type Schema = { readonly name: string | null; readonly path: string };
  const [seen] = (await service.pool.query<Schema>(presentSchema)).rows;
  const [migrated] = (await migrating.pool.query<Schema>(presentSchema)).rows;
  if (seen?.name !== migrated?.name) {
    throw new StartError(
      `The search_path of DATABASE_URL's user (${seen?.path}) does not begin with the schema ${migrated?.name}, in which ` +
        "MIGRATIONS_DATABASE_URL's user has its tables: let both begin with the same one (alter role … set search_path = …).",
    );
  }
  const power = await powerToRewrite(service);
  if (power === null) return;
  throw new StartError(
    `The user of DATABASE_URL ${power}, so it could change what was booked, against which MIGRATIONS_DATABASE_URL was set: ` +
      "take that from it, or let DATABASE_URL name a role that owns nothing (docs/operations/install.md, under two roles).",
  );
}

/** The warning at the start where one role migrates and serves. */
export function warningOfOneRole(power: string): string {
  return (
    `The user of DATABASE_URL ${power}, so whoever gets hold of it could change what was booked: ` +
    "serve as a role of its own and set MIGRATIONS_DATABASE_URL (docs/operations/install.md, under two roles)."
  );
}

/** Carries out what is done at another address than DATABASE_URL's: where that fails, its sentence speaks of that setting. */
export async function asSetting<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(error.message.replace(/(?<!_)DATABASE_URL/g, name), { cause: error });
  }
}

export function asMigrations<T>(work: () => Promise<T>): Promise<T> {
  return asSetting("MIGRATIONS_DATABASE_URL", work);
}
