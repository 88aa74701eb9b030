import type { Instant } from "../../../kernel/clock.ts";
import { type PurchaseId, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { statement } from "../../../platform/database/database.ts";
import type { NewAttempt } from "../log/attempt.ts";
import type { DeliveryId, EventName } from "./event.ts";

/** An event of a purchase's end that an endpoint wanted. */
export interface DueWebhook {
  readonly id: DeliveryId;
  readonly event: EventName;
  readonly endpointNumber: number;
  readonly enqueuedAt: Instant;
  /** Null where no further attempt is owed. */
  readonly nextAttemptAt: Instant | null;
}

const listDue = statement(
  "list_webhooks_of_purchase",
  `select told.id, told.event, told."endpointNumber", told."enqueuedAt", told."nextAttemptAt"
     from (
            select unnest(array_append(p.further_delivery_ids, p.delivery_id)) as id
              from purchases p
             where p.wallet_id = $1 and p.id = $2
          ) owed
    cross join lateral (
            select d.id,
                   d.event,
                   d.endpoint_number as "endpointNumber",
                   d.created_at as "enqueuedAt",
                   (
                     select o.due_at
                       from webhook_outbox o
                      where o.lane = any (array['event', 'manual', 'later', 'postponed'])
                        and o.wallet_id = d.wallet_id
                        and o.endpoint_number = d.endpoint_number
                        and o.delivery_id = d.id
                      limit 1
                   ) as "nextAttemptAt"
              from webhook_deliveries d
             where d.wallet_id = $1 and d.id = owed.id
            offset 0
          ) told
    order by told."enqueuedAt", told."endpointNumber"`,
);

/** The deliveries to a merchant's endpoints for the end of one purchase: at most one for each of them. */
export function listWebhooksOfPurchase(db: Queryable, wallet: WalletKey, id: PurchaseId): Promise<DueWebhook[]> {
  return db.query<DueWebhook>(listDue, [walletIdOf(wallet), id]);
}

/** One request to a merchant's endpoint, and what came of it. */
export interface WebhookTry extends Omit<NewAttempt, "wallet" | "deliveryId" | "urlVersion" | "successful"> {
  readonly id: DeliveryId;
  readonly at: Instant;
}

const listTries = statement(
  "list_attempts_of_webhooks",
  `select a.delivery_id as id,
          a.attempt,
          a.event,
          a.endpoint_number as "endpointNumber",
          a.url,
          a.http_status as "httpStatus",
          a.error,
          a.duration_ms as "durationMs",
          a.response_body as "responseBody",
          a.created_at as at
     from unnest($2::uuid[]) as owed (id)
    cross join lateral (
            select t.delivery_id, t.attempt, t.event, t.endpoint_number, t.url, t.http_status, t.error,
                   t.duration_ms, t.response_body, t.created_at
              from webhook_attempts t
             where t.wallet_id = $1 and t.delivery_id = owed.id
             order by t.delivery_id, t.attempt
             limit $3
          ) a
    order by a.created_at, a.attempt`,
);

/** Enough for all attempts of a retry schedule and some by hand. */
const triesMax = 100;

/** The attempts at these deliveries, the first hundred of each. */
export function listTriesOf(
  db: Queryable,
  wallet: WalletKey,
  webhooks: readonly Pick<DueWebhook, "id">[],
): Promise<WebhookTry[]> {
  return db.query<WebhookTry>(listTries, [walletIdOf(wallet), webhooks.map(({ id }) => id), triesMax]);
}
