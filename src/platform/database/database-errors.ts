import pg from "pg";

/** Nothing was sent: the service stops. */
export class DatabaseClosed extends Error {
  override readonly name = "DatabaseClosed";
}

/**
 * Certainly without effect: there was no connection to send it on, or it broke in a transaction before the commit was sent.
 * Too few connections are the usual cause.
 */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** The connection was lost over a commit that was sent: what the transaction did may be there. */
export class CommitUnknown extends Error {
  override readonly name = "CommitUnknown";
  /** The number that its entry in the audit log has if it was committed; null where it has none. */
  readonly entry: bigint | null;

  constructor(message: string, { cause, entry = null }: { readonly cause: unknown; readonly entry?: bigint | null }) {
    super(message, { cause });
    this.entry = entry;
  }
}

/** Name of the constraint that a statement ran into; null for other errors. */
export function violatedConstraint(error: unknown): string | null {
  if (!(error instanceof pg.DatabaseError)) return null;
  return error.code?.startsWith("23") === true ? (error.constraint ?? null) : null;
}

/**
 * Whether it is open if the statement was carried out: the connection broke, the server is going away, or it did not
 * answer in time. A statement that is safe to repeat may be sent again.
 */
export function isConnectionLost(error: unknown): boolean {
  const fate = fateOf(error);
  if (fate !== null) return fate === "lost";
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string" && /^(ECONN|EPIPE|ENOENT|ETIMEDOUT)/.test(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout/i.test(
      error.message,
    )
  );
}

/** Whether the server took a statement and did not answer in time: it may be slow or wait for a lock, not away. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && /Query read timeout/i.test(error.message);
}

/** Whether nothing was sent that could have had an effect, since a connection is missing or broke before. */
export function isNotSent(error: unknown): boolean {
  return fateOf(error) === "not_sent";
}

/** Whether pg refused a statement before it was sent, because the connection had broken or was closed. */
export function isUnusable(error: unknown): boolean {
  return error instanceof Error && /is not queryable$/.test(error.message);
}

/** Whether a transaction was undone for a neighbour's sake (deadlock, serialisation) and can simply run again. */
export function isSerializationFailure(error: unknown): boolean {
  return fateOf(error) === "undone";
}

/**
 * Whether the server is short of something (disk, memory), was told to give up on what takes so long or waits for a
 * lock, takes no writes, is broken, or we have left it: the statement was not carried out, and may be another time. Too few
 * connections are something else: `isNotSent`.
 */
export function isResourceExhausted(error: unknown): boolean {
  return fateOf(error) === "not_now";
}

/** Whether a disk is full: the server's, or the one that our own files are on. */
export function isDiskFull(error: unknown): boolean {
  const { code, message = "" } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  return code === "53100" || code === "ENOSPC" || /no space left on device/i.test(message);
}

/** Null for what says nothing of a statement. */
function fateOf(error: unknown): SqlFate | null {
  if (error instanceof DatabaseClosed) return "not_now";
  if (error instanceof NotSent) return "not_sent";
  if (error instanceof CommitUnknown) return "lost";
  return error instanceof pg.DatabaseError && error.code !== undefined ? sqlFateOf(error.code) : null;
}

/** The server's name for an error; null where it is none of the server's. */
export function sqlStateOf(error: unknown): string | null {
  if (error instanceof NotSent) return sqlStateOf(error.cause);
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** Whether the server refused a value itself (SQLSTATE class 22), such as a text that it cannot store: it always will. */
export function isValueRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith("22") === true;
}

/**
 * What an error of PostgreSQL tells about the statement that failed with it.
 * - `lost`: the connection ends with it. Whether the statement was carried out is open; what is safe to repeat may be sent
 *   again.
 * - `not_sent`: it can only be the answer to connecting, so nothing was sent.
 * - `undone`: its transaction was undone for a neighbour's sake, and can simply run again.
 * - `not_now`: it was not carried out, as the server is short of something, takes no writes or is broken. It may be another
 *   time.
 * - `refused`: it was not carried out, and never will be: the statement or one of its values is wrong.
 */
type SqlFate = "lost" | "not_sent" | "undone" | "not_now" | "refused";

/**
 * By PostgreSQL's five characters, or by the class that their first two name. What stands in neither row is `refused`.
 * Source: PostgreSQL 18, appendix A; which of them end the connection (FATAL), its source.
 */
const fates: Readonly<Record<string, SqlFate>> = {
  // Connection exceptions, protocol_violation (08P01) among them: a pooler says so of a server that it lost.
  "08": "lost",
  "08001": "not_sent", // sqlclient_unable_to_establish_sqlconnection
  "08004": "not_sent", // sqlserver_rejected_establishment_of_sqlconnection
  // Invalid transaction state: faults of ours, but for these.
  "25006": "not_now", // read_only_sql_transaction: a standby, or a primary that became one
  "25P03": "lost", // idle_in_transaction_session_timeout
  "25P04": "lost", // transaction_timeout
  // Transaction rollback.
  "40": "undone",
  "40002": "refused", // transaction_integrity_constraint_violation
  "40003": "lost", // statement_completion_unknown
  // Insufficient resources: disk, memory.
  "53": "not_now",
  "53300": "not_sent", // too_many_connections
  // Operator intervention: a statement that was cancelled. The others end the connection.
  "57": "not_now",
  "57P01": "lost", // admin_shutdown
  "57P02": "lost", // crash_shutdown
  "57P03": "not_sent", // cannot_connect_now
  "57P04": "lost", // database_dropped
  "57P05": "lost", // idle_session_timeout
  // Object not in prerequisite state: a lock that did not come in time (lock_timeout). The others are faults of ours.
  "55P03": "not_now",
  // System errors: a disk that can't be read or written, a file that is gone.
  "58": "not_now",
  // Internal errors, data and indexes that are corrupt.
  XX: "not_now",
};

/** The fate of a statement that failed with this SQLSTATE. */
export function sqlFateOf(sqlState: string): SqlFate {
  return fates[sqlState] ?? fates[sqlState.slice(0, 2)] ?? "refused";
}
