import type { WalletKey } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database.ts";
import { arrayOf, statement } from "../../platform/database.ts";
import type { DeliveryId } from "./event.ts";
import type { OwedEvent } from "./owed-event.ts";
import { keyOf } from "./queries.ts";

// Event and debt in one statement, so that neither exists without the other.
const insertOwedDeliveries = statement(
  "insert_webhook_deliveries",
  `with owed as (
     select i.bucket, i.merchant_id, i.mode, i.endpoint_number, i.id, i.event, i.reference, i.subject_id, i.body
       from unnest(
              $1::smallint[], $2::integer[], $3::text[], $4::integer[], $5::uuid[], $6::text[], $7::text[],
              $8::bigint[], $9::text[]
            ) as i (bucket, merchant_id, mode, endpoint_number, id, event, reference, subject_id, body)
   ),
   told as (
     insert into webhook_deliveries (bucket, merchant_id, mode, endpoint_number, id, event, reference, subject_id, body)
     select bucket, merchant_id, mode, endpoint_number, id, event, reference, subject_id, body
       from owed
   )
   insert into webhook_outbox (bucket, merchant_id, mode, endpoint_number, delivery_id, lane)
   select bucket, merchant_id, mode, endpoint_number, id, $10
     from owed`,
);

/** Owes merchants events that no other commit carries. */
export async function insertAllOwed(
  db: Queryable,
  owed: readonly { readonly wallet: WalletKey; readonly event: OwedEvent }[],
  lane: "event" | "manual",
): Promise<void> {
  if (owed.length === 0) return;
  const column = (read: (each: (typeof owed)[number]) => string | number | bigint | null) => arrayOf(owed.map(read));
  await db.query(insertOwedDeliveries, [
    column(({ wallet }) => wallet.bucket),
    column(({ wallet }) => wallet.merchantId),
    column(({ wallet }) => wallet.mode),
    column(({ event }) => event.endpointNumber),
    column(({ event }) => event.deliveryId),
    column(({ event }) => event.event),
    column(({ event }) => event.reference),
    column(({ event }) => event.subjectId),
    column(({ event }) => event.body),
    lane,
  ]);
}

/** Owes a merchant one event that no other commit carries. */
export function insertOwed(
  db: Queryable,
  wallet: WalletKey,
  event: OwedEvent,
  lane: "event" | "manual",
): Promise<void> {
  return insertAllOwed(db, [{ wallet, event }], lane);
}

interface Resendable {
  /** Where it goes to. */
  readonly endpointNumber: number;
  /** The endpoint is set and not switched off. */
  readonly isOn: boolean;
  readonly hasBody: boolean;
  /** An attempt is due now, or somebody makes it. */
  readonly isUnderWay: boolean;
}

const findResendableDelivery = statement(
  "find_resendable_delivery",
  `select d.endpoint_number as "endpointNumber",
          coalesce(w.url is not null and w.disabled_at is null, false) as "isOn",
          d.body is not null as "hasBody",
          coalesce(o.due_at <= now() or o.leased_until > now(), false) as "isUnderWay"
     from webhook_deliveries d
     left join webhook_endpoints w
       on w.bucket = d.bucket and w.merchant_id = d.merchant_id and w.endpoint_number = d.endpoint_number
     left join webhook_outbox o
       on o.lane = any (array['event', 'manual', 'slow', 'later'])
      and o.bucket = d.bucket
      and o.merchant_id = d.merchant_id
      and o.mode = d.mode
      and o.endpoint_number = d.endpoint_number
      and o.delivery_id = d.id
    where d.bucket = $1 and d.merchant_id = $2 and d.mode = $3 and d.id = $4`,
);

/** What decides whether a delivery can be sent again; null when the wallet has no such delivery. */
export async function findResendable(db: Queryable, wallet: WalletKey, id: DeliveryId): Promise<Resendable | null> {
  const [row] = await db.query<Resendable>(findResendableDelivery, [...keyOf(wallet), id]);
  return row ?? null;
}

const resendDelivery = statement(
  "resend_webhook_delivery",
  "select resent from resend_webhook_delivery($1, $2, $3, $4, $5) as r (resent)",
);

/** Makes a delivery due now. Locks its log. @returns false when it is already, or an attempt is under way */
export async function insertResend(
  db: Queryable,
  wallet: WalletKey,
  { endpointNumber, id }: { readonly endpointNumber: number; readonly id: DeliveryId },
): Promise<boolean> {
  const [row] = await db.query<{ resent: boolean }>(resendDelivery, [...keyOf(wallet), endpointNumber, id]);
  return row?.resent === true;
}

const recoverDeliveries = statement(
  "recover_webhook_deliveries",
  `select looked, recovered, last_id as "lastId"
     from recover_webhook_deliveries($1, $2, $3, $4, $5)`,
);

/** What one look at a wallet's deliveries came to. */
interface Recovered {
  readonly looked: number;
  readonly recovered: number;
  /** The last that was looked at; null when there was none. */
  readonly lastId: DeliveryId | null;
}

/** Makes those due now that failed, of the next `limit` deliveries behind `after`. */
export async function recoverFailed(
  db: Queryable,
  wallet: WalletKey,
  after: DeliveryId,
  limit: number,
): Promise<Recovered> {
  const [row] = await db.query<Recovered>(recoverDeliveries, [...keyOf(wallet), after, limit]);
  return row ?? { looked: 0, recovered: 0, lastId: null };
}
