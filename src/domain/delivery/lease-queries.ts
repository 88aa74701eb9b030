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
            as i (bucket, merchant_id, mode, endpoint_number, delivery_id, lane, epoch)
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

const setAside = statement(
  "update_webhook_outbox_set_aside",
  `update webhook_outbox o
      set lane = 'slow',
          leased_until = null
     from ${leasedRows}`,
);

/** Gives back what was leased and not attempted: it waits in the lane of slow endpoints for a place among them. */
export async function updateSetAside(db: Queryable, claims: readonly Leased[]): Promise<void> {
  await db.query(setAside, keysOf(claims));
}

const bringBack = statement(
  "update_webhook_outbox_brought_back",
  `update webhook_outbox o
      set lane = 'event'
     from (
            select q.lane, q.bucket, q.merchant_id, q.mode, q.endpoint_number, q.delivery_id
              from webhook_outbox q
             where q.lane = 'slow'
               and q.mode = any (array['live', 'test'])
               and q.bucket = $1
               and q.merchant_id = $2
               and q.endpoint_number = $3
               -- Whoever held it too long may still record it, under the lane in which it was claimed.
               and q.leased_until is null
             limit $4
               for update skip locked
          ) s
    where o.lane = any (array[s.lane])
      and o.bucket = s.bucket
      and o.merchant_id = s.merchant_id
      and o.mode = s.mode
      and o.endpoint_number = s.endpoint_number
      and o.delivery_id = s.delivery_id
   returning 1 as moved`,
);

/** Lets what was set aside for an endpoint stand with the events again. @returns how many rows, at most `limit` */
export async function updateBroughtBack(db: Queryable, key: EndpointKey, limit: number): Promise<number> {
  return (await db.query(bringBack, [...endpointKeyOf(key), limit])).length;
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
             where q.lane = any (array['event', 'manual', 'slow', 'later']) and q.bucket = $1 and q.merchant_id = $2
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
