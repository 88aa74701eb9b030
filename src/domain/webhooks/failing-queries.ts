import type { Instant } from "../../kernel/clock.ts";
import type { Queryable, Tx } from "../../platform/database.ts";
import { statement } from "../../platform/database.ts";
import type { EndpointOwner } from "./endpoint.ts";

const openBreakerOf = statement(
  "insert_webhook_breaker",
  `insert into webhook_failing_endpoints as f (bucket, merchant_id, open_until, opened)
   values ($1, $2, now() + make_interval(secs => $3), 1)
       on conflict (bucket, merchant_id)
       do update set open_until = now() + make_interval(secs => least($3 * 2 ^ least(f.opened, 20), $4)),
                     opened = f.opened + 1
    where coalesce(f.open_until <= now(), true) or $5`,
);

/**
 * Opens an endpoint's breaker for every process: for `seconds` the first time, twice as long each time after it, up to
 * `secondsMax`. One that is open already stays as it is, unless it was its probe that failed.
 */
export async function insertBreaker(
  db: Queryable,
  owner: EndpointOwner,
  wait: { readonly seconds: number; readonly secondsMax: number; readonly isProbe: boolean },
): Promise<void> {
  const { seconds, secondsMax, isProbe } = wait;
  await db.query(openBreakerOf, [owner.bucket, owner.merchantId, seconds, secondsMax, isProbe]);
}

/** An endpoint that has not succeeded since. */
export interface FailingEndpoint extends EndpointOwner {
  readonly failingSince: Instant;
  readonly lastFailedAt: Instant;
  readonly noticedAt: Instant | null;
}

const listFailingEndpoints = statement(
  "list_webhook_failing_endpoints",
  `select f.bucket,
          f.merchant_id as "merchantId",
          f.failing_since as "failingSince",
          f.last_failed_at as "lastFailedAt",
          f.noticed_at as "noticedAt"
     from webhook_failing_endpoints f
     join webhook_endpoints w
       on w.bucket = f.bucket and w.merchant_id = f.merchant_id
    where f.failing_since <= $1
      and w.url is not null
      and w.disabled_at is null
      and (f.bucket, f.merchant_id) > ($2::smallint, $3::integer)
    order by f.bucket, f.merchant_id
    limit $4`,
);

/** Endpoints that are on and have only failed since `before`, in the order of their keys, behind `after`. */
export async function listFailing(
  db: Queryable,
  before: Instant,
  after: { readonly bucket: number; readonly merchantId: number },
  limit: number,
): Promise<FailingEndpoint[]> {
  return db.query<FailingEndpoint>(listFailingEndpoints, [new Date(before), after.bucket, after.merchantId, limit]);
}

const findFailingEndpoint = statement(
  "find_webhook_failing_endpoint",
  `select f.bucket,
          f.merchant_id as "merchantId",
          f.failing_since as "failingSince",
          f.last_failed_at as "lastFailedAt",
          f.noticed_at as "noticedAt"
     from webhook_failing_endpoints f
    where f.bucket = $1 and f.merchant_id = $2`,
);

/** Null when the merchant's endpoint has not failed since it last succeeded. */
export async function findFailing(db: Queryable, owner: EndpointOwner): Promise<FailingEndpoint | null> {
  const [row] = await db.query<FailingEndpoint>(findFailingEndpoint, [owner.bucket, owner.merchantId]);
  return row ?? null;
}

const noticeFailing = statement(
  "update_webhook_failing_noticed",
  `update webhook_failing_endpoints f
      set noticed_at = $3
    where f.bucket = $1 and f.merchant_id = $2 and f.noticed_at is null
   returning 1 as noticed`,
);

/** @returns true for the one caller who is to give notice */
export async function updateNoticed(db: Queryable, owner: EndpointOwner, now: Instant): Promise<boolean> {
  const rows = await db.query(noticeFailing, [owner.bucket, owner.merchantId, new Date(now)]);
  return rows.length === 1;
}

const forgetFailing = statement(
  "delete_webhook_failing_endpoint",
  "delete from webhook_failing_endpoints where bucket = $1 and merchant_id = $2",
);

/** Begins anew with an endpoint, in the transaction that changes its settings. */
export async function deleteFailing(tx: Tx, owner: EndpointOwner): Promise<void> {
  await tx.query(forgetFailing, [owner.bucket, owner.merchantId]);
}
