import { walletIdOf } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, arrayOfRows, rowOf, statement } from "../../../platform/database/database.ts";
import type { EndpointKey } from "../endpoints/endpoint.ts";
import { endpointKeyOf } from "../endpoints/queries.ts";
import type { DeliveryId } from "../events/event.ts";
import type { NewAttempt } from "../log/attempt.ts";
import { type DeliveryClaim, endpointOf } from "./claim-queries.ts";

type Leased = Pick<DeliveryClaim, "wallet" | "endpointNumber" | "deliveryId" | "epoch" | "lane">;

function keysOf(claims: readonly Leased[]): string[] {
  const column = (read: (claim: Leased) => string | number) => arrayOf(claims.map(read));
  return [
    arrayOf(claims.map(({ wallet }) => walletIdOf(wallet))),
    column(({ endpointNumber }) => endpointNumber),
    column(({ deliveryId }) => deliveryId),
    column(({ lane }) => lane),
    column(({ epoch }) => epoch),
  ];
}

// `= any`: see claim_webhook_deliveries.
/** The rows of the outbox (o) that are held by the claims of `keysOf`. */
const leasedRows = `
          unnest($1::integer[], $2::integer[], $3::uuid[], $4::text[], $5::integer[])
            with ordinality as i (wallet_id, endpoint_number, delivery_id, lane, epoch, ordinal)
    where o.lane = any (array[i.lane])
      and o.wallet_id = i.wallet_id
      and o.endpoint_number = i.endpoint_number
      and o.delivery_id = i.delivery_id
      and o.epoch = i.epoch`;

const renewLeases = statement(
  "update_webhook_leases",
  `update webhook_outbox o
      set leased_until = now() + make_interval(secs => $6)
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
      set lane = case when ($6::boolean[])[i.ordinal] then 'postponed' else o.lane end,
          leased_until = null
     from ${leasedRows}`,
);

/** Gives back what was leased and not attempted, for whoever comes. */
export async function updateReturned(db: Queryable, claims: readonly ReturnedClaim[]): Promise<void> {
  await db.query(returnLeases, [...keysOf(claims), arrayOf(claims.map(({ isPostponed }) => isPostponed))]);
}

/** The wallets of merchant $1 whose events the endpoint with number $2 is not sent: removed, off, not wanted. */
const silentWallets = `array(
            select m.wallet_id
              from (values ($1::integer, 'live'), (-$1::integer, 'test')) as m (wallet_id, mode)
             where not exists (
                     select 1
                       from webhook_endpoints w
                      where w.merchant_id = $1
                        and w.endpoint_number = $2
                        and w.url is not null
                        and w.disabled_at is null
                        and w.mode in (m.mode, 'both')
                   )
          )`;

const deleteDueSql = statement(
  "delete_webhook_outbox_of_endpoint",
  `delete from webhook_outbox o
    using (
            select q.lane, q.wallet_id, q.endpoint_number, q.delivery_id
              from webhook_outbox q
             where q.lane = any (array['event', 'manual', 'later', 'postponed'])
               and q.wallet_id = any (${silentWallets})
               and q.endpoint_number = $2
               and coalesce(q.leased_until <= now(), true)
             limit $3
               for update skip locked
          ) d
    where o.lane = any (array[d.lane])
      and o.wallet_id = d.wallet_id
      and o.endpoint_number = d.endpoint_number
      and o.delivery_id = d.delivery_id
   returning 1 as dropped`,
);

/**
 * Forgets what is owed to an endpoint that is removed or switched off, or does not hear of the mode any more, but for what
 * somebody holds: an attempt under way is still logged. @returns how many rows, at most `limit`
 */
export async function deleteDue(db: Queryable, key: EndpointKey, limit: number): Promise<number> {
  return (await db.query(deleteDueSql, [...endpointKeyOf(key), limit])).length;
}

const deleteUnneededSql = statement(
  "delete_webhook_outbox_unneeded",
  `delete from webhook_outbox o
    where o.lane = $3
      and o.wallet_id = $4
      and o.endpoint_number = $2
      and o.delivery_id = $5
      and o.epoch = $6
      and (
            o.wallet_id = any (${silentWallets})
            or not exists (
                 select 1
                   from webhook_deliveries d
                  where d.wallet_id = $4 and d.id = $5 and d.body is not null
               )
          )
   returning 1 as dropped`,
);

/**
 * Forgets a delivery whose endpoint takes nothing of its mode (any more), or whose body is not kept. Asks the tables, not
 * what a process remembers: an endpoint may be a moment old. @returns whether it was
 */
export async function deleteUnneeded(db: Queryable, claim: Leased): Promise<boolean> {
  const { wallet, deliveryId, lane, epoch } = claim;
  const key = endpointKeyOf(endpointOf(claim));
  return (await db.query(deleteUnneededSql, [...key, lane, walletIdOf(wallet), deliveryId, epoch])).length > 0;
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
  "select ordinal from finish_webhook_attempts($1::finished_attempt[])",
);

/**
 * Logs attempts and ends or puts off what is owed, in one commit. Locks their logs. Safe to repeat.
 * @returns for each whether it was recorded: false where its lease was lost, and nothing was written
 */
export async function updateFinished(db: Queryable, attempts: readonly FinishedAttempt[]): Promise<boolean[]> {
  const rows = await db.query<{ ordinal: bigint }>(finishAttempts, [arrayOfRows(attempts.map(attemptRow))]);
  const recorded = attempts.map(() => false);
  for (const { ordinal } of rows) recorded[Number(ordinal) - 1] = true;
  return recorded;
}

/** A row of the type `finished_attempt`, in the order of its columns. */
function attemptRow(attempt: FinishedAttempt): string {
  return rowOf([
    walletIdOf(attempt.wallet),
    attempt.endpointNumber,
    attempt.deliveryId,
    attempt.lane,
    attempt.epoch,
    attempt.attempt,
    attempt.waitMs,
    attempt.event,
    attempt.successful,
    attempt.httpStatus,
    attempt.durationMs,
    attempt.error,
    attempt.errorDetail,
    attempt.responseBody,
    attempt.url,
    attempt.urlVersion,
  ]);
}
