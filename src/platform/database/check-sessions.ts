import { StartError } from "../../kernel/start-error.ts";
import { type Plans, type Settings, settingsOf } from "./connection-config.ts";
import { type Database, statement } from "./database.ts";
import { isConnectionLost, isNotSent, sqlStateOf } from "./database-errors.ts";
import { placeOf } from "./reach-database.ts";

/** A connection's mark, which nobody else has, and what it goes by. */
interface Session {
  readonly mark: string | null;
  readonly settings: Settings;
}

// With a mark it sets it, without one it tells it: a pipelined statement has a connection of its own.
const findSession = statement(
  "find_session_settings",
  `select case
            when $1::text is null then current_setting('dispense.session', true)
            else set_config('dispense.session', $1, false)
          end as mark,
          (select json_object_agg(name, current_setting(name)) from unnest($2::text[]) as setting (name)) as settings`,
);

/** How one connection is used, and what it has to go by. */
interface Checked {
  readonly mark: string;
  readonly settings: Settings;
  readonly use: (work: (db: Pick<Database, "query">) => Promise<Session[]>) => Promise<Session[]>;
}

/**
 * Makes sure, on connections of each kind that the service has, that a session keeps what it was told from one
 * transaction to the next: a pooler that hands sessions out by the transaction answers as a database does, until two
 * connections are busy at one time; then statements that were prepared are missing, and commits are not on disk where the
 * database prefers that. Takes three connections.
 * @throws StartError when it is not so, in one sentence which never holds the password
 */
export async function checkSessions(options: {
  readonly connectionString: string;
  readonly ordinary: Database;
  readonly batched: Database;
}): Promise<void> {
  const { connectionString, ordinary, batched } = options;
  const settings = (plans: Plans) => settingsOf(connectionString, plans);
  const all: readonly Checked[] = [
    { mark: "ordinary", settings: settings("ordinary"), use: (work) => ordinary.transaction(work) },
    { mark: "batched", settings: settings("batched"), use: (work) => work(batched) },
    { mark: "pipelined", settings: settings("batched"), use: (work) => work(pipelinedOf(batched)) },
  ];
  const place = placeOf(connectionString);
  const complaint = await complaintAbout(all).catch((error: unknown) => {
    if (isSessionLost(error)) return noSession;
    if (!isConnectionLost(error) && !isNotSent(error)) throw error;
    throw new StartError(
      `${place} took a first connection and not two more (${(error as Error).message}): allow as many as DATABASE_POOL, ` +
        "10 at least, to each process (PgBouncer: default_pool_size).",
      { cause: error },
    );
  });
  if (complaint === null) return;
  throw new StartError(
    `${place} ${complaint}: let DATABASE_URL name PostgreSQL itself, or a pooler in session mode ` +
      "(PgBouncer: pool_mode = session).",
  );
}

function pipelinedOf(database: Database): Pick<Database, "query"> {
  return { query: (sql, values) => database.query({ ...sql, isPipelined: true }, values) };
}

const noSession = "does not keep a session from one transaction to the next, as poolers in transaction mode do not";

async function complaintAbout(all: readonly Checked[]): Promise<string | null> {
  for (const checked of all) await findSessionOf(checked, checked.mark);
  // Twice each, one after the other: a pooler that hands two sessions out in turn would give each connection its own.
  for (const checked of all) {
    for (let look = 0; look < 2; look++) {
      const session = await findSessionOf(checked, null);
      if (session?.mark !== checked.mark) return noSession;
      const changed = Object.entries(checked.settings).find(([name, value]) => session.settings[name] !== value);
      if (changed !== undefined) {
        const [name, value] = changed;
        return `goes by ${name} = ${session.settings[name]}, although its session was told ${name} = ${value}`;
      }
    }
  }
  return null;
}

async function findSessionOf({ settings, use }: Checked, mark: string | null): Promise<Session | undefined> {
  const [session] = await use((db) => db.query<Session>(findSession, [mark, Object.keys(settings)]));
  return session;
}

/** A prepared statement is missing or there already; transactions are not taken at all (poolers in statement mode). */
function isSessionLost(error: unknown): boolean {
  return ["26000", "42P05", "08P01"].includes(sqlStateOf(error) ?? "");
}
