import type { Instant } from "../../../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../../../kernel/ids.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../../platform/database/database.ts";
import type { EndpointKey } from "../endpoint.ts";
import { endpointKeyOf } from "../queries.ts";

const openBreakerOf = statement("open_webhook_breaker", "select open_webhook_breaker($1, $2, $3, $4, $5)");

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

/** The state of an endpoint, beside its settings. */
export interface EndpointState {
  /** How many deliveries of the wallet wait for an attempt, counted up to `waitingMax`. */
  readonly waiting: number;
  /** When the first of them is due; null where none waits. */
  readonly dueAt: Instant | null;
  /** Its breaker is open until then: no events are sent before. Null while it is not. */
  readonly pausedUntil: Instant | null;
  /** Every attempt since then has failed; null when the last one did not. */
  readonly failingSince: Instant | null;
  readonly noticedAt: Instant | null;
}

/** More are not counted: it would cost more than it tells. */
export const waitingMax = 10_000;

const listStates = statement(
  "list_webhook_endpoint_states",
  `select i.ordinal,
          owed.waiting,
          owed.due_at as "dueAt",
          case when f.open_until > now() then f.open_until end as "pausedUntil",
          f.failing_since as "failingSince",
          f.noticed_at as "noticedAt"
     from unnest($2::integer[]) with ordinality as i (endpoint_number, ordinal)
     left join webhook_failing_endpoints f
       on f.merchant_id = abs($1::integer) and f.endpoint_number = i.endpoint_number
    cross join lateral (
            select count(*)::integer as waiting, min(first.due_at) as due_at
              from (
                     select o.due_at
                       from webhook_outbox o
                      where o.lane = any (array['event', 'manual', 'later', 'postponed'])
                        and o.wallet_id = $1
                        and o.endpoint_number = i.endpoint_number
                      limit $3
                   ) first
          ) owed
    order by i.ordinal`,
);

/** The states of a merchant's endpoints, in the order of the numbers. */
export function listEndpointStates(
  db: Queryable,
  wallet: WalletKey,
  endpointNumbers: readonly number[],
): Promise<EndpointState[]> {
  return db.query<EndpointState>(listStates, [walletIdOf(wallet), arrayOf(endpointNumbers), waitingMax]);
}
