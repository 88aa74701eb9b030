import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { firstEndpointOf, secretMinter } from "../../src/domain/webhooks/endpoints/endpoint.ts";
import { deliveryIdMinter, eventBody } from "../../src/domain/webhooks/events/event.ts";
import type { MerchantId } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { arrayOf, type Database, type Queryable, statement } from "../../src/platform/database/database.ts";
import { systemClock } from "./merchants.ts";
import type { ReceiverFigures } from "./receiver.ts";
import { rigSecretBox, type Server } from "./service.ts";

/** Merchants with an endpoint each, of one group and one mode: see receiver.ts. */
export interface EndpointGroup {
  readonly group: string;
  readonly mode: Mode;
  readonly merchantIds: readonly number[];
}

export const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

const mintDeliveryId = deliveryIdMinter({ clock: systemClock, randomness: randomBytes });

const insertEndpoints = statement(
  "insert_rig_endpoints",
  `with endpoint as (
     insert into webhook_endpoints (merchant_id, url, secret, secret_hint)
     select i.merchant_id, i.url, i.secret, 'whsec_…'
       from unnest($1::integer[], $2::text[], $3::text[]) as i (merchant_id, url, secret)
     returning merchant_id
   )
   insert into webhook_logs (wallet_id)
   select w.wallet_id
     from endpoint e
    cross join lateral (values (e.merchant_id), (-e.merchant_id)) as w (wallet_id)`,
);
const bumpWebhooks = statement(
  "update_rig_revision",
  `update revisions
      set revision = revision + 1
    where subject = 'webhooks'`,
);

/** Gives the merchants of a group their endpoints at the receiver. */
export async function createEndpoints(database: Database, { url }: Server, { group, merchantIds }: EndpointGroup) {
  const mintSecret = secretMinter({ randomness: randomBytes, secretBox: rigSecretBox });
  const secretOf = (id: number) => firstEndpointOf({ merchantId: id as MerchantId });
  await database.query(insertEndpoints, [
    arrayOf(merchantIds),
    arrayOf(merchantIds.map((id) => `${url}/${group}/${id}`)),
    arrayOf(merchantIds.map((id) => mintSecret(secretOf(id)).sealed)),
  ]);
  await database.query(bumpWebhooks);
}

const insertDue = statement(
  "insert_rig_deliveries",
  `with told as (
     insert into webhook_deliveries (wallet_id, id, event, reference, subject_id, body)
     select i.wallet_id, i.id, 'transaction.successful', i.id::text, i.subject_id, i.body
       from unnest($1::integer[], $2::uuid[], $3::text[], $4::bigint[]) as i (wallet_id, id, body, subject_id)
   )
   insert into webhook_outbox (wallet_id, delivery_id, due_at)
   select i.wallet_id, i.id, now() - make_interval(secs => $5)
     from unnest($1::integer[], $2::uuid[]) as i (wallet_id, id)`,
);

/** An event for a merchant's endpoint. */
export interface DueDelivery {
  readonly merchantId: number;
  readonly mode: Mode;
}

/** What a transaction's event has in it: some 1.3 kB, as the service's own have. */
const padding = "x".repeat(1_050);

/** Each event is another purchase's. */
let subjects = 0;

/** Owes these events, in one statement, as if for so many seconds. */
export async function enqueue(database: Queryable, enqueued: readonly DueDelivery[], forSeconds = 0): Promise<void> {
  const ids = enqueued.map(() => mintDeliveryId());
  const bodies = ids.map((deliveryId, index) =>
    eventBody({
      event: "transaction.successful",
      mode: enqueued[index]?.mode ?? "test",
      eventId: "evt_0000000000000s",
      deliveryId,
      sentAt: "2026-11-20T14:03:09+01:00",
      data: { reference: deliveryId, padding },
    }),
  );
  await database.query(insertDue, [
    arrayOf(enqueued.map(({ merchantId, mode }) => (mode === "live" ? merchantId : -merchantId))),
    arrayOf(ids),
    arrayOf(bodies),
    arrayOf(ids.map(() => ++subjects)),
    forSeconds,
  ]);
}

/** Makes events by a number that grows, and says how many come a second. */
export interface SteadyLoad {
  readonly rate: number;
  readonly deliveriesBy: (index: number) => readonly DueDelivery[];
}

/** A group's merchants in turns. */
export function inTurns({ mode, merchantIds }: EndpointGroup): SteadyLoad["deliveriesBy"] {
  return (index) => [{ merchantId: merchantIds[index % merchantIds.length] ?? 0, mode }];
}

const tickMs = 20;

/** Owes events at these rates, in small commits. @returns how often each load came, in their order */
export async function enqueueSteadily(
  database: Database,
  loads: readonly SteadyLoad[],
  seconds: number,
): Promise<readonly number[]> {
  const enqueued = loads.map(() => 0);
  const startedMs = performance.now();
  for (let nowMs = startedMs; nowMs < startedMs + seconds * 1_000; nowMs = performance.now()) {
    const batch = loads.flatMap(({ rate, deliveriesBy }, index) => {
      const before = enqueued[index] ?? 0;
      const due = Math.floor(((nowMs - startedMs) * rate) / 1_000) - before;
      enqueued[index] = before + due;
      return Array.from({ length: due }, (_, n) => deliveriesBy(before + n)).flat();
    });
    if (batch.length > 0) await enqueue(database, batch);
    await delay(tickMs);
  }
  return enqueued;
}

/** What the receiver counted since it was last asked. */
export async function figuresOf({ url }: Server): Promise<ReceiverFigures> {
  return (await (await fetch(`${url}/figures`)).json()) as ReceiverFigures;
}
