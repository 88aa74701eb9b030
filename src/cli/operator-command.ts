import { constants } from "node:os";
import { Command } from "commander";
import type { Clock, WallTime } from "../kernel/clock.ts";
import type { Kobo } from "../kernel/money.ts";
import { Refusal, refuse } from "../kernel/problems.ts";
import { StartError } from "../kernel/start-error.ts";
import type { Services } from "../main/services/services.ts";
import type { ShadowServices } from "../main/services/shadow-services.ts";
import type { Database } from "../platform/database/database.ts";
import { CommitUnknown, isConnectionLost, isNotSent } from "../platform/database/database-errors.ts";
import type { OpenReading } from "../platform/database/reading-standby.ts";
import type { SecretBox } from "../platform/sealing/secret-box.ts";
import { asJson, printWarning } from "./printing.ts";

/** A command of the operator's program; those below it are of the same kind. */
export class OperatorCommand extends Command {
  readonly withSession: WithSession;

  constructor(name: string | undefined, withSession: WithSession) {
    super(name);
    this.withSession = withSession;
  }

  override createCommand(name?: string): OperatorCommand {
    return new OperatorCommand(name, this.withSession);
  }

  /** Says what the command does, with a session, its arguments and its options. Programs may read its results (`--json`). */
  does<Words extends readonly unknown[]>(work: (session: Session, ...words: Words) => ReturnType<Work<Session>>): this {
    return this.option(...asJson).action((...words) =>
      this.withSession((session) => work(session, ...(words as unknown as Words))),
    );
  }
}

/** The services that a command works with. */
export interface Session {
  /** The operator's name in the audit log: the one that `--as` gives, else the system's user. */
  readonly operator: string;
  /** Whether --as gave it. */
  readonly isNamed: boolean;
  readonly database: Database;
  /** Where reports are read, which may be a minute old. */
  readonly reports: OpenReading;
  readonly clock: Clock;
  /** Milliseconds that only run on. */
  monotonicMs(): number;
  readonly randomness: (bytes: number) => Buffer;
  readonly wallTime: WallTime;
  /** Where people reach the console: PUBLIC_URL, else this machine's address where it serves that alone; else null. */
  readonly publicUrl: string | null;
  /** SUPPLIER_ORIGINS, as this command was given them. */
  readonly supplierOrigins: readonly string[];
  /** CREDIT_ALONE_MAX: what one person may credit to a live wallet without another one. */
  readonly creditAloneMax: Kobo;
  /**
   * Seals secrets for the database, and opens them, with the service's keys: no command makes a key. @throws
   * StartError when the service's key is not there, can't be read, or is not the one that the database names
   */
  secretBox(): Promise<SecretBox>;
  /** Puts a new encryption key before those in the data directory; null where ENCRYPTION_KEY holds them. */
  readonly addKey: (() => Promise<{ readonly file: string }>) | null;
  /** Wires the whole service, without listening and without workers, for what only it can do; then closes it. */
  withServices<T>(work: (services: Services) => Promise<T>): Promise<T>;
  /** Wires the legacy endpoints so that nothing is sold or written; then closes them. */
  withShadowServices<T>(work: (services: ShadowServices) => Promise<T>): Promise<T>;
  /** Gives the service's role its rights, which a restored database may lack. Nothing where one role does everything. */
  grantServiceRights(): Promise<void>;
  /** Writes the command's entry in the audit log, for what was changed by other ways than a transaction of `database`. */
  audit(): Promise<void>;
}

/** A command's work. It says its exit code where that may be another than 0. */
export type Work<Given> = (given: Given) => Promise<number> | Promise<void>;

/** Opens a session, runs a command in it and closes it. */
type WithSession = (work: Work<Session>) => Promise<void>;

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
