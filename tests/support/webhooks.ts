import { randomBytes } from "node:crypto";
import { insertAttempts, type NewAttempt } from "../../src/domain/webhooks/attempt-queries.ts";
import { insertOwed } from "../../src/domain/webhooks/delivery-queries.ts";
import type { DeliveryId } from "../../src/domain/webhooks/event.ts";
import { deliveryIdMinter, type EventName, eventBody } from "../../src/domain/webhooks/event.ts";
import type { Reference, WalletKey } from "../../src/kernel/ids.ts";
import type { WebhookOptions } from "../../src/main/webhook-services.ts";
import type { Database } from "../../src/platform/database.ts";
import { secretBox } from "../../src/platform/secret-box.ts";

export const testSecretBox = secretBox([Buffer.alloc(32, 7)]);

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

let subjects = 0n;

/** A delivery as a settled purchase leaves it: stored, and due now. */
export async function owe(
  database: Database,
  wallet: WalletKey,
  given: { readonly event?: EventName; readonly reference?: string | null } = {},
): Promise<DeliveryId> {
  const { event = "transaction.successful", reference = "order-1" } = given;
  const deliveryId = mintDeliveryId();
  subjects += 1n;
  const sentAt = "2026-11-20T14:03:09+01:00";
  const body = eventBody({ event, mode: wallet.mode, deliveryId, sentAt, data: { reference } });
  const subject = reference === null ? null : { reference: reference as Reference, subjectId: subjects };
  await insertOwed(
    database,
    wallet,
    { deliveryId, event, body, ...(subject ?? { reference: null, subjectId: null }) },
    "event",
  );
  return deliveryId;
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
      deliveryId,
      attempt: 1,
      event: "transaction.successful",
      url: "https://example.com/hook",
      successful: true,
      httpStatus: 200,
      durationMs: 87,
      error: null,
      responseBody: "OK",
      ...given,
    },
  ]);
  if (id === undefined) throw new Error("the merchant has no log: set its webhook first");
  return id;
}
