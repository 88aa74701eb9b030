import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { statement } from "../../platform/database/database.ts";

/** The log of a merchant and mode. */
export type OldLog = WalletKey;

// The first row of each key answers: two look-ups for each merchant and mode. A day's last error says how old its count is.
const listOld = statement(
  "list_old_request_logs",
  `select w.bucket, w.merchant_id as "merchantId", w.mode
     from wallets w
    where (
            select r.at
              from request_log r
             where r.bucket = w.bucket and r.merchant_id = w.merchant_id and r.mode = w.mode
             order by r.at, r.number
             limit 1
          ) < $1
       or (
            select d.last_at
              from request_error_days d
             where d.bucket = w.bucket and d.merchant_id = w.merchant_id and d.mode = w.mode
             order by d.day, d.endpoint, d.code
             limit 1
          ) < $1
    limit $2`,
);

/** Logs with requests, or days of errors, from before `before`. */
export function listOldLogs(database: Queryable, before: Instant, limit: number): Promise<OldLog[]> {
  return database.query<OldLog>(listOld, [new Date(before), limit]);
}

const deleteRequests = statement(
  "delete_old_logged_requests",
  `delete from request_log r
    using (
            select o.at, o.number
              from request_log o
             where o.bucket = $1 and o.merchant_id = $2 and o.mode = $3 and o.at < $4
             order by o.at, o.number
             limit $5
          ) oldest
    where r.bucket = $1 and r.merchant_id = $2 and r.mode = $3 and r.at = oldest.at and r.number = oldest.number
   returning r.number`,
);

/** Deletes at most `limit` of a log's oldest requests. @returns how many */
export async function deleteOldRequests(
  database: Queryable,
  { bucket, merchantId, mode }: OldLog,
  before: Instant,
  limit: number,
): Promise<number> {
  return (await database.query(deleteRequests, [bucket, merchantId, mode, new Date(before), limit])).length;
}

const deleteErrors = statement(
  "delete_old_request_errors",
  `delete from request_error_days d
    where d.bucket = $1 and d.merchant_id = $2 and d.mode = $3 and d.day <= $4::timestamptz::date + 1 and d.last_at < $4`,
);

/** Deletes the counts whose last error lies before `before`. A day, endpoint and code has one row: they are few. */
export async function deleteOldErrors(
  database: Queryable,
  { bucket, merchantId, mode }: OldLog,
  before: Instant,
): Promise<void> {
  await database.query(deleteErrors, [bucket, merchantId, mode, new Date(before)]);
}
