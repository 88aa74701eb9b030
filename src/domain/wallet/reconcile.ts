import type { Database, Statement } from "../../platform/database/database.ts";
import { invariants } from "./invariants.ts";

export interface InvariantCheck {
  readonly invariant: string;
  /** Rows that break it: none in a sound ledger. At most a hundred are shown. */
  readonly broken: readonly Record<string, unknown>[];
}

/** An invariant reads up to all purchases and all entries: a minute and more at a million of them on a slow disk. */
const invariantSecondsMax = 4 * 3600;

const settings = [
  "set transaction isolation level read committed, read only",
  // Two whole tables meet: hashed by all their keys. A merge by the first three would compare every purchase of a
  // wallet with each of its entries, and looks cheap to a planner that multiplies the keys' selectivities.
  "set local enable_mergejoin = off",
  "set local enable_nestloop = off",
  "set local work_mem = '64MB'",
];

/**
 * Runs every invariant. Each is one statement, and so one snapshot: a purchase under way cannot look like a broken one.
 * Nothing is compared from one to the next, and a snapshot of them all would keep the versions of busy wallets' rows
 * from being cleared away for as long as it takes, while each purchase reads through them.
 * Reads the whole ledger: minutes at ten million purchases. Locks nothing.
 */
export async function checkLedger(
  database: Database,
  onProgress: (invariant: string) => void = () => {},
): Promise<InvariantCheck[]> {
  const checks: InvariantCheck[] = [];
  for (const { promise, name, text } of invariants) {
    onProgress(promise);
    const query = { name: `invariant_${name}`, text: `${text} limit 100`, secondsMax: invariantSecondsMax };
    checks.push({ invariant: promise, broken: await readAlone(database, query) });
  }
  return checks;
}

function readAlone(database: Database, query: Statement): Promise<Record<string, unknown>[]> {
  return database.transaction(async (tx) => {
    for (const [index, text] of settings.entries()) await tx.query({ name: `check_ledger_${index}`, text });
    return tx.query(query);
  });
}
