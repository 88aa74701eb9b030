import { type Refusal, refuse } from "../kernel/problems.ts";
import { Overloaded } from "./batcher.ts";
import { isConnectionLost } from "./database.ts";

/**
 * Of a step before which nothing was done, and of one that only reads: a database that is away or has too much to do means
 * "try again", and not "ask what happened". @throws Refusal MAINTENANCE, or the error as it is
 */
export function refuseWhenAway(error: unknown): never {
  throw refusalWhenAway(error) ?? error;
}

/** The same, to be asked: MAINTENANCE, or null for any other error. */
export function refusalWhenAway(error: unknown): Refusal | null {
  const isAway = error instanceof Overloaded || isConnectionLost(error);
  return isAway ? refuse("MAINTENANCE", { retryAfterSeconds: 2 }) : null;
}
