import type { Instant } from "../../../../kernel/clock.ts";
import type { Queryable, Tx } from "../../../../platform/database/database.ts";
import { statement } from "../../../../platform/database/database.ts";
import type { EndpointKey } from "../endpoint.ts";
import { endpointKeyOf } from "../queries.ts";

const openBreakerOf = statement(
  "insert_webhook_breaker",
  `insert into webhook_failing_endpoints as f (merchant_id, endpoint_number, open_until, opened)
   values ($1, $2, now() + make_interval(secs => $3), 1)
       on conflict (merchant_id, endpoint_number)
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
  key: EndpointKey,
  wait: { readonly seconds: number; readonly secondsMax: number; readonly isProbe: boolean },
): Promise<void> {
  const { seconds, secondsMax, isProbe } = wait;
  await db.query(openBreakerOf, [...endpointKeyOf(key), seconds, secondsMax, isProbe]);
}

/** An endpoint that has not succeeded since. */
export interface FailingEndpoint extends EndpointKey {
  readonly failingSince: Instant;
  readonly lastFailedAt: Instant;
  readonly noticedAt: Instant | null;
}

const listFailingEndpoints = statement(
  "list_webhook_failing_endpoints",
  `select f.merchant_id as "merchantId",
          f.endpoint_number as "endpointNumber",
          f.failing_since as "failingSince",
          f.last_failed_at as "lastFailedAt",
          f.noticed_at as "noticedAt"
     from webhook_failing_endpoints f
     join webhook_endpoints w
       on w.merchant_id = f.merchant_id and w.endpoint_number = f.endpoint_number
    where f.failing_since <= $1
      and w.url is not null
      and w.disabled_at is null
      and (f.merchant_id, f.endpoint_number) > ($2, $3)
    order by f.merchant_id, f.endpoint_number
    limit $4`,
);

/** Endpoints that are on and have only failed since `before`, in the order of their keys, behind `after`. */
export async function listFailing(
  db: Queryable,
  before: Instant,
  after: EndpointKey,
  limit: number,
): Promise<FailingEndpoint[]> {
  return db.query<FailingEndpoint>(listFailingEndpoints, [new Date(before), ...endpointKeyOf(after), limit]);
}

const noticeFailing = statement(
  "update_webhook_failing_noticed",
  `update webhook_failing_endpoints f
      set noticed_at = $3
    where f.merchant_id = $1 and f.endpoint_number = $2 and f.noticed_at is null
   returning 1 as noticed`,
);

/** @returns true for the one caller who is to give notice */
export async function updateNoticed(db: Queryable, key: EndpointKey, now: Instant): Promise<boolean> {
  const rows = await db.query(noticeFailing, [...endpointKeyOf(key), new Date(now)]);
  return rows.length === 1;
}

const forgetFailing = statement(
  "delete_webhook_failing_endpoint",
  "delete from webhook_failing_endpoints where merchant_id = $1 and endpoint_number = $2",
);

/** Begins anew with an endpoint, in the transaction that changes its settings. */
export async function deleteFailing(tx: Tx, key: EndpointKey): Promise<void> {
  await tx.query(forgetFailing, endpointKeyOf(key));
}
