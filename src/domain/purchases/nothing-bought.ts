import { refuse } from "../../kernel/problems.ts";
import { Overloaded } from "../../platform/batcher.ts";
import { isConnectionLost } from "../../platform/database.ts";

/** Of a step before the purchase: nothing was bought yet. @throws Refusal MAINTENANCE, or the error as it is */
export function refuseWhenAway(error: unknown): never {
  const isAway = error instanceof Overloaded || isConnectionLost(error);
  throw isAway ? refuse("MAINTENANCE", { retryAfterSeconds: 2 }) : error;
}
