import type { Queryable } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";
import { walletColumns } from "../wallet/wallet-values.ts";
import type { EndpointKey } from "../webhooks/endpoints/endpoint.ts";
import { endpointKeyOf } from "../webhooks/endpoints/queries.ts";
import type { DeliveryId } from "../webhooks/events/event.ts";
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

const endLeases = statement(
  "update_webhook_leases_ended",
  `update webhook_outbox o
      set leased_until = null
     from ${leasedRows}`,
);

/** Gives back what was leased and not attempted: it is due at once, for whoever comes. */
export async function updateLeasesEnded(db: Queryable, claims: readonly Leased[]): Promise<void> {
  await db.query(endLeases, keysOf(claims));
}

/** A claim that is given up, with how long it is to wait. */
export interface PostponedClaim extends DeliveryClaim {
  readonly waitMs: number;
}

const postpone = statement(
  "update_webhook_outbox_postponed",
  `update webhook_outbox o
      set lane = case when o.lane = 'manual' then o.lane else 'postponed' end,
          due_at = greatest(
            now() + make_interval(secs => ($8::integer[])[i.ordinal] / 1000.0),
            (
              select f.open_until
                from webhook_failing_endpoints f
               where o.lane = 'event'
                 and f.bucket = o.bucket
                 and f.merchant_id = o.merchant_id
                 and f.endpoint_number = o.endpoint_number
            )
          ),
          leased_until = null
     from ${leasedRows}`,
);

/**
 * Gives back what was leased and not attempted: it is due after its wait, and an event no earlier than its endpoint's
 * breaker closes. What was asked for by hand stays in its lane.
 */
export async function updatePostponed(db: Queryable, claims: readonly PostponedClaim[]): Promise<void> {
  await db.query(postpone, [...keysOf(claims), arrayOf(claims.map(({ waitMs }) => waitMs))]);
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

const dropClaimed = statement(
  "delete_webhook_outbox_claimed",
  `delete from webhook_outbox o
    using ${leasedRows}`,
);

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
      and o.mode = any (${silentModes})
   returning 1 as dropped`,
);

/**
 * Forgets a delivery whose endpoint takes nothing of its mode (any more). Asks the tables, not what a process remembers: an
 * endpoint may be a moment old. @returns whether it was
 */
export async function deleteUnwanted(db: Queryable, claim: Leased): Promise<boolean> {
  const { wallet, deliveryId, lane, epoch } = claim;
  const key = endpointKeyOf(endpointOf(claim));
  return (await db.query(dropUnwanted, [...key, wallet.mode, deliveryId, lane, epoch])).length > 0;
}

/** Forgets what cannot be sent: its body is not kept. */
export async function deleteClaimed(db: Queryable, claims: readonly Leased[]): Promise<void> {
  await db.query(dropClaimed, keysOf(claims));
}
