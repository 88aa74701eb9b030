import type { WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";
import { type EndpointKey, endpointName } from "../webhooks/endpoints/endpoint.ts";
import type { DeliveryId, EventName } from "../webhooks/events/event.ts";

/** The lanes that are claimed from, in their order: first what somebody asked for by hand. */
export const dueLanes = ["manual", "postponed", "event"] as const;
export type DueLane = (typeof dueLanes)[number];

/** A delivery that this process leased, to make one attempt. */
export interface DeliveryClaim {
  readonly wallet: WalletKey;
  /** Which of the merchant's endpoints it goes to. */
  readonly endpointNumber: number;
  /** By `endpointName`: looked up several times for each delivery, so it is made once. */
  readonly endpointName: string;
  readonly deliveryId: DeliveryId;
  /** Proves the lease: every later claim raises it. */
  readonly epoch: number;
  /** Number of the attempt to make, from 1. */
  readonly attempt: number;
  readonly lane: DueLane;
  /** Its endpoint has failed and not succeeded since, as far as is recorded. */
  readonly isFailing: boolean;
  /** Its endpoint's breaker has opened since it last succeeded: until a probe does, events are to be postponed. */
  readonly isBreakerOpen: boolean;
  /** This attempt alone is made, to see whether its endpoint's breaker may close. */
  readonly isProbe: boolean;
  readonly event: EventName;
  /** Null once purged: there is nothing to send. */
  readonly body: string | null;
  /** Somebody asked for it to try out the receiver: one attempt is made. */
  readonly isExample: boolean;
}

/** Behind which endpoint the next claim begins. */
export interface Turn {
  readonly bucket: number;
  readonly merchantId: number;
  readonly endpointNumber: number;
}

export const firstTurn: Turn = { bucket: -1, merchantId: 0, endpointNumber: 0 };

/** How much to claim of one lane and mode. */
export interface ClaimRequest {
  readonly lane: DueLane;
  readonly mode: Mode;
  readonly after: Turn;
  /** At most so many of each endpoint. */
  readonly perEndpoint: number;
  readonly limit: number;
  /** In place of `perEndpoint`, by `endpointName`: how many more this process has room for. */
  readonly room: Room;
}

/** How many more deliveries a process has room for, by `endpointName`. */
export type Room = ReadonlyMap<string, number>;

// All requests by one round trip, one after the other. Most lanes are empty, and a look is cheaper than the function.
const claimDue = statement(
  "claim_webhook_deliveries",
  `select w.ordinal::integer as request,
          c.bucket,
          c.merchant_id as "merchantId",
          c.endpoint_number as "endpointNumber",
          c.delivery_id as "deliveryId",
          c.epoch,
          c.attempts,
          c.is_failing as "isFailing",
          c.is_breaker_open as "isBreakerOpen",
          c.is_probe as "isProbe",
          c.event,
          c.body,
          c.is_example as "isExample"
     from (
            select i.lane, i.mode, i.after_bucket, i.after_merchant_id, i.after_endpoint_number, i.per_endpoint, i.most,
                   i.ordinal, $8::jsonb -> (i.ordinal::integer - 1) as room
              from unnest(
                     $1::text[], $2::text[], $3::smallint[], $4::integer[], $5::integer[], $6::integer[], $7::integer[]
                   ) with ordinality as i (
                     lane, mode, after_bucket, after_merchant_id, after_endpoint_number, per_endpoint, most, ordinal
                   )
             where (select true from webhook_outbox o where o.lane = i.lane and o.mode = i.mode limit 1)
            offset 0
          ) w
    cross join lateral claim_webhook_deliveries(
            w.lane, w.mode, w.after_bucket, w.after_merchant_id, w.after_endpoint_number, $9, w.per_endpoint, w.most,
            $10, w.room
          ) c`,
);

interface ClaimRow
  extends EndpointKey,
    Omit<DeliveryClaim, "wallet" | "endpointName" | "deliveryId" | "attempt" | "lane"> {
  /** Counts the requests from 1. */
  readonly request: number;
  /** Null in a row that tells behind which endpoint to go on. */
  readonly deliveryId: DeliveryId | null;
  readonly attempts: number;
}

/** Endpoints that one request looks at. */
const endpointsMax = 512;

/** The endpoint that a delivery goes to. */
export function endpointOf({ wallet, endpointNumber }: Pick<DeliveryClaim, "wallet" | "endpointNumber">): EndpointKey {
  const { bucket, merchantId } = wallet;
  return { bucket, merchantId, endpointNumber };
}

/** Leases due deliveries, endpoints in turns. @returns them, and where the next turn of each request begins */
export async function claimDeliveries(
  db: Queryable,
  requests: readonly ClaimRequest[],
  leaseSeconds: number,
): Promise<{ readonly claims: DeliveryClaim[]; readonly next: readonly Turn[] }> {
  const column = (read: (request: ClaimRequest) => string | number) => arrayOf(requests.map(read));
  const rows = await db.query<ClaimRow>(claimDue, [
    column(({ lane }) => lane),
    column(({ mode }) => mode),
    column(({ after }) => after.bucket),
    column(({ after }) => after.merchantId),
    column(({ after }) => after.endpointNumber),
    column(({ perEndpoint }) => perEndpoint),
    column(({ limit }) => limit),
    // One text: as elements of an array, all their quotes would have to be escaped.
    `[${requests.map(({ room }) => roomJson(room)).join()}]`,
    endpointsMax,
    leaseSeconds,
  ]);
  const claims: DeliveryClaim[] = [];
  const next: Turn[] = requests.map(() => firstTurn);
  for (const row of rows) {
    const { bucket, merchantId, endpointNumber } = row;
    if (row.deliveryId === null) next[row.request - 1] = { bucket, merchantId, endpointNumber };
    else claims.push(claimOf(row, row.deliveryId, requests[row.request - 1] as ClaimRequest));
  }
  return { claims, next };
}

/** Field by field: thousands are made a second, and spreading a row costs more than all the rest. */
function claimOf(row: ClaimRow, deliveryId: DeliveryId, { lane, mode }: ClaimRequest): DeliveryClaim {
  const { request: _, bucket, merchantId, attempts, ...claim } = row;
  return {
    ...claim,
    wallet: { bucket, merchantId, mode },
    endpointName: endpointName(row),
    deliveryId,
    attempt: attempts + 1,
    lane,
  };
}

/** Names of endpoints have digits and a slash: nothing to escape. */
function roomJson(room: Room): string {
  return `{${[...room].map(([name, count]) => `"${name}":${count}`).join()}}`;
}

const promoteDue = statement(
  "update_webhook_outbox_due",
  `update webhook_outbox o
      set lane = 'event'
     from (
            select d.lane, d.bucket, d.merchant_id, d.mode, d.endpoint_number, d.delivery_id
              from generate_series(0, 63) as b (bucket)
             cross join lateral (
                     select o.lane, o.bucket, o.merchant_id, o.mode, o.endpoint_number, o.delivery_id
                       from webhook_outbox o
                      where o.lane = 'later' and o.bucket = b.bucket::smallint and o.due_at <= now()
                      order by o.due_at
                      limit $1
                        for update skip locked
                   ) d
          ) due
    where o.lane = any (array[due.lane])
      and o.bucket = due.bucket
      and o.merchant_id = due.merchant_id
      and o.mode = due.mode
      and o.endpoint_number = due.endpoint_number
      and o.delivery_id = due.delivery_id
   returning 1 as promoted`,
);

/** Lets deliveries whose next attempt is due stand with the events. @returns how many */
export async function updateDue(db: Queryable, perBucket: number): Promise<number> {
  return (await db.query(promoteDue, [perBucket])).length;
}
