import type { Instant } from "../../../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../../../kernel/ids.ts";
import type { Queryable } from "../../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../../platform/database/database.ts";

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
