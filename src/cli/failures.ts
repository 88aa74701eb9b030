import { Refusal, refuse } from "../kernel/problems.ts";
import { StartError } from "../kernel/start-error.ts";
import { CommitUnknown, isConnectionLost, isNotSent } from "../platform/database/database-errors.ts";
import { printWarning } from "./printing.ts";

/** One sentence for what a person can mend, the stack for what only we can. */
export function sentenceFor(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (error instanceof Refusal) {
    const [field] = Object.entries(error.detail.errors ?? {});
    return field === undefined ? error.message : `${field[0]}: ${field[1].join(" ")}`;
  }
  if (error instanceof CommitUnknown) {
    return error.entry === null
      ? "The database stopped answering before it told whether this was done: look before you repeat it."
      : `The database stopped answering before it told whether this was done. If it was, audit list --after ${error.entry - 1n} begins with it.`;
  }
  if (isConnectionLost(error) || isNotSent(error))
    return "The database stopped answering; what was done so far stays done.";
  const code = (error as { code?: unknown } | null)?.code;
  // undefined_table
  if (code === "42P01")
    return "The database has not been set up yet: start the service once, or, to restore a backup, run pg_restore first.";
  // insufficient_privilege
  if (code === "42501") {
    return `The user of DATABASE_URL may not do that (${(error as Error).message}): start the service once with MIGRATIONS_DATABASE_URL, or after a restore run after-restore with it, which gives that user its rights.`;
  }
  // disk_full
  if (code === "53100") {
    return "The database's disk is full: make room there, then try again. What was done so far stays done.";
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Refuses a command that makes no sense as it was given, in a sentence that says what would. */
export function wrong(message: string): Refusal {
  return refuse("VALIDATION_ERROR", { message });
}

/** Passes a failure on, after advice for where the command may have been carried out and could not learn it. */
export function adviseWhenUnknown(advice: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CommitUnknown) printWarning(advice);
    throw error;
  };
}
