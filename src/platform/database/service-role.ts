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
  await roles.migrating.pool.query("select grant_service_rights($1)", [role]);
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

/**
 * Carries out what is done at the address of MIGRATIONS_DATABASE_URL: where that fails, its sentence speaks of that
 * setting.
 */
export async function asMigrations<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(error.message.replace(/(?<!_)DATABASE_URL/g, "MIGRATIONS_DATABASE_URL"), { cause: error });
  }
}
