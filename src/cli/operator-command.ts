import { Command } from "commander";
import type { Randomness } from "../domain/merchants/key-format.ts";
import type { Clock, WallTime } from "../kernel/clock.ts";
import type { Kobo } from "../kernel/money.ts";
import type { Services } from "../main/services/services.ts";
import type { Database } from "../platform/database/database.ts";
import type { SecretBox } from "../platform/sealing/secret-box.ts";
import { asJson } from "./printing.ts";

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
  readonly database: Database;
  readonly clock: Clock;
  readonly randomness: Randomness;
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
  /** Gives the service's role its rights, which a restored database may lack. Nothing where one role does everything. */
  grantServiceRights(): Promise<void>;
  /** Writes the command's entry in the audit log, for what was changed by other ways than a transaction of `database`. */
  audit(): Promise<void>;
}

/** A command's work. It says its exit code where that may be another than 0. */
export type Work<Given> = (given: Given) => Promise<number> | Promise<void>;

/** Opens a session, runs a command in it and closes it. */
type WithSession = (work: Work<Session>) => Promise<void>;
