import type { Bucket, MerchantId, WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Queryable } from "../../platform/database.ts";
import { statement } from "../../platform/database.ts";
import type { EndpointKey } from "./endpoint.ts";
import type { DeliveryId, EventName } from "./event.ts";

/** A delivery that this process leased, to make one attempt. */
export interface Claim {
  readonly wallet: WalletKey;
  /** Which of the merchant's endpoints it goes to. */
  readonly endpointNumber: number;
  readonly deliveryId: DeliveryId;
  /** What proves the lease: every later claim raises it. */
  readonly epoch: number;
  /** Number of the attempt to make, from 1. */
  readonly attempt: number;
  readonly lane: "event" | "manual";
  /** Its endpoint's breaker was open: this attempt alone is made, to see whether it may close. */
  readonly isProbe: boolean;
  readonly event: EventName;
  /** Null once purged: there is nothing to send. */
  readonly body: string | null;
  /** Somebody asked for it to try out the receiver: one attempt is made. */
  readonly isExample: boolean;
}

/** Behind which merchant, mode and endpoint the next claim of a lane begins. */
export interface Turn {
  readonly bucket: number;
  readonly merchantId: number;
  readonly mode: string;
  readonly endpointNumber: number;
}

export const firstTurn: Turn = { bucket: -1, merchantId: 0, mode: "", endpointNumber: 0 };

/** What is claimed of one lane. */
export interface LaneWish {
  readonly after: Turn;
  /** At most so many of each endpoint and mode. */
  readonly perLane: number;
  readonly limit: number;
  /** In place of `perLane`, by `endpointName`: how many more this process has room for. */
  readonly room: Readonly<Record<string, number>>;
}

interface ClaimWish {
  /** Endpoints and modes looked at, in each lane. */
  readonly lanesMax: number;
  readonly leaseSeconds: number;
  readonly event: LaneWish;
  readonly manual: LaneWish;
}

// Both lanes by one round trip; first what somebody asked for by hand.
const claimDue = statement(
  "claim_webhook_deliveries",
  `select c.bucket,
          c.merchant_id as "merchantId",
          c.mode,
          c.endpoint_number as "endpointNumber",
          c.delivery_id as "deliveryId",
          c.epoch,
          c.attempts,
          c.lane,
          c.is_probe as "isProbe",
          c.event,
          c.body,
          c.is_example as "isExample",
          c.lanes
     from (
            values ('manual', $1::smallint, $2::integer, $3::text, $4::integer, $5::integer, $6::integer, $7::jsonb),
                   ('event', $8, $9, $10, $11, $12, $13, $14)
          ) as l (lane, after_bucket, after_merchant_id, after_mode, after_endpoint_number, per_lane, most, held)
    cross join lateral claim_webhook_deliveries(
            l.lane, l.after_bucket, l.after_merchant_id, l.after_mode, l.after_endpoint_number, $15, l.per_lane, l.most,
            $16, l.held
          ) c`,
);

interface ClaimRow {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  readonly endpointNumber: number;
  /** Null in the last row of a lane, which tells where the turn ended. */
  readonly deliveryId: DeliveryId | null;
  readonly epoch: number;
  readonly attempts: number;
  readonly lane: "event" | "manual";
  readonly isProbe: boolean;
  readonly event: EventName;
  readonly body: string | null;
  readonly isExample: boolean;
  readonly lanes: number;
}

/** The endpoint that a delivery goes to. */
export function endpointOf({ wallet, endpointNumber }: Pick<Claim, "wallet" | "endpointNumber">): EndpointKey {
  const { bucket, merchantId } = wallet;
  return { bucket, merchantId, endpointNumber };
}

/** Leases due deliveries, endpoints in turns. @returns them, and where the next turn of each lane begins */
export async function claimDeliveries(
  db: Queryable,
  { lanesMax, leaseSeconds, event, manual }: ClaimWish,
): Promise<{ readonly claims: Claim[]; readonly next: Readonly<Record<Claim["lane"], Turn>> }> {
  const rows = await db.query<ClaimRow>(claimDue, [
    ...argumentsOf(manual),
    ...argumentsOf(event),
    lanesMax,
    leaseSeconds,
  ]);
  const claims: Claim[] = [];
  const next = { event: firstTurn, manual: firstTurn };
  for (const { bucket, merchantId, mode, deliveryId, attempts, lanes, ...claim } of rows) {
    const wallet = { bucket, merchantId, mode };
    if (deliveryId !== null) claims.push({ wallet, deliveryId, attempt: attempts + 1, ...claim });
    else if (lanes >= lanesMax) next[claim.lane] = { ...wallet, endpointNumber: claim.endpointNumber };
  }
  return { claims, next };
}

function argumentsOf({ after, perLane, limit, room }: LaneWish) {
  const { bucket, merchantId, mode, endpointNumber } = after;
  return [bucket, merchantId, mode, endpointNumber, perLane, limit, JSON.stringify(room)];
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
