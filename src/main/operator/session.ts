import type { Randomness } from "../../domain/merchants/key-format.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database.ts";

/** What a command works with. */
export interface Session {
  readonly database: Database;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly wallTime: WallTime;
}

/** Opens a session, runs a command in it and closes it. The command says its exit code. */
export type WithSession = (work: (session: Session) => Promise<number>) => Promise<void>;

/** Who the rows say did it. Operators have no accounts of their own on the command line. */
export const createdBy = "operator";
