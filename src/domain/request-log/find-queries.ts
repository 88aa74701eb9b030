import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import { keyOf } from "./list-queries.ts";
import type { LoggedRequest, LogPlace } from "./logged-request.ts";

const columns = `
       r.at,
       r.number,
       r.method,
       r.endpoint,
       r.path,
       r.status,
       r.code,
       r.duration_ms as "durationMs",
       r.key_id as "keyId",
       host(r.address) as address,
       r.request_id as "requestId",
       r.reference,
       r.purchase_id as "purchaseId",
       r.body`;

// Ids of ours are made when a request comes in: its row lies behind that time.
const findOwnId = statement(
  "find_logged_request_by_own_id",
  `select ${columns}
     from request_log r
    where r.bucket = $1
      and r.merchant_id = $2
      and r.mode = $3
      and r.at >= $5
      and r.at <= $6
      and r.request_id = $4
    order by r.at, r.number
    limit 1`,
);

/** The request that was given this id between the two instants. */
export async function findRequestByOwnId(
  database: Queryable,
  wallet: WalletKey,
  requestId: string,
  span: { readonly from: Instant; readonly to: Instant },
): Promise<LoggedRequest | null> {
  const values = [...keyOf(wallet), requestId, new Date(span.from), new Date(span.to)];
  return (await database.query<LoggedRequest>(findOwnId, values))[0] ?? null;
}

const findOne = statement(
  "find_logged_request",
  `select ${columns}
     from request_log r
    where r.bucket = $1 and r.merchant_id = $2 and r.mode = $3 and r.at = $4 and r.number = $5`,
);

/** The request at a place of the log; null where none is kept. */
export async function findLoggedRequest(
  database: Queryable,
  wallet: WalletKey,
  { at, number }: LogPlace,
): Promise<LoggedRequest | null> {
  return (await database.query<LoggedRequest>(findOne, [...keyOf(wallet), new Date(at), number]))[0] ?? null;
}
