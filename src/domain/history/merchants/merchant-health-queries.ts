import type { Instant } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type MerchantId, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

/** Of the newest of these many requests or sales: a page is answered soon for whom there are more. */
export const healthRowsMax = 20_000;

/** How a merchant's live calls and sales went since some moment. */
export interface MerchantHealth {
  readonly requests: number;
  /** Answered with an error, or left by the client. */
  readonly refused: number;
  /** Milliseconds within which half of the requests were answered, and 95 of 100; null without any. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** What it paid for what was delivered. */
  readonly sales: Kobo;
}

const find = statement(
  "find_merchant_health",
  `select r.requests, r.refused, r."p50Ms", r."p95Ms", s.delivered, s.failed, s.pending, s.sales
     from (
            select count(*)::integer as requests,
                   count(code)::integer as refused,
                   percentile_disc(0.5) within group (order by duration_ms)::integer as "p50Ms",
                   percentile_disc(0.95) within group (order by duration_ms)::integer as "p95Ms"
              from (
                     select code, duration_ms
                       from request_log
                      where wallet_id = $1 and at >= $2
                      order by at desc
                      limit $4
                   ) newest
          ) r
    cross join (
            select count(*) filter (where status = 'successful' and refunded_at is null)::integer as delivered,
                   count(*) filter (where refunded_at is not null)::integer as failed,
                   count(*) filter (where status = 'pending')::integer as pending,
                   coalesce(sum(total) filter (where status = 'successful' and refunded_at is null), 0)::bigint as sales
              from (
                     select status, refunded_at, total
                       from purchases
                      where wallet_id = $1 and id >= $3
                      order by id desc
                      limit $4
                   ) newest
          ) s`,
);

/** Of live mode, up to `healthRowsMax` requests and as many sales. */
export async function findMerchantHealth(
  db: Queryable,
  merchantId: MerchantId,
  since: Instant,
): Promise<MerchantHealth | null> {
  const wallet = walletIdOf({ merchantId, mode: "live" });
  const values = [wallet, new Date(since), firstPurchaseIdAt(since), healthRowsMax];
  return (await db.query<MerchantHealth>(find, values))[0] ?? null;
}

/** How often requests were answered with an error. */
export interface CodeCount {
  readonly code: string;
  readonly count: number;
}

const listCodes = statement(
  "list_merchant_error_codes",
  `select code, count(*)::integer as count
     from (
            select code
              from request_log
             where wallet_id = $1 and at >= $2
             order by at desc
             limit $3
          ) newest
    where code is not null
    group by code
    order by count desc, code
    limit 5`,
);

/** The errors that live requests were answered with most, among the newest `healthRowsMax`. */
export function listErrorCodes(db: Queryable, merchantId: MerchantId, since: Instant): Promise<CodeCount[]> {
  const wallet = walletIdOf({ merchantId, mode: "live" });
  return db.query<CodeCount>(listCodes, [wallet, new Date(since), healthRowsMax]);
}

const findLast = statement(
  "find_last_request",
  `select at
     from request_log
    where wallet_id = $1
    order by at desc
    limit 1`,
);

/** When the merchant last called live; null where the log has nothing of it. */
export async function findLastRequestAt(db: Queryable, merchantId: MerchantId): Promise<Instant | null> {
  const [row] = await db.query<{ at: Instant }>(findLast, [walletIdOf({ merchantId, mode: "live" })]);
  return row?.at ?? null;
}
