import { randomBytes } from "node:crypto";
import { updateFinished } from "../../src/domain/webhooks/delivery/lease-queries.ts";
import type { DeliveryId } from "../../src/domain/webhooks/events/event.ts";
import { deliveryIdMinter, type EventName, eventBody } from "../../src/domain/webhooks/events/event.ts";
import type { NewAttempt } from "../../src/domain/webhooks/log/attempt.ts";
import { insertDeliveries } from "../../src/domain/webhooks/log/delivery-queries.ts";
import { type Reference, type WalletKey, walletIdOf } from "../../src/kernel/ids.ts";
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
  await insertDeliveries(
    database,
    [{ wallet, event: { endpointNumber: 1, deliveryId, event, body, ...about } }],
    "event",
  );
  if (subject === null) return deliveryId;
  await database.query(updateAnnounced, [walletIdOf(wallet), subject.subjectId, deliveryId]);
  return deliveryId;
}

const updateAnnounced = statement(
  "update_test_purchase_announced",
  `update purchases p
      set delivery_id = $3
    where p.wallet_id = $1 and p.id = $2`,
);

const insertDeliveriesSql = statement(
  "insert_many_webhook_deliveries",
  `with told as (
     insert into webhook_deliveries (wallet_id, id, event, reference, subject_id, body)
     select $1, i.id, $2, i.id::text, i.subject_id, i.body
       from unnest($3::uuid[], $4::text[], $5::bigint[]) as i (id, body, subject_id)
   )
   insert into webhook_outbox (wallet_id, delivery_id)
   select $1, i.id
     from unnest($3::uuid[]) as i (id)`,
);

/** So many deliveries of one wallet in one commit, each of a reference of its own. */
export async function enqueueMany(
  database: Database,
  wallet: WalletKey,
  count: number,
): Promise<readonly DeliveryId[]> {
  const ids = Array.from({ length: count }, () => mintDeliveryId());
  const sentAt = "2026-11-20T14:03:09+01:00";
  const event = "transaction.successful";
  const bodyOf = (id: DeliveryId) =>
    eventBody({ event, mode: wallet.mode, eventId: testEventId, deliveryId: id, sentAt, data: { reference: id } });
  const subjectIds = ids.map(() => ++subjects);
  const columns = [arrayOf(ids), arrayOf(ids.map(bodyOf)), arrayOf(subjectIds)];
  await database.query(insertDeliveriesSql, [walletIdOf(wallet), event, ...columns]);
  return ids;
}

const enqueueByHand = statement(
  "insert_test_webhook_outbox",
  `insert into webhook_outbox (wallet_id, endpoint_number, delivery_id, lane, attempts)
   select i.wallet_id, i.endpoint_number, i.delivery_id, 'manual', i.attempt - 1
     from unnest($1::integer[], $2::integer[], $3::uuid[], $4::integer[])
            as i (wallet_id, endpoint_number, delivery_id, attempt)
       on conflict do nothing`,
);

const listAttemptIds = statement(
  "list_test_webhook_attempt_ids",
  `select a.id
     from unnest($1::integer[], $2::integer[], $3::uuid[], $4::integer[])
            with ordinality as i (wallet_id, endpoint_number, delivery_id, attempt, nth)
     join webhook_attempts a
       on a.wallet_id = i.wallet_id and a.delivery_id = i.delivery_id and a.attempt = i.attempt
    order by i.nth`,
);

/**
 * Logs attempts in one commit, each as one that somebody asked for by hand. What is owed beside stays as it is.
 * @returns their ids, in order
 */
export async function insertAttempts(db: Queryable, attempts: readonly NewAttempt[]): Promise<bigint[]> {
  const keys = [
    arrayOf(attempts.map(({ wallet }) => walletIdOf(wallet))),
    arrayOf(attempts.map(({ endpointNumber }) => endpointNumber)),
    arrayOf(attempts.map(({ deliveryId }) => deliveryId)),
    arrayOf(attempts.map(({ attempt }) => attempt)),
  ];
  await db.query(enqueueByHand, keys);
  await updateFinished(
    db,
    attempts.map((attempt) => ({ ...attempt, lane: "manual", epoch: 0, waitMs: null })),
  );
  return (await db.query<{ id: bigint }>(listAttemptIds, keys)).map(({ id }) => id);
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
