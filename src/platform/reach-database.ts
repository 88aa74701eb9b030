import pg from "pg";
import { StartError } from "../kernel/start-error.ts";

const versionLeast = 150_000; // `unique nulls not distinct` is the newest that the migrations use

/**
 * Makes sure, before anything is begun, that the database answers and is new enough.
 * @throws StartError when it is not, in one sentence which never holds the password
 */
export async function reachDatabase(pool: pg.Pool, connectionString: string): Promise<void> {
  const place = placeOf(connectionString);
  let version: { readonly number: number; readonly text: string } | undefined;
  try {
    const answer = await pool.query(
      "select current_setting('server_version_num')::int as number, current_setting('server_version') as text",
    );
    version = answer.rows[0];
  } catch (error) {
    throw new StartError(sentenceFor(error as Error, place), { cause: error });
  }
  if (version === undefined || version.number < versionLeast) {
    throw new StartError(`Dispense needs PostgreSQL 15 or newer, and ${place} is ${version?.text}.`);
  }
}

/** Makes one sentence of what keeps a database from being set up and a person can mend; others are returned as they are. */
export function failureToSetUp(error: unknown, connectionString: string): unknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof pg.DatabaseError)) return error;
  const place = placeOf(connectionString);
  switch (cause.code) {
    case "42501": // insufficient_privilege
      return new StartError(
        `The user of DATABASE_URL may not set up ${place} (${cause.message}): make it the owner of the database.`,
        { cause },
      );
    case "25006": // read_only_sql_transaction
      return new StartError(`The database ${place} is read-only, as a standby is: set DATABASE_URL to the primary.`, {
        cause,
      });
    case "53100": // disk_full
      return new StartError(`The disk of the database is full (${cause.message}): free some space, then start again.`, {
        cause,
      });
    default:
      return error;
  }
}

function sentenceFor(error: Error & { readonly errors?: readonly Error[] }, place: string) {
  if (error instanceof pg.DatabaseError) return `The database ${place} refuses (${error.message}): check DATABASE_URL.`;
  // Node hides the reasons in a list, one per address tried.
  const reason = error.message || error.errors?.[0]?.message || error.name;
  return `No database answers at ${place} (${reason}): check DATABASE_URL and that the server runs.`;
}

/** Host, port and name: without the user and the password before them, and the options behind, which may hold one, too. */
function placeOf(connectionString: string): string {
  return connectionString.replace(/^[a-z]+:\/\/(.*@)?/, "").replace(/\?.*$/, "");
}
