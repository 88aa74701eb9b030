/**
 * What an error of PostgreSQL says about the statement that it answers.
 * - `lost`: the connection ends with it. Whether the statement was carried out is open; what is safe to repeat may be sent
 *   again.
 * - `undone`: its transaction was undone for a neighbour's sake, and can simply run again.
 * - `not_now`: it was not carried out, as the server is short of something, takes no writes or is broken. It may be another
 *   time.
 * - `refused`: it was not carried out, and never will be: the statement or one of its values is wrong.
 */
export type SqlFate = "lost" | "undone" | "not_now" | "refused";

/**
 * By PostgreSQL's five characters, or by the class that their first two name. What stands in neither row is `refused`.
 * Source: PostgreSQL 18, appendix A; which of them end the connection (FATAL), its source.
 */
const fates: Readonly<Record<string, SqlFate>> = {
  // Connection exceptions, protocol_violation (08P01) among them: a pooler says so of a server that it lost.
  "08": "lost",
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
  "53300": "lost", // too_many_connections: there is none to answer on
  // Operator intervention: a statement that was cancelled. The others end the connection.
  "57": "not_now",
  "57P01": "lost", // admin_shutdown
  "57P02": "lost", // crash_shutdown
  "57P03": "lost", // cannot_connect_now
  "57P04": "lost", // database_dropped
  "57P05": "lost", // idle_session_timeout
  // Object not in prerequisite state: a lock that did not come in time (lock_timeout). The others are faults of ours.
  "55P03": "not_now",
  // System errors: a disk that can't be read or written, a file that is gone.
  "58": "not_now",
  // Internal errors, data and indexes that are corrupt.
  XX: "not_now",
};

/** What became of the statement that this SQLSTATE answers. */
export function sqlFateOf(sqlState: string): SqlFate {
  return fates[sqlState] ?? fates[sqlState.slice(0, 2)] ?? "refused";
}
