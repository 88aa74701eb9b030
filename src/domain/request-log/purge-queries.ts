import type { Instant } from "../../kernel/clock.ts";
import type { WalletId } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { statement } from "../../platform/database/database.ts";

// The first row of each key answers: two look-ups for each wallet. A day's last error says how old its count is.
const listOld = statement(
  "list_old_request_logs",
  `select w.wallet_id as "walletId"
     from wallets w
    where (
            select r.at
              from request_log r
             where r.wallet_id = w.wallet_id
             order by r.at, r.number
             limit 1
          ) < $1
       or (
            select d.last_at
              from request_error_days d
             where d.wallet_id = w.wallet_id
             order by d.day, d.endpoint, d.code
             limit 1
          ) < $1
    limit $2`,
);

/** Logs with requests, or days of errors, from before `before`. */
export async function listOldLogs(database: Queryable, before: Instant, limit: number): Promise<WalletId[]> {
  const rows = await database.query<{ walletId: WalletId }>(listOld, [new Date(before), limit]);
  return rows.map(({ walletId }) => walletId);
}

const deleteRequests = statement(
  "delete_old_logged_requests",
  `delete from request_log r
    using (
            select o.at, o.number
              from request_log o
             where o.wallet_id = $1 and o.at < $2
             order by o.at, o.number
             limit $3
          ) oldest
    where r.wallet_id = $1 and r.at = oldest.at and r.number = oldest.number
   returning r.number`,
);

/** Deletes at most `limit` of a log's oldest requests. @returns how many */
export async function deleteOldRequests(
  database: Queryable,
  walletId: WalletId,
  before: Instant,
  limit: number,
): Promise<number> {
  return (await database.query(deleteRequests, [walletId, new Date(before), limit])).length;
}

const deleteErrors = statement(
  "delete_old_request_errors",
  `delete from request_error_days d
    where d.wallet_id = $1 and d.day <= $2::timestamptz::date + 1 and d.last_at < $2`,
);

/** Deletes the counts whose last error lies before `before`. A day, endpoint and code has one row: they are few. */
export async function deleteOldErrors(database: Queryable, walletId: WalletId, before: Instant): Promise<void> {
  await database.query(deleteErrors, [walletId, new Date(before)]);
}
