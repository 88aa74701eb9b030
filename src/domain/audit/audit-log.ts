import type { Clock } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/json.ts";
import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { StartError } from "../../kernel/start-error.ts";
import { type Database, forReaders, type Queryable, type Tx } from "../../platform/database/database.ts";
import { CommitUnknown, isNotSent } from "../../platform/database/database-errors.ts";
import { withLastStep } from "../../platform/database/joined-database.ts";
import {
  type AuditEntry,
  type EntryHash,
  findEntryHash,
  hasWritten,
  insertEntry,
  isEntryOpen,
} from "./audit-queries.ts";

/**
 * The database of one command, which writes the command's entry in the first transaction that changes something: either
 * both are there or neither. A command that only reads leaves none. By that entry the transaction is looked up where its
 * connection is lost: one that was committed is answered as if nothing had happened. @throws CommitUnknown
 */
export function auditedDatabase(database: Database, entry: () => AuditEntry, time: Patience): Database {
  // A transaction that is undone after this step ends its command.
  let written: EntryHash | null = null;
  const audited = withLastStep(database, async (tx) => {
    if (written !== null || !(await hasWritten(tx))) return;
    await insertEntry(tx, entry());
    // The last one is this one: nobody else adds any until the transaction ends.
    written = await findEntryHash(tx, null);
  });

  async function carryOut<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const writtenBefore = written;
    const done: { result?: Result } = {};
    try {
      return await audited.transaction(async (tx) => {
        done.result = await work(tx);
        return done.result;
      });
    } catch (error) {
      // A transaction after the entry's own has nothing to be looked up by.
      if (writtenBefore !== null) throw error;
      if (isNotSent(error)) throw repeat(error);
      if (!(error instanceof CommitUnknown) || written === null) throw error;
      const found = await findOutcome(database, written, time);
      if (found === "committed") return done.result as Result;
      if (found === "undone") throw repeat(error);
      throw new CommitUnknown(error.message, { cause: error, entry: found.entry });
    }
  }

  return { ...audited, transaction: carryOut };
}

function repeat(cause: unknown): StartError {
  return new StartError("The database stopped answering before this was done: repeat the command.", { cause });
}

/** An entry of its own, for what changes no row of ours: a secret that is shown, a supplier that is about to be asked. */
export async function writeEntry(database: Database, entry: AuditEntry): Promise<void> {
  await database.transaction((tx) => insertEntry(tx, entry));
}

const detailsMax = 8_000;
/** The length of shortened details: written as a text within JSON, each character may take two. */
const shortenedMax = (detailsMax - '{"shortened":""}'.length) / 2;
/** A reference or a hash may have as many digits as a PIN, and a key's id is no key: entries are looked for by them. */
const plainNames = new Set(["bankReference", "hash", "key_id", "reference"]);
const secretNames = /key|secret|token|password|credential|authorization|^pin$|^lpa$/i;

/** A command's arguments as an entry keeps them: without values that are secret by their name or their shape. */
export function auditDetails(values: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(values, (name, value: unknown): Json | undefined => {
    if (typeof value === "bigint") return String(value);
    if (plainNames.has(name)) return value as Json;
    if (value instanceof Set) return [...value] as Json;
    if (secretNames.test(name) && value !== null && typeof value !== "boolean") return "[redacted]";
    return typeof value === "string" ? maskSecrets(value) : (value as Json);
  });
  return text.length <= detailsMax ? text : JSON.stringify({ shortened: text.slice(0, shortenedMax) });
}

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
