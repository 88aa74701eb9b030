import { randomBytes } from "node:crypto";
import { firstEndpointOf } from "../src/domain/webhooks/endpoints/endpoint.ts";
import { secretMinter } from "../src/domain/webhooks/endpoints/secret.ts";
import { deliveryIdMinter, eventBody, type MintDeliveryId } from "../src/domain/webhooks/events/event.ts";
import { type Bucket, bucketCount, type MerchantId } from "../src/kernel/ids.ts";
import { arrayOf, type Database, type Queryable, statement } from "../src/platform/database/database.ts";
import { secretBox } from "../src/platform/sealing/secret-box.ts";

/** The service is given the same, so that it can read the secrets that are made here. */
export const encryptionKey = Buffer.alloc(32, 9);

const mintDeliveryId: MintDeliveryId = deliveryIdMinter({ clock: { now: () => Date.now() }, randomness: randomBytes });

const insertEndpoints = statement(
  "insert_bench_endpoints",
  `with endpoint as (
     insert into webhook_endpoints (bucket, merchant_id, url, secret, secret_hint)
     select i.merchant_id % $4, i.merchant_id, i.url, i.secret, 'whsec_…'
       from unnest($1::integer[], $2::text[], $3::text[]) as i (merchant_id, url, secret)
         on conflict (bucket, merchant_id, endpoint_number)
         do update set url = excluded.url, secret = excluded.secret
     returning bucket, merchant_id
   )
   insert into webhook_logs (bucket, merchant_id, mode)
   select e.bucket, e.merchant_id, 'live'
     from endpoint e
       on conflict (bucket, merchant_id, mode) do nothing`,
);
export const bumpWebhooks = statement(
  "update_bench_revision",
  `update revisions
      set revision = revision + 1
    where subject = 'webhooks'`,
);

/** Merchants from 1 on with a webhook each; what it does is the receiver's business: see webhook-receiver.ts. */
export async function createEndpoints(
  database: Database,
  count: number,
  port: number,
  kindOf: (merchantId: number) => "hook" | "hole" | "refuser",
): Promise<void> {
  const mintSecret = secretMinter({ randomness: randomBytes, secretBox: secretBox([encryptionKey]) });
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  await database.query(insertEndpoints, [
    arrayOf(ids),
    arrayOf(ids.map((id) => `http://127.0.0.1:${port}/${kindOf(id)}/${id}`)),
    arrayOf(ids.map((id) => mintSecret(firstEndpointOf({ bucket: 0 as Bucket, merchantId: id as MerchantId })).sealed)),
    bucketCount,
  ]);
  await database.query(bumpWebhooks);
}

const insertOwed = statement(
  "insert_bench_deliveries",
  `with told as (
     insert into webhook_deliveries (bucket, merchant_id, mode, id, event, reference, subject_id, body)
     select i.merchant_id % $4, i.merchant_id, 'live', i.id, 'transaction.successful', i.id::text, i.subject_id, i.body
       from unnest($1::integer[], $2::uuid[], $3::text[], $5::bigint[])
              as i (merchant_id, id, body, subject_id)
   )
   insert into webhook_outbox (bucket, merchant_id, mode, delivery_id)
   select i.merchant_id % $4, i.merchant_id, 'live', i.id
     from unnest($1::integer[], $2::uuid[]) as i (merchant_id, id)`,
);

/** Each event is another purchase's. */
let subjects = 0;

/** What a transaction's event has in it: some 1.3 kB, as the service's own have. */
const padding = "x".repeat(1_050);

/** Owes one event to each of these merchants, in one statement. */
export async function enqueueEvent(database: Queryable, merchantIds: readonly number[]): Promise<void> {
  const ids = merchantIds.map(() => mintDeliveryId());
  const bodies = ids.map((deliveryId) =>
    eventBody({
      event: "transaction.successful",
      mode: "live",
      eventId: "evt_0000000000000s",
      deliveryId,
      sentAt: "2026-11-20T14:03:09+01:00",
      data: { owed_at: Date.now(), reference: deliveryId, padding },
    }),
  );
  await database.query(insertOwed, [
    arrayOf(merchantIds),
    arrayOf(ids),
    arrayOf(bodies),
    bucketCount,
    arrayOf(ids.map(() => ++subjects)),
  ]);
}

const chunk = 5_000;

/** Owes what so many bring, at one moment: they are seen when the transaction commits. */
export async function oweBacklog(database: Database, count: number, merchantsOf: (index: number) => readonly number[]) {
  await database.transaction(async (tx) => {
    for (let from = 0; from < count; from += chunk) {
      const size = Math.min(chunk, count - from);
      await enqueueEvent(tx, Array.from({ length: size }, (_, index) => merchantsOf(from + index)).flat());
    }
  });
}

const sumAttempts = statement(
  "count_bench_attempts",
  `select coalesce(sum(attempts), 0)::integer as attempts,
          coalesce(sum(attempts) filter (where successful), 0)::integer as successful
     from webhook_attempt_counts`,
);

/** What the log holds. */
export async function countLogged(database: Database): Promise<{ attempts: number; successful: number }> {
  const [row] = await database.query<{ attempts: number; successful: number }>(sumAttempts);
  return row ?? { attempts: 0, successful: 0 };
}

const emptyOutbox = statement("delete_bench_outbox", "delete from webhook_outbox where true");

/** Forgets what is still owed, to begin a phase with nothing. */
export async function dropPending(database: Database): Promise<void> {
  await database.query(emptyOutbox);
}
