import type { Queryable } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";
import { walletColumns } from "../wallet/wallet-values.ts";
import type { EndpointKey } from "../webhooks/endpoints/endpoint.ts";
import { endpointKeyOf } from "../webhooks/endpoints/queries.ts";
import type { DeliveryId } from "../webhooks/events/event.ts";
import type { NewAttempt } from "../webhooks/log/attempt.ts";
import { type DeliveryClaim, endpointOf } from "./claim-queries.ts";

// Where rows of the outbox are named by a join, the lane is compared by `= any`: see claim_webhook_deliveries.

type Leased = Pick<DeliveryClaim, "wallet" | "endpointNumber" | "deliveryId" | "epoch" | "lane">;

function keysOf(claims: readonly Leased[]): string[] {
  const column = (read: (claim: Leased) => string | number) => arrayOf(claims.map(read));
  return [
    ...walletColumns(claims.map(({ wallet }) => wallet)),
    column(({ endpointNumber }) => endpointNumber),
    column(({ deliveryId }) => deliveryId),
    column(({ lane }) => lane),
    column(({ epoch }) => epoch),
  ];
}

/** The rows of the outbox (o) that are held by the claims of `keysOf`. */
const leasedRows = `
          unnest($1::smallint[], $2::integer[], $3::text[], $4::integer[], $5::uuid[], $6::text[], $7::integer[])
            with ordinality as i (bucket, merchant_id, mode, endpoint_number, delivery_id, lane, epoch, ordinal)
    where o.lane = any (array[i.lane])
      and o.bucket = i.bucket
      and o.merchant_id = i.merchant_id
      and o.mode = i.mode
      and o.endpoint_number = i.endpoint_number
      and o.delivery_id = i.delivery_id
      and o.epoch = i.epoch`;

const renewLeases = statement(
  "update_webhook_leases",
  `update webhook_outbox o
      set leased_until = now() + make_interval(secs => $8)
     from ${leasedRows}
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

/** A claim that was not attempted, and whether it is to wait for its endpoint. */
export interface ReturnedClaim extends DeliveryClaim {
  readonly isPostponed: boolean;
}

const returnLeases = statement(
  "update_webhook_leases_returned",
  `update webhook_outbox o
      set lane = case when ($8::boolean[])[i.ordinal] then 'postponed' else o.lane end,
          leased_until = null
     from ${leasedRows}`,
);

/** Gives back what was leased and not attempted, for whoever comes. */
export async function updateReturned(db: Queryable, claims: readonly ReturnedClaim[]): Promise<void> {
  await db.query(returnLeases, [...keysOf(claims), arrayOf(claims.map(({ isPostponed }) => isPostponed))]);
}

/** In which modes nothing is sent to the endpoint with number $3 of merchant $2 in bucket $1: removed, off, not wanted. */
const silentModes = `array(
            select m.mode
              from unnest(array['live', 'test']) as m (mode)
             where not exists (
                     select 1
                       from webhook_endpoints w
                      where w.bucket = $1
                        and w.merchant_id = $2
                        and w.endpoint_number = $3
                        and w.url is not null
                        and w.disabled_at is null
                        and w.mode in (m.mode, 'both')
                   )
          )`;

const dropOwed = statement(
  "delete_webhook_outbox_of_endpoint",
  `delete from webhook_outbox o
    using (
            select q.lane, q.bucket, q.merchant_id, q.mode, q.endpoint_number, q.delivery_id
              from webhook_outbox q
             where q.lane = any (array['event', 'manual', 'later', 'postponed']) and q.bucket = $1 and q.merchant_id = $2
               and q.mode = any (${silentModes})
               and q.endpoint_number = $3
               and coalesce(q.leased_until <= now(), true)
             limit $4
               for update skip locked
          ) d
    where o.lane = any (array[d.lane])
      and o.bucket = d.bucket
      and o.merchant_id = d.merchant_id
      and o.mode = d.mode
      and o.endpoint_number = d.endpoint_number
      and o.delivery_id = d.delivery_id
   returning 1 as dropped`,
);

/**
 * Forgets what is owed to an endpoint that is removed or switched off, or does not hear of the mode any more, but for what
 * somebody holds: an attempt under way is still logged. @returns how many rows, at most `limit`
 */
export async function deleteOwed(db: Queryable, key: EndpointKey, limit: number): Promise<number> {
  return (await db.query(dropOwed, [...endpointKeyOf(key), limit])).length;
}

const dropUnwanted = statement(
  "delete_webhook_outbox_unwanted",
  `delete from webhook_outbox o
    where o.bucket = $1
      and o.merchant_id = $2
      and o.endpoint_number = $3
      and o.mode = $4
      and o.delivery_id = $5
      and o.lane = $6
      and o.epoch = $7
      and (
            o.mode = any (${silentModes})
            or not exists (
                 select 1
                   from webhook_deliveries d
                  where d.bucket = $1 and d.merchant_id = $2 and d.mode = $4 and d.id = $5 and d.body is not null
               )
          )
   returning 1 as dropped`,
);

/**
 * Forgets a delivery whose endpoint takes nothing of its mode (any more), or whose body is not kept. Asks the tables, not
 * what a process remembers: an endpoint may be a moment old. @returns whether it was
 */
export async function deleteUnwanted(db: Queryable, claim: Leased): Promise<boolean> {
  const { wallet, deliveryId, lane, epoch } = claim;
  const key = endpointKeyOf(endpointOf(claim));
  return (await db.query(dropUnwanted, [...key, wallet.mode, deliveryId, lane, epoch])).length > 0;
}

/** An attempt as the holder of its lease made it. */
export interface FinishedAttempt extends NewAttempt {
  readonly lane: DeliveryClaim["lane"];
  readonly epoch: number;
  /** When to try again, in milliseconds from now; null: never. */
  readonly waitMs: number | null;
}

const finishAttempts = statement(
  "finish_webhook_attempts",
  `select ordinal
     from finish_webhook_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
);

/**
 * Logs attempts and ends or puts off what is owed, in one commit. Locks their logs. Safe to repeat.
 * @returns for each whether it was recorded: false where its lease was lost, and nothing was written
 */
export async function updateFinished(db: Queryable, attempts: readonly FinishedAttempt[]): Promise<boolean[]> {
  const column = (read: (attempt: FinishedAttempt) => string | number | boolean | null) => arrayOf(attempts.map(read));
  const rows = await db.query<{ ordinal: bigint }>(finishAttempts, [
    ...walletColumns(attempts.map(({ wallet }) => wallet)),
    column(({ endpointNumber }) => endpointNumber),
    column(({ deliveryId }) => deliveryId),
    column(({ lane }) => lane),
    column(({ epoch }) => epoch),
    column(({ attempt }) => attempt),
    column(({ waitMs }) => waitMs),
    column(({ event }) => event),
    column(({ successful }) => successful),
    column(({ httpStatus }) => httpStatus),
    column(({ durationMs }) => durationMs),
    column(({ error }) => error),
    column(({ errorDetail }) => errorDetail),
    column(({ responseBody }) => responseBody),
    column(({ url }) => url),
    column(({ urlVersion }) => urlVersion),
  ]);
  const recorded = attempts.map(() => false);
  for (const { ordinal } of rows) recorded[Number(ordinal) - 1] = true;
  return recorded;
}
