import type { Bucket, MerchantId, WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Queryable } from "../../platform/database.ts";
import { arrayOf, statement } from "../../platform/database.ts";
import type { DeliveryId, EventName } from "./event.ts";

/** A delivery that this process leased, to make one attempt. */
export interface Claim {
  readonly wallet: WalletKey;
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
}

/** Behind which merchant and mode the next claim of a lane begins. */
export interface Turn {
  readonly bucket: number;
  readonly merchantId: number;
  readonly mode: string;
}

export const firstTurn: Turn = { bucket: -1, merchantId: 0, mode: "" };

/** What is claimed of one lane. */
export interface LaneWish {
  readonly after: Turn;
  /** At most so many of each merchant and mode. */
  readonly perLane: number;
  readonly limit: number;
  /** In place of `perLane`, by merchant: how many more this process has room for. */
  readonly room: Readonly<Record<string, number>>;
}

interface ClaimWish {
  /** Merchants and modes looked at, in each lane. */
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
          c.delivery_id as "deliveryId",
          c.epoch,
          c.attempts,
          c.lane,
          c.is_probe as "isProbe",
          c.event,
          c.body,
          c.lanes
     from (
            values ('manual', $1::smallint, $2::integer, $3::text, $4::integer, $5::integer, $6::jsonb),
                   ('event', $7, $8, $9, $10, $11, $12)
          ) as l (lane, after_bucket, after_merchant_id, after_mode, per_lane, most, held)
    cross join lateral claim_webhook_deliveries(
            l.lane, l.after_bucket, l.after_merchant_id, l.after_mode, $13, l.per_lane, l.most, $14, l.held
          ) c`,
);

interface ClaimRow {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  /** Null in the last row of a lane, which tells where the turn ended. */
  readonly deliveryId: DeliveryId | null;
  readonly epoch: number;
  readonly attempts: number;
  readonly lane: "event" | "manual";
  readonly isProbe: boolean;
  readonly event: EventName;
  readonly body: string | null;
  readonly lanes: number;
}

/** Leases due deliveries, merchants in turns. @returns them, and where the next turn of each lane begins */
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
    else if (lanes >= lanesMax) next[claim.lane] = wallet;
  }
  return { claims, next };
}

function argumentsOf({ after, perLane, limit, room }: LaneWish) {
  return [after.bucket, after.merchantId, after.mode, perLane, limit, JSON.stringify(room)];
}

// Where rows of the outbox are named by a join, the lane is compared by `= any`: see claim_webhook_deliveries.

type Leased = Pick<Claim, "wallet" | "deliveryId" | "epoch" | "lane">;

function keysOf(claims: readonly Leased[]): string[] {
  const column = (read: (claim: Leased) => string | number) => arrayOf(claims.map(read));
  return [
    column(({ wallet }) => wallet.bucket),
    column(({ wallet }) => wallet.merchantId),
    column(({ wallet }) => wallet.mode),
    column(({ deliveryId }) => deliveryId),
    column(({ lane }) => lane),
    column(({ epoch }) => epoch),
  ];
}

const renewLeases = statement(
  "update_webhook_leases",
  `update webhook_outbox o
      set leased_until = now() + make_interval(secs => $7)
     from unnest($1::smallint[], $2::integer[], $3::text[], $4::uuid[], $5::text[], $6::integer[])
            as i (bucket, merchant_id, mode, delivery_id, lane, epoch)
    where o.lane = any (array[i.lane])
      and o.bucket = i.bucket
      and o.merchant_id = i.merchant_id
      and o.mode = i.mode
      and o.delivery_id = i.delivery_id
      and o.epoch = i.epoch
      and o.leased_until > now()
   returning o.delivery_id as "deliveryId"`,
);

/** Keeps leases from running out. @returns those that are still held */
export async function updateLeases(
  db: Queryable,
  claims: readonly Leased[],
  leaseSeconds: number,
): Promise<readonly DeliveryId[]> {
  const rows = await db.query<{ deliveryId: DeliveryId }>(renewLeases, [...keysOf(claims), leaseSeconds]);
  return rows.map(({ deliveryId }) => deliveryId);
}

const endLeases = statement(
  "update_webhook_leases_ended",
  `update webhook_outbox o
      set leased_until = null
     from unnest($1::smallint[], $2::integer[], $3::text[], $4::uuid[], $5::text[], $6::integer[])
            as i (bucket, merchant_id, mode, delivery_id, lane, epoch)
    where o.lane = any (array[i.lane])
      and o.bucket = i.bucket
      and o.merchant_id = i.merchant_id
      and o.mode = i.mode
      and o.delivery_id = i.delivery_id
      and o.epoch = i.epoch`,
);

/** Gives back what was leased and not attempted: it is due at once, for whoever comes. */
export async function updateLeasesEnded(db: Queryable, claims: readonly Leased[]): Promise<void> {
  await db.query(endLeases, keysOf(claims));
}

const promoteDue = statement(
  "update_webhook_outbox_due",
  `update webhook_outbox o
      set lane = 'event'
     from (
            select d.lane, d.bucket, d.merchant_id, d.mode, d.delivery_id
              from generate_series(0, 63) as b (bucket)
             cross join lateral (
                     select o.lane, o.bucket, o.merchant_id, o.mode, o.delivery_id
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
      and o.delivery_id = due.delivery_id
   returning 1 as promoted`,
);

/** Lets deliveries whose next attempt is due stand with the events. @returns how many */
export async function updateDue(db: Queryable, perBucket: number): Promise<number> {
  return (await db.query(promoteDue, [perBucket])).length;
}

/** Whether the merchant $2 in bucket $1 has no webhook, or one that is switched off. */
const isOff = `not exists (
            select 1
              from webhook_endpoints w
             where w.bucket = $1 and w.merchant_id = $2 and w.url is not null and w.disabled_at is null
          )`;

const dropOwed = statement(
  "delete_webhook_outbox_of_endpoint",
  `delete from webhook_outbox o
    using (
            select q.lane, q.bucket, q.merchant_id, q.mode, q.delivery_id
              from webhook_outbox q
             where q.lane = any (array['event', 'manual', 'later']) and q.bucket = $1 and q.merchant_id = $2
               and coalesce(q.leased_until <= now(), true)
               and ${isOff}
             limit $3
               for update skip locked
          ) d
    where o.lane = any (array[d.lane])
      and o.bucket = d.bucket
      and o.merchant_id = d.merchant_id
      and o.mode = d.mode
      and o.delivery_id = d.delivery_id
   returning 1 as dropped`,
);

/**
 * Forgets what is owed to a merchant whose webhook is removed or switched off, but for what somebody holds: an attempt
 * under way is still logged. @returns how many rows, at most `limit`
 */
export async function deleteOwed(
  db: Queryable,
  wallet: Pick<WalletKey, "bucket" | "merchantId">,
  limit: number,
): Promise<number> {
  return (await db.query(dropOwed, [wallet.bucket, wallet.merchantId, limit])).length;
}

const dropClaimed = statement(
  "delete_webhook_outbox_claimed",
  `delete from webhook_outbox o
    using unnest($1::smallint[], $2::integer[], $3::text[], $4::uuid[], $5::text[], $6::integer[])
            as i (bucket, merchant_id, mode, delivery_id, lane, epoch)
    where o.lane = any (array[i.lane])
      and o.bucket = i.bucket
      and o.merchant_id = i.merchant_id
      and o.mode = i.mode
      and o.delivery_id = i.delivery_id
      and o.epoch = i.epoch`,
);

const dropUnwanted = statement(
  "delete_webhook_outbox_unwanted",
  `delete from webhook_outbox o
    where o.bucket = $1
      and o.merchant_id = $2
      and o.mode = $3
      and o.delivery_id = $4
      and o.lane = $5
      and o.epoch = $6
      and ${isOff}
   returning 1 as dropped`,
);

/**
 * Forgets a delivery whose merchant's webhook is removed or switched off. Asks the tables, not what a process remembers:
 * an endpoint may be a moment old. @returns whether it was
 */
export async function deleteUnwanted(db: Queryable, { wallet, deliveryId, lane, epoch }: Leased): Promise<boolean> {
  const key = [wallet.bucket, wallet.merchantId, wallet.mode, deliveryId, lane, epoch];
  return (await db.query(dropUnwanted, key)).length > 0;
}

/** Forgets what cannot be sent: its body is not kept. */
export async function deleteClaimed(db: Queryable, claims: readonly Leased[]): Promise<void> {
  await db.query(dropClaimed, keysOf(claims));
}
