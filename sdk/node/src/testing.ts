import { randomBytes, randomUUID } from "node:crypto";
import type { WebhookEvent } from "./generated/types.ts";
import { signatureOf } from "./webhooks.ts";

/** A webhook as the service would send it, for the tests of your receiver. */
export interface SignedWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A secret of the right shape. */
export function testSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Signs an event: `data` and `event` are yours, what is left out is made up. */
export function signWebhook(
  event: Pick<WebhookEvent, "event" | "data"> & Partial<WebhookEvent>,
  { secret, now = Date.now() }: { readonly secret: string; readonly now?: number },
): SignedWebhook {
  const id = event.delivery_id ?? randomUUID();
  const timestamp = String(Math.floor(now / 1000));
  const body = JSON.stringify({
    mode: "test",
    event_id: `evt_${id.replaceAll("-", "").slice(0, 14)}`,
    sent_at: new Date(now).toISOString(),
    ...event,
    delivery_id: id,
  });
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatureOf(secret, { id, timestamp, body }),
  };
  return { body, headers };
}
