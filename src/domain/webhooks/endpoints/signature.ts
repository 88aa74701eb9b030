import { createHmac } from "node:crypto";
import { assert } from "../../../kernel/assert.ts";
import type { DeliveryId } from "../events/event.ts";

/** Secrets are told as `whsec_` and the key's bytes in base64, as Standard Webhooks wants it. */
export const secretPrefix = "whsec_";

interface SignatureHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * The headers that prove where a webhook comes from (standardwebhooks.com, symmetric): one HMAC-SHA256 per secret over
 * `id.timestamp.body`. Two secrets after a rotation, so that the receiver may know either.
 * `body` must be the bytes that are sent; `timestampSeconds` is when this attempt is made.
 */
export function signatureHeaders(
  message: { readonly id: DeliveryId; readonly timestampSeconds: number; readonly body: string },
  secrets: readonly string[],
): SignatureHeaders {
  assert(secrets.length > 0, "a webhook is signed");
  assert(Number.isInteger(message.timestampSeconds), "a signature's time is in whole seconds");
  const timestamp = String(message.timestampSeconds);
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", keyOf(secret)).update(signed).digest("base64")}`,
  );
  return { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

function keyOf(secret: string): Buffer {
  assert(secret.startsWith(secretPrefix), "a webhook secret begins with whsec_");
  return Buffer.from(secret.slice(secretPrefix.length), "base64");
}
