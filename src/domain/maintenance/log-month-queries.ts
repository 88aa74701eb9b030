import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import { sqlStateOf } from "../../platform/database/database-errors.ts";

const keepMonths = statement("keep_log_months", "select change from keep_log_months($1, $2, $3) as change");

/** The logs that are kept in months, and by which of two ages. */
const logs = {
  request_log: "requests",
  request_error_days: "requests",
  webhook_deliveries: "webhooks",
  webhook_attempts: "webhooks",
  webhook_attempt_counts: "webhooks",
} as const;

/**
 * Makes the partitions of the request log and of the webhook log for the months to come, and drops those that end before:
 * one log after the other. One that somebody reads for long, such as a dump, is postponed to the next time.
 * @returns what it did, in words
 */
export async function keepLogMonths(
  db: Queryable,
  now: Instant,
  keepFrom: { readonly requests: Instant; readonly webhooks: Instant },
): Promise<string[]> {
  const changes: string[] = [];
  for (const [log, age] of Object.entries(logs)) {
    const values = [log, new Date(now), new Date(keepFrom[age])];
    const kept = await db.query<{ change: string }>(keepMonths, values).catch((error: unknown) => {
      if (sqlStateOf(error) !== "55P03") throw error;
      return [{ change: `postponed ${log}` }];
    });
    changes.push(...kept.map(({ change }) => change));
  }
  return changes;
}
