import { type Refusal, refuse } from "../../kernel/problems.ts";
import { Overloaded } from "./batcher.ts";
import {
  CommitUnknown,
  isConnectionLost,
  isNotSent,
  isResourceExhausted,
  isSerializationFailure,
} from "./database-errors.ts";

/**
 * For a step that only reads, or before which nothing was done: a database that is away or overloaded then means "try
 * again", and not "ask what happened". @throws Refusal MAINTENANCE, or the error as it is
 */
export function refuseWhenAway(error: unknown): never {
  throw refusalWhenAway(error) ?? error;
}

/** The same without throwing: the refusal MAINTENANCE, or null for any other error. */
export function refusalWhenAway(error: unknown): Refusal | null {
  return isConnectionLost(error) || wasNotCarriedOut(error) ? maintenance(error) : null;
}

/**
 * For a step that changes something: refused as above where it was certainly not carried out, never where that is open.
 * @throws Refusal MAINTENANCE, or the error as it is
 */
export function refuseWhenNotCarriedOut(error: unknown): never {
  throw refusalWhenNotCarriedOut(error) ?? error;
}

/** The same without throwing; null for any other error. */
export function refusalWhenNotCarriedOut(error: unknown): Refusal | null {
  return wasNotCarriedOut(error) ? maintenance(error) : null;
}

/**
 * For the steps after one that was committed: that they were not carried out says nothing of that one, and nobody may take
 * it for a refusal of all. @throws CommitUnknown, or the error as it is
 */
export function neverRefuse(error: unknown): never {
  throw wasNotCarriedOut(error) ? new CommitUnknown("it is stored, and what follows is not", { cause: error }) : error;
}

/** Whether the statement certainly had no effect: it never left the queue or the process, or the database refused it. */
function wasNotCarriedOut(error: unknown): boolean {
  return error instanceof Overloaded || isNotSent(error) || isResourceExhausted(error);
}

function maintenance(cause: unknown): Refusal {
  return refuse("MAINTENANCE", { retryAfterSeconds: 2, cause });
}

/**
 * Whether what failed may be sent again until it succeeds. A server that turned read-only is taken for one that is away: the
 * next primary answers under its name.
 */
export function isDatabaseAway(error: unknown): boolean {
  return isConnectionLost(error) || isNotSent(error) || isResourceExhausted(error) || isSerializationFailure(error);
}
