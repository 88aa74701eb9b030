import { assert } from "../../../kernel/assert.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { type Reference, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Database, Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import type { DeliveryId, EventName } from "../events/event.ts";
import type { OutboxEvent } from "../events/outbox-event.ts";

// Event and debt in one statement, so that neither exists without the other.
const insertDeliveriesSql = statement(
  "insert_webhook_deliveries",
  `with owed as (
     select i.wallet_id, i.endpoint_number, i.id, i.event, i.reference, i.subject_id, i.body,
            i.is_example
       from unnest(
              $1::integer[], $2::integer[], $3::uuid[], $4::text[], $5::text[],
              $6::bigint[], $7::text[], $8::boolean[]
            ) as i (wallet_id, endpoint_number, id, event, reference, subject_id, body, is_example)
   ),
   told as (
     insert into webhook_deliveries (
       wallet_id, endpoint_number, id, event, reference, subject_id, body, is_example
     )
     select wallet_id, endpoint_number, id, event, reference, subject_id, body, is_example
       from owed
   )
   insert into webhook_outbox (wallet_id, endpoint_number, delivery_id, lane)
   select wallet_id, endpoint_number, id, $9
     from owed`,
);

/** Owes merchants events that no other commit carries. */
export async function insertDeliveries(
  db: Queryable,
  events: readonly { readonly wallet: WalletKey; readonly event: OutboxEvent }[],
  lane: "event" | "manual",
): Promise<void> {
  if (events.length === 0) return;
  const column = (read: (each: (typeof events)[number]) => string | number | bigint | boolean | null) =>
    arrayOf(events.map(read));
  await db.query(insertDeliveriesSql, [
    arrayOf(events.map(({ wallet }) => walletIdOf(wallet))),
    column(({ event }) => event.endpointNumber),
    column(({ event }) => event.deliveryId),
    column(({ event }) => event.event),
    column(({ event }) => event.reference),
    column(({ event }) => event.subjectId),
    column(({ event }) => event.body),
    column(({ event }) => event.isExample),
    lane,
  ]);
}

/** A delivery with what decides whether it can be sent again. */
export interface StoredDelivery {
  readonly id: DeliveryId;
  readonly event: EventName;
  readonly reference: Reference | null;
  readonly isExample: boolean;
  /** Where it goes to. */
  readonly endpointNumber: number;
  /** The endpoint's present URL; nulls where it was removed. */
  readonly url: string | null;
  readonly urlQuery: string | null;
  /** The endpoint is set, not switched off, and hears of the mode. */
  readonly isOn: boolean;
  readonly hasBody: boolean;
  /** When the next attempt is due; null where none is owed. */
  readonly dueAt: Instant | null;
  /** An attempt is due now, or somebody makes it. */
  readonly isUnderWay: boolean;
}

const findStoredDelivery = statement(
  "find_webhook_delivery",
  `select d.id,
          d.event,
          d.reference,
          d.is_example as "isExample",
          d.endpoint_number as "endpointNumber",
          w.url,
          w.url_query as "urlQuery",
          coalesce(
            w.url is not null
              and w.disabled_at is null
              and w.mode in (case when d.wallet_id > 0 then 'live' else 'test' end, 'both'),
            false
          ) as "isOn",
          d.body is not null as "hasBody",
          o.due_at as "dueAt",
          coalesce(o.due_at <= now() or o.leased_until > now(), false) as "isUnderWay"
     from webhook_deliveries d
     left join webhook_endpoints w
       on w.merchant_id = abs(d.wallet_id) and w.endpoint_number = d.endpoint_number
     left join webhook_outbox o
       on o.lane = any (array['event', 'manual', 'later', 'postponed'])
      and o.wallet_id = d.wallet_id
      and o.endpoint_number = d.endpoint_number
      and o.delivery_id = d.id
    where d.wallet_id = $1 and d.id = $2`,
);

/** Null when the wallet has no such delivery. */
export async function findDelivery(db: Queryable, wallet: WalletKey, id: DeliveryId): Promise<StoredDelivery | null> {
  const [row] = await db.query<StoredDelivery>(findStoredDelivery, [walletIdOf(wallet), id]);
  return row ?? null;
}

const findBody = statement(
  "find_webhook_delivery_body",
  `select d.body
     from webhook_deliveries d
    where d.wallet_id = $1 and d.id = $2`,
);

/** The very text that was sent and signed; null where the wallet has no such delivery, or its body is not kept any more. */
export async function findDeliveryBody(db: Queryable, wallet: WalletKey, id: DeliveryId): Promise<string | null> {
  const [row] = await db.query<{ body: string | null }>(findBody, [walletIdOf(wallet), id]);
  return row?.body ?? null;
}

const resendDeliveries = statement(
  "resend_webhook_deliveries",
  "select resend_webhook_deliveries($1, $2, $3) as resent",
);

/**
 * Makes deliveries due now: `manual` for one that somebody asked for, `event` in turn with the merchant's events. Locks
 * their log. @returns how many: not those that are due already, or have an attempt under way
 */
export async function insertResends(
  db: Queryable,
  wallet: WalletKey,
  { ids, lane }: { readonly ids: readonly DeliveryId[]; readonly lane: "manual" | "event" },
): Promise<number> {
  const [row] = await db.query<{ resent: number }>(resendDeliveries, [walletIdOf(wallet), arrayOf(ids), lane]);
  return row?.resent ?? 0;
}

// It begins with a write, of nothing: see accept_purchases.
const findLogForUpdate = statement(
  "find_webhook_log_for_update",
  `with door as (update webhook_logs l set last_id = l.last_id where l.wallet_id = 0)
   select 1
     from webhook_logs l
    where l.wallet_id = $1
      for update`,
);

// Neither examples, nor what has lost its body, nor what goes to an endpoint that is removed, or off in this mode.
const listFailed = statement(
  "list_failed_webhook_deliveries",
  `with look as materialized (
     select d.id, d.endpoint_number, d.body is not null and not d.is_example as is_kept
       from webhook_deliveries d
      where d.wallet_id = $1 and d.id > $3
      order by d.id
      limit $4
   )
   select (select count(*)::integer from look) as looked,
          (select k.id from look k order by k.id desc limit 1) as "lastId",
          array(
            select k.id
              from look k
             where k.is_kept
               and exists (
                     select 1
                       from webhook_endpoints w
                      where w.merchant_id = abs($1)
                        and w.endpoint_number = k.endpoint_number
                        and w.endpoint_number = coalesce($2, w.endpoint_number)
                        and w.url is not null
                        and w.disabled_at is null
                        and w.mode in (case when $1 > 0 then 'live' else 'test' end, 'both')
                   )
               and not exists (
                     select 1
                       from webhook_attempts a
                      where a.wallet_id = $1 and a.delivery_id = k.id and a.successful
                   )
             order by k.id
          ) as failed`,
);

/** The result of one look at a wallet's deliveries. */
interface Recovered {
  readonly looked: number;
  readonly recovered: number;
  /** The last that was looked at; null when there was none. */
  readonly lastId: DeliveryId | null;
}

/**
 * Makes those of the `limit` deliveries after `after` due now that were never delivered and wait for nothing, or for a
 * later attempt: to one endpoint, or to all (null). Locks the wallet's log.
 */
export async function recoverFailed(
  database: Database,
  wallet: WalletKey,
  endpointNumber: number | null,
  { after, limit }: { readonly after: DeliveryId; readonly limit: number },
): Promise<Recovered> {
  return database.transaction(async (tx) => {
    await tx.query(findLogForUpdate, [walletIdOf(wallet)]);
    type Looked = Pick<Recovered, "looked" | "lastId"> & { readonly failed: readonly DeliveryId[] };
    const [row] = await tx.query<Looked>(listFailed, [walletIdOf(wallet), endpointNumber, after, limit]);
    assert(row !== undefined, "a look has one row");
    // In turn with the events, where turns and breakers count: ten thousand at once would keep everybody's waiting.
    const recovered = await insertResends(tx, wallet, { ids: row.failed, lane: "event" });
    return { looked: row.looked, recovered, lastId: row.lastId };
  });
}
