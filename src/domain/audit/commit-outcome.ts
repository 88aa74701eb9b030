import type { Clock } from "../../kernel/clock.ts";
import { type Database, forReaders, type Queryable } from "../../platform/database/database.ts";
import { type EntryHash, findEntryHash, isEntryOpen } from "./audit-queries.ts";

/** The fate of a transaction; its entry's number where that could not be learned. */
type CommitOutcome = "committed" | "undone" | { readonly entry: bigint };

/** How long a look-up waits, and how. */
export interface Patience {
  readonly clock: Clock;
  pause(ms: number): Promise<unknown>;
}

/** A server that starts anew takes some seconds. */
const lookUpMs = 10_000;
const pauseMs = 250;

/**
 * Learns, once the connection is lost, whether the transaction that wrote an entry was committed. It is asked for by the
 * entry's number and hash, which holds the moment: after an undone one the number goes to another.
 */
export async function findOutcome(
  database: Database,
  entry: EntryHash,
  { clock, pause }: Patience,
): Promise<CommitOutcome> {
  const reads = forReaders(database);
  const until = clock.now() + lookUpMs;
  do {
    const found = await look(reads, entry).catch(() => "away" as const);
    if (found === "committed" || found === "undone") return found;
    await pause(pauseMs);
  } while (clock.now() < until);
  return { entry: entry.number };
}

async function look(database: Queryable, entry: EntryHash): Promise<"committed" | "undone" | "open"> {
  // Before the entry is looked for: what has ended by now can be seen then, and nothing ends in between unseen.
  const isOpen = await isEntryOpen(database);
  const stored = await findEntryHash(database, entry.number);
  if (stored?.hash === entry.hash) return "committed";
  return isOpen ? "open" : "undone";
}
