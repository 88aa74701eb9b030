import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";

const keepMonths = statement("keep_log_months", "select change from keep_log_months($1, $2, $3) as change");

/**
 * Makes the partitions of the request log and of the webhook log for the months to come, and drops those that end before.
 * @returns what it did, in words
 */
export async function keepLogMonths(
  db: Queryable,
  now: Instant,
  keepFrom: { readonly requests: Instant; readonly webhooks: Instant },
): Promise<string[]> {
  const values = [now, keepFrom.requests, keepFrom.webhooks].map((instant) => new Date(instant));
  return (await db.query<{ change: string }>(keepMonths, values)).map(({ change }) => change);
}
