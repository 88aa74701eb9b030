import type { Database } from "../../platform/database.ts";
import { invariants } from "./invariants.ts";

export interface InvariantCheck {
  readonly invariant: string;
  /** Rows that break it: none in a sound ledger. At most a hundred are shown. */
  readonly broken: readonly Record<string, unknown>[];
}

/** An invariant reads up to all purchases and all entries: a minute and more at a million of them on a slow disk. */
const invariantSecondsMax = 4 * 3600;

const settings = [
  "set transaction isolation level repeatable read, read only",
  // Two whole tables meet: hashed by all their keys. A merge by the first three would compare every purchase of a
  // wallet with each of its entries, and looks cheap to a planner that multiplies the keys' selectivities.
  "set local enable_mergejoin = off",
  "set local enable_nestloop = off",
  "set local work_mem = '64MB'",
];

/**
 * Runs every invariant in one snapshot, so that a purchase under way cannot look like a broken one.
 * Reads the whole ledger: minutes at ten million purchases. Locks nothing.
 */
export async function checkLedger(
  database: Database,
  onProgress: (invariant: string) => void = () => {},
): Promise<InvariantCheck[]> {
  return database.transaction(async (tx) => {
    for (const [index, text] of settings.entries()) await tx.query({ name: `check_ledger_${index}`, text });
    const checks: InvariantCheck[] = [];
    for (const { promise, name, text } of invariants) {
      onProgress(promise);
      const query = { name: `invariant_${name}`, text: `${text} limit 100`, secondsMax: invariantSecondsMax };
      const broken = await tx.query<Record<string, unknown>>(query);
      checks.push({ invariant: promise, broken });
    }
    return checks;
  });
}
