import type { Database } from "../../platform/database.ts";
import { invariants } from "./invariants.ts";

export interface InvariantCheck {
  readonly invariant: string;
  /** Rows that break it: none in a sound ledger. At most a hundred are shown. */
  readonly broken: readonly Record<string, unknown>[];
}

/**
 * Runs every invariant in one snapshot, so that a purchase under way cannot look like a broken one.
 * Reads the whole ledger: minutes at ten million purchases. Locks nothing.
 */
export async function checkLedger(
  database: Database,
  onProgress: (invariant: string) => void = () => {},
): Promise<InvariantCheck[]> {
  return database.transaction(async (tx) => {
    await tx.query({ name: "begin_snapshot", text: "set transaction isolation level repeatable read, read only" });
    const checks: InvariantCheck[] = [];
    for (const { promise, name, text } of invariants) {
      onProgress(promise);
      const broken = await tx.query<Record<string, unknown>>({ name: `invariant_${name}`, text: `${text} limit 100` });
      checks.push({ invariant: promise, broken });
    }
    return checks;
  });
}
