import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database.ts";
import { statement } from "../../platform/database.ts";
import type { DeliveryId } from "./event.ts";
import { keyOf } from "./queries.ts";

const listLogKeys = statement(
  "list_webhook_logs",
  `select l.bucket, l.merchant_id as "merchantId", l.mode
     from webhook_logs l
    where (l.bucket, l.merchant_id, l.mode) > ($1::smallint, $2::integer, $3)
    order by l.bucket, l.merchant_id, l.mode
    limit $4`,
);

/** Where a walk over all logs begins. */
export const beforeAllLogs = { bucket: -1, merchantId: 0, mode: "" } as const;

/** Keys of logs behind `after`, in their order. */
export async function listLogs(
  db: Queryable,
  after: { readonly bucket: number; readonly merchantId: number; readonly mode: string },
  limit: number,
): Promise<WalletKey[]> {
  return db.query<WalletKey>(listLogKeys, [after.bucket, after.merchantId, after.mode, limit]);
}

const purgeOldest = statement("purge_webhook_log", `select purge_webhook_log($1, $2, $3, $4, $5) as purged`);

/** Deletes at most `limit` attempts of a log that were made before. @returns how many. Locks the log */
export async function deleteAttempts(
  db: Queryable,
  wallet: WalletKey,
  before: Instant,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ purged: number }>(purgeOldest, [...keyOf(wallet), new Date(before), limit]);
  return row?.purged ?? 0;
}

const purgeBodies = statement("purge_webhook_bodies", `select purge_webhook_bodies($1, $2, $3, $4, $5) as passed`);

/**
 * Lets go of the bodies of deliveries that were dropped before their first attempt, among the next `limit` of a log that
 * were made before. @returns how many it went past: fewer than `limit` when it came to the end, or to one that is owed.
 * Locks the log
 */
export async function deleteBodies(
  db: Queryable,
  wallet: WalletKey,
  before: DeliveryId,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ passed: number }>(purgeBodies, [...keyOf(wallet), before, limit]);
  return row?.passed ?? 0;
}
