import { refuse } from "../kernel/problems.ts";
import { Overloaded } from "./batcher.ts";
import { isConnectionLost } from "./database.ts";

/**
 * Of a step before which nothing was done: a database that is away or has too much to do means "try again", and not "ask
 * what happened". @throws Refusal MAINTENANCE, or the error as it is
 */
export function refuseWhenAway(error: unknown): never {
  const isAway = error instanceof Overloaded || isConnectionLost(error);
  throw isAway ? refuse("MAINTENANCE", { retryAfterSeconds: 2 }) : error;
}
