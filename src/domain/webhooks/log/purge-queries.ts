import type { Instant } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { statement } from "../../../platform/database/database.ts";
import { walletValues } from "../../wallet/wallet-values.ts";
import type { DeliveryId } from "../events/event.ts";

// Two rows of each log are read: its oldest attempt, and the first delivery after those whose bodies are purged.
const listLogsToPurge = statement(
  "list_webhook_logs_to_purge",
  `select l.bucket,
          l.merchant_id as "merchantId",
          l.mode,
          coalesce(oldest.created_at < $5, false) or coalesce(next.id < $6, false) as "isDue"
     from (
            select w.bucket, w.merchant_id, w.mode, w.bodies_purged_to
              from webhook_logs w
             where (w.bucket, w.merchant_id, w.mode) > ($1::smallint, $2::integer, $3)
             order by w.bucket, w.merchant_id, w.mode
             limit $4
          ) l
     left join lateral (
            select a.created_at
              from webhook_attempts a
             where a.bucket = l.bucket and a.merchant_id = l.merchant_id and a.mode = l.mode
             order by a.id
             limit 1
          ) oldest on true
     left join lateral (
            select d.id
              from webhook_deliveries d
             where d.bucket = l.bucket
               and d.merchant_id = l.merchant_id
               and d.mode = l.mode
               and d.id > coalesce(l.bodies_purged_to, '00000000-0000-0000-0000-000000000000')
             order by d.id
             limit 1
          ) next on true
    order by l.bucket, l.merchant_id, l.mode`,
);

/** Where a walk over all logs begins. */
export const beforeAllLogs = { bucket: -1, merchantId: 0, mode: "" } as const;

/** A log, and whether it holds an attempt or a body from before. */
interface LogToPurge extends WalletKey {
  readonly isDue: boolean;
}

/** Logs behind `after`, in the order of their keys. One round trip for all, as few of them have anything to delete. */
export async function listLogs(
  db: Queryable,
  after: { readonly bucket: number; readonly merchantId: number; readonly mode: string },
  before: { readonly attempts: Instant; readonly bodies: DeliveryId; readonly limit: number },
): Promise<LogToPurge[]> {
  return db.query<LogToPurge>(listLogsToPurge, [
    after.bucket,
    after.merchantId,
    after.mode,
    before.limit,
    new Date(before.attempts),
    before.bodies,
  ]);
}

const purgeOldest = statement("purge_webhook_log", `select purge_webhook_log($1, $2, $3, $4, $5) as purged`);

/** Deletes at most `limit` attempts of a log that were made before. @returns how many. Locks the log */
export async function deleteAttempts(
  db: Queryable,
  wallet: WalletKey,
  before: Instant,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ purged: number }>(purgeOldest, [...walletValues(wallet), new Date(before), limit]);
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
  const [row] = await db.query<{ passed: number }>(purgeBodies, [...walletValues(wallet), before, limit]);
  return row?.passed ?? 0;
}
