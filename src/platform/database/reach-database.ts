import pg from "pg";
import { StartError } from "../../kernel/start-error.ts";
import { isTimedOut, sqlStateOf } from "./database-errors.ts";

const versionLeast = 150_000; // `unique nulls not distinct` is the newest that the migrations use

/** The database's answer to the first question of a start. */
interface Answer {
  readonly version: number;
  readonly versionText: string;
  readonly encoding: string;
  readonly searchPath: string;
  /** The first schema of the search path that exists and may be used; null where there is none. */
  readonly schema: string | null;
  readonly mayCreate: boolean | null;
  readonly isSetUp: boolean;
  /** Settings of the server without which a power cut takes commits away. */
  readonly unsafe: readonly string[];
}

const question = `
  select current_setting('server_version_num')::int as version,
         current_setting('server_version') as "versionText",
         current_setting('server_encoding') as encoding,
         current_setting('search_path') as "searchPath",
         current_schema() as schema,
         has_schema_privilege(current_schema(), 'create') as "mayCreate",
         to_regclass('applied_migrations') is not null as "isSetUp",
         array(select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off') as unsafe`;

/**
 * Makes sure, before anything is begun, that the database answers, is new enough, takes every character and has a place
 * for tables, or has them.
 * @param given.isSetUpByAnother another role makes the tables, and gives this one its rights to them
 * @returns what the server has switched off although commits are on disk only by it
 * @throws StartError when it is not so, in one sentence which never holds the password
 */
export async function reachDatabase(
  pool: pg.Pool,
  connectionString: string,
  given: { readonly isSetUpByAnother: boolean; readonly needs?: Needs } = { isSetUpByAnother: false },
): Promise<readonly string[]> {
  const place = placeOf(connectionString);
  let answer: Answer | undefined;
  try {
    answer = (await pool.query<Answer>(question)).rows[0];
  } catch (error) {
    const needs = isShortage(error) ? given.needs : undefined;
    const sentence =
      needs === undefined ? sentenceFor(error as Error, place) : tooFew(needs, place, (error as Error).message);
    throw new StartError(sentence, { cause: error });
  }
  const complaint =
    complaintAbout(answer, place) ?? (given.isSetUpByAnother ? null : complaintAboutPlace(answer, place));
  if (complaint !== null) throw new StartError(complaint);
  return answer?.unsafe ?? [];
}

/** How many connections a process opens for what. */
export type Needs = Readonly<Record<string, number>>;

export function sumOf(needs: Needs): number {
  return Object.values(needs).reduce((sum, one) => sum + one, 0);
}

// Roles that are no superusers see whose sessions there are, and their names, but no more of others'.
const limits = `
  select format(
           'max_connections %s, of them %s kept back; CONNECTION LIMIT of the role %s, of the database %s',
           l.max, l.kept, coalesce(l.role_max::text, 'none'), coalesce(l.database_max::text, 'none')
         ) as told,
         least(l.max - l.kept - l.used, l.role_max - l.role_used, l.database_max - l.database_used)::int as free,
         l.others::int
    from (
           select current_setting('max_connections')::int as max,
                  current_setting('superuser_reserved_connections')::int
                    + coalesce(current_setting('reserved_connections', true)::int, 0) as kept,
                  (select sum(numbackends) from pg_stat_database) as used,
                  nullif(r.rolconnlimit, -1) as role_max,
                  (select count(*) from pg_stat_activity a where a.usesysid = r.oid) as role_used,
                  nullif(d.datconnlimit, -1) as database_max,
                  (select numbackends from pg_stat_database where datname = d.datname) as database_used,
                  (
                    select count(*)
                      from pg_stat_activity a
                     where a.datname = d.datname and a.usesysid = r.oid and a.application_name ~ '^dispense (batched|ordinary)'
                  ) as others
             from pg_roles r, pg_database d
            where r.rolname = current_user and d.datname = current_database()
         ) l`;

interface Limits {
  readonly told: string;
  readonly free: number;
  readonly others: number;
}

/** What a start asks of the database, beside what its processes open. */
interface Deployment {
  readonly needs: Needs;
  /** What has to be left when all processes of the deployment have theirs. */
  readonly spare?: Needs;
}

/**
 * Makes sure that there are as many connections as the processes need, by opening them all at one time: whatever there is in
 * between has its say, such as a pooler that takes any number and serves few. Each is asked something as it is opened. A busy
 * machine gives them late: those that were not given are asked for again as long as another one was. Those to spare are counted,
 * beside what all others hold at that moment.
 * @throws StartError with the sum where there are not
 */
export async function checkConnections(
  pool: pg.Pool,
  connectionString: string,
  { needs, spare = {} }: Deployment,
): Promise<void> {
  const clients: pg.PoolClient[] = [];
  let failure: Error | undefined;
  let given: readonly pg.PoolClient[];
  do {
    const missing = sumOf(needs) - clients.length;
    const opened = await Promise.allSettled(Array.from({ length: missing }, () => pool.connect()));
    given = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    failure = opened.find((one) => one.status === "rejected")?.reason;
    clients.push(...given);
  } while (failure !== undefined && given.length > 0);
  const found = (await clients[0]?.query<Limits>(limits).catch(() => undefined))?.rows[0];
  for (const client of clients) client.release(true);
  if (failure === undefined && (found === undefined || found.free >= sumOf(spare))) return;
  const taken = failure === undefined ? (found?.others ?? 0) : 0;
  const all = { ...(taken > 0 ? { "keep its other processes going": taken } : {}), ...needs, ...spare };
  const givenNow = taken + clients.length + (failure === undefined ? Math.max(0, found?.free ?? 0) : 0);
  const reason = [failure?.message, found?.told].filter(Boolean).join("; ");
  throw new StartError(tooFew(all, placeOf(connectionString), reason, givenNow), { cause: failure });
}

function tooFew(needs: Needs, place: string, reason: string, connections = 0): string {
  const parts = Object.entries(needs).map(([what, count]) => `${count} to ${what}`);
  return (
    `The service needs ${sumOf(needs)} database connections (${parts.join(", ")}), and ${place} gives it ${connections} ` +
    `(${reason}): raise max_connections, the CONNECTION LIMIT or PgBouncer's default_pool_size, or lower DATABASE_POOL ` +
    "(10 at least) or API_PROCESSES."
  );
}

/** Too many connections, or a pooler that has this one wait for a session. */
function isShortage(error: unknown): boolean {
  return isTimedOut(error) || sqlStateOf(error) === "53300";
}

function complaintAbout(answer: Answer | undefined, place: string): string | null {
  if (answer === undefined || answer.version < versionLeast) {
    return `Dispense needs PostgreSQL 15 or newer, and ${place} is ${answer?.versionText}.`;
  }
  const { encoding } = answer;
  if (encoding !== "UTF8") {
    return (
      `Dispense needs a database in UTF8, and ${place} is in ${encoding}: ` +
      "create another one (create database … encoding 'UTF8' template template0) and set DATABASE_URL to it."
    );
  }
  return null;
}

function complaintAboutPlace(answer: Answer | undefined, place: string): string | null {
  const { searchPath, schema = null, mayCreate, isSetUp } = answer ?? {};
  // Where public may not be written to, it is not the path that is wrong: the migration tells who has to own what.
  const isOfSystem = schema === null || schema.startsWith("pg_") || schema === "information_schema";
  if (isOfSystem || (schema !== "public" && mayCreate !== true && isSetUp !== true)) {
    return (
      `The search_path of DATABASE_URL's user (${searchPath}) leads to no schema of ${place} in which it may create tables: ` +
      "let it begin with one (alter role … set search_path = public), or let the user create in the one that it names."
    );
  }
  return null;
}

/**
 * Makes one sentence of what keeps a database from being set up and a person can mend, and of a migration that the server
 * refused, whose own sentence names it; others are returned as they are.
 */
export function failureToSetUp(error: unknown, connectionString: string): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const cause = error.cause ?? error;
  if (!(cause instanceof pg.DatabaseError)) return error;
  const itsOwn = cause === error ? null : error.message;
  const sentence = mendable(cause, placeOf(connectionString)) ?? itsOwn;
  return sentence === null ? error : new StartError(sentence, { cause });
}

function mendable({ code, message }: pg.DatabaseError, place: string): string | null {
  switch (code) {
    case "42501": // insufficient_privilege
      return `The user of DATABASE_URL may not set up ${place} (${message}): make it the owner of the database and of all in it, or set MIGRATIONS_DATABASE_URL to one that is.`;
    case "25006": // read_only_sql_transaction
      return `The database ${place} is read-only, as a standby is: set DATABASE_URL to the primary.`;
    case "53100": // disk_full
      return `The disk of the database is full (${message}): free some space, then start again.`;
    case "53300": // too_many_connections
      return `The database ${place} has too few connections (${message}): allow as many as DATABASE_POOL, 10 at least, to each process.`;
    default:
      return null;
  }
}

function sentenceFor(error: Error & { readonly errors?: readonly Error[] }, place: string): string {
  if (error instanceof pg.DatabaseError) {
    return mendable(error, place) ?? `The database ${place} refuses (${error.message}): check DATABASE_URL.`;
  }
  // Node hides the reasons in a list, one per address tried.
  const reason = error.message || error.errors?.[0]?.message || error.name;
  return `No database answers at ${place} (${reason}): check DATABASE_URL and that the server runs.`;
}

/** Host, port and name: without the user and the password before them, and the options behind, which may hold one, too. */
export function placeOf(connectionString: string): string {
  return connectionString.replace(/^[a-z]+:\/\/(.*@)?/, "").replace(/\?.*$/, "");
}
