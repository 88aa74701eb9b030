import { randomBytes } from "node:crypto";
import type { DeliveryId } from "../../src/domain/webhooks/events/event.ts";
import { deliveryIdMinter, type EventName, eventBody } from "../../src/domain/webhooks/events/event.ts";
import type { NewAttempt } from "../../src/domain/webhooks/log/attempt.ts";
import { insertAllOwed } from "../../src/domain/webhooks/log/delivery-queries.ts";
import type { Reference, WalletKey } from "../../src/kernel/ids.ts";
import type { WebhookOptions } from "../../src/main/services/webhook-services.ts";
import { arrayOf, type Database, type Queryable, statement } from "../../src/platform/database/database.ts";
import { secretBox } from "../../src/platform/sealing/secret-box.ts";

const testKey = Buffer.alloc(32, 7);
export const testSecretBox = secretBox([testKey]);
/** For processes that share a test app's database. */
export const testEncryptionKey = testKey.toString("base64");

/** As in production, but that every name has one public address: tests ask no name server. */
export const testWebhooks: WebhookOptions = {
  secretBox: testSecretBox,
  allowPrivate: false,
  keptDays: 30,
  resolveName: async () => ({ kind: "addresses", addresses: ["93.184.215.14"] }),
};

export const mintDeliveryId: () => DeliveryId = deliveryIdMinter({
  clock: { now: () => Date.now() },
  randomness: randomBytes,
});

const testEventId = "evt_0000000000000s";

let subjects = 0n;

/** A delivery as a settled purchase leaves it: stored, and due now. */
export async function enqueueEvent(
  database: Database,
  wallet: WalletKey,
  given: { readonly event?: EventName; readonly reference?: string | null; readonly subjectId?: bigint } = {},
): Promise<DeliveryId> {
  const { event = "transaction.successful", reference = "order-1", subjectId = ++subjects } = given;
  const deliveryId = mintDeliveryId();
  const sentAt = "2026-11-20T14:03:09+01:00";
  const body = eventBody({ event, mode: wallet.mode, eventId: testEventId, deliveryId, sentAt, data: { reference } });
  const subject = reference === null ? null : { reference: reference as Reference, subjectId };
  const about = { isExample: event === "webhook.test", ...(subject ?? { reference: null, subjectId: null }) };
  await insertAllOwed(database, [{ wallet, event: { endpointNumber: 1, deliveryId, event, body, ...about } }], "event");
  if (subject === null) return deliveryId;
  const { bucket, merchantId, mode } = wallet;
  await database.query(updateTold, [bucket, merchantId, mode, subject.subjectId, deliveryId]);
  return deliveryId;
}

const updateTold = statement(
  "update_test_purchase_told",
  `update purchases p
      set delivery_id = $5
    where p.bucket = $1 and p.merchant_id = $2 and p.mode = $3 and p.id = $4 and p.id > 0`,
);

const insertOwedDeliveries = statement(
  "insert_many_webhook_deliveries",
  `with told as (
     insert into webhook_deliveries (bucket, merchant_id, mode, id, event, reference, subject_id, body)
     select $1, $2, $3, i.id, $4, i.id::text, i.subject_id, i.body
       from unnest($5::uuid[], $6::text[], $7::bigint[]) as i (id, body, subject_id)
   )
   insert into webhook_outbox (bucket, merchant_id, mode, delivery_id)
   select $1, $2, $3, i.id
     from unnest($5::uuid[]) as i (id)`,
);

/** So many deliveries of one wallet in one commit, each of a reference of its own. */
export async function oweMany(database: Database, wallet: WalletKey, count: number): Promise<readonly DeliveryId[]> {
  const ids = Array.from({ length: count }, () => mintDeliveryId());
  const sentAt = "2026-11-20T14:03:09+01:00";
  const event = "transaction.successful";
  const bodyOf = (id: DeliveryId) =>
    eventBody({ event, mode: wallet.mode, eventId: testEventId, deliveryId: id, sentAt, data: { reference: id } });
  const { bucket, merchantId, mode } = wallet;
  const subjectIds = ids.map(() => ++subjects);
  const columns = [arrayOf(ids), arrayOf(ids.map(bodyOf)), arrayOf(subjectIds)];
  await database.query(insertOwedDeliveries, [bucket, merchantId, mode, event, ...columns]);
  return ids;
}

const recordAttempts = statement(
  "record_webhook_attempts",
  `select ordinal, id
     from record_webhook_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
);

/** Logs attempts in one commit and numbers them. Locks their logs. @returns their ids, in order */
export async function insertAttempts(db: Queryable, attempts: readonly NewAttempt[]): Promise<bigint[]> {
  const column = (read: (attempt: NewAttempt) => string | number | boolean | null) => arrayOf(attempts.map(read));
  const rows = await db.query<{ id: bigint }>(recordAttempts, [
    column(({ wallet }) => wallet.bucket),
    column(({ wallet }) => wallet.merchantId),
    column(({ wallet }) => wallet.mode),
    column(({ endpointNumber }) => endpointNumber),
    column(({ deliveryId }) => deliveryId),
    column(({ attempt }) => attempt),
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
  return rows.map((row) => row.id);
}

/** Logs an attempt, a success unless told otherwise. What is owed stays as it is. */
export async function logAttempt(
  database: Database,
  wallet: WalletKey,
  deliveryId: DeliveryId,
  given: Partial<NewAttempt> = {},
): Promise<bigint> {
  const [id] = await insertAttempts(database, [
    {
      wallet,
      endpointNumber: 1,
      deliveryId,
      attempt: 1,
      event: "transaction.successful",
      url: "https://example.com/hook",
      urlVersion: 1,
      successful: true,
      httpStatus: 200,
      durationMs: 87,
      error: null,
      errorDetail: null,
      responseBody: "OK",
      ...given,
    },
  ]);
  if (id === undefined) throw new Error("the merchant has no log: set its webhook first");
  return id;
}
