import { constants } from "node:os";
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

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Tells long work to end after the step it is at. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** 0 until then; afterwards what the shell calls a program that the signal ended, or 1 where nobody reads any more. */
  exitCode(): number;
}

/**
 * Runs work that must not end between what it does and what it tells: it hears of Ctrl-C, of a terminal that closes and
 * of an output that nobody reads, and ends by itself. A second signal ends the process at once.
 */
export async function interruptible<T>(work: (interruption: Interruption) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let exitCode = 0;
  const interrupt = (code: number) => {
    exitCode ||= code;
    controller.abort();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    for (const name of signals) process.off(name, onSignal);
    interrupt(128 + constants.signals[signal]);
  };
  const onOutputLost = () => interrupt(1);
  for (const name of signals) process.on(name, onSignal);
  process.stdout.once("error", onOutputLost);
  try {
    return await work({ signal: controller.signal, exitCode: () => exitCode });
  } finally {
    for (const name of signals) process.off(name, onSignal);
    process.stdout.off("error", onOutputLost);
  }
}
