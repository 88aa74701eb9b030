import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { type Database, type OpenDatabase, openDatabase, openPool } from "../../src/platform/database/database.ts";

/** The service gives up a statement after a minute; loading, vacuum and the invariants may take longer. */
const statementMsMax = 1_800_000;

export function connectTo(connectionString: string): OpenDatabase {
  const pool = openPool({ connectionString, connectionsMax: 4, applicationName: "dispense rig", plans: "ordinary" });
  pool.options.query_timeout = statementMsMax;
  return openDatabase(pool);
}

/** The invariants of the ledger that are broken, in words with their first rows. */
export async function brokenInvariants(database: Database): Promise<string[]> {
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  return broken.map((check) => `invariant ${check.invariant}: ${check.broken.slice(0, 3).map(describeRow).join(", ")}`);
}

/** A row in words, for complaints. */
export function describeRow(row: Readonly<Record<string, unknown>> | undefined): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
