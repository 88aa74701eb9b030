import type { Instant } from "../../../kernel/clock.ts";
import type { WalletId } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { statement } from "../../../platform/database/database.ts";
import type { DeliveryId } from "../events/event.ts";

// Two rows of each log are read: its oldest attempt, and the first delivery after those whose bodies are purged.
const listLogsToPurge = statement(
  "list_webhook_logs_to_purge",
  `select l.wallet_id as "walletId",
          coalesce(oldest.created_at < $3, false) or coalesce(next.id < $4, false) as "isDue"
     from (
            select w.wallet_id, w.bodies_purged_to
              from webhook_logs w
             where w.wallet_id > $1
             order by w.wallet_id
             limit $2
          ) l
     left join lateral (
            select a.created_at
              from webhook_attempts a
             where a.wallet_id = l.wallet_id
             order by a.id
             limit 1
          ) oldest on true
     left join lateral (
            select d.id
              from webhook_deliveries d
             where d.wallet_id = l.wallet_id
               and d.id > coalesce(l.bodies_purged_to, '00000000-0000-0000-0000-000000000000')
             order by d.id
             limit 1
          ) next on true
    order by l.wallet_id`,
);

/** Where a walk over all logs begins. */
export const beforeAllLogs = -(2 ** 31) as WalletId;

/** A log, and whether it holds an attempt or a body from before. */
interface LogToPurge {
  readonly walletId: WalletId;
  readonly isDue: boolean;
}

/** Logs behind `after`, in the order of their keys. One round trip for all, as few of them have anything to delete. */
export async function listLogs(
  db: Queryable,
  after: WalletId,
  before: { readonly attempts: Instant; readonly bodies: DeliveryId; readonly limit: number },
): Promise<LogToPurge[]> {
  return db.query<LogToPurge>(listLogsToPurge, [after, before.limit, new Date(before.attempts), before.bodies]);
}

const purgeOldest = statement("purge_webhook_log", `select purge_webhook_log($1, $2, $3) as purged`);

/** Deletes at most `limit` attempts of a log that were made before. @returns how many. Locks the log */
export async function deleteAttempts(
  db: Queryable,
  walletId: WalletId,
  before: Instant,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ purged: number }>(purgeOldest, [walletId, new Date(before), limit]);
  return row?.purged ?? 0;
}

const purgeBodies = statement("purge_webhook_bodies", `select purge_webhook_bodies($1, $2, $3) as passed`);

/**
 * Lets go of the bodies of deliveries that were dropped before their first attempt, among the next `limit` of a log that
 * were made before. @returns how many it went past: fewer than `limit` when it came to the end, or to one that is owed.
 * Locks the log
 */
export async function deleteBodies(
  db: Queryable,
  walletId: WalletId,
  before: DeliveryId,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ passed: number }>(purgeBodies, [walletId, before, limit]);
  return row?.passed ?? 0;
}
