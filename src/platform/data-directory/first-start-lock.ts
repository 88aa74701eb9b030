import { statement, type Tx } from "../database/database.ts";

// One key for all deployments of this program, beside that of the migrations.
const firstStartLock = 7_271_002;
const lock = statement("pg_advisory_xact_lock", "select pg_advisory_xact_lock($1)");

/** Waits until no other process does what is done once, at the first start on a database. Held until the commit. */
export async function lockFirstStart(tx: Tx): Promise<void> {
  await tx.query(lock, [firstStartLock]);
}
