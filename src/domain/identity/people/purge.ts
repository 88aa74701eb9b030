import type { Clock } from "../../../kernel/clock.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { deleteStaleFailures } from "./failure-queries.ts";
import { deleteEndedSessions } from "./session-queries.ts";
import { idleMs } from "./sessions.ts";
import { deleteEndedTokens } from "./token-queries.ts";

/** Deletes tokens and sessions that have ended, and attempts that count no more, some of each. @returns how many */
export async function purgePeople(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  limit: number,
): Promise<number> {
  const now = clock.now();
  const tokens = await deleteEndedTokens(database, now, limit);
  const sessions = await deleteEndedSessions(database, { now, idleSince: now - idleMs, limit });
  const failures = await deleteStaleFailures(database, now, limit);
  return tokens + sessions + failures;
}
