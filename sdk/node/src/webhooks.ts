import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookEvent } from "./generated/types.ts";

/** Base64 in whole groups of four: what was cut, or copied with a blank, is no secret. */
const secretShape = /^whsec_((?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** The headers of a request, as Node, `fetch` or a framework holds them. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How old or early a message may be; 300 unless set. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the clock unless set. */
  readonly now?: number;
}

/** Why a message is not one of ours, in `reason` for programs and in the message for people. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: "headers" | "timestamp" | "signature" | "body" | "secret";

  constructor(reason: WebhookVerificationError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The event in a webhook, once its signature is verified over the raw bytes. `secrets`: the endpoint's secret, or during
 * a rotation both. Skip what you have seen: `delivery_id` is the same on every try, `event_id` at every endpoint.
 * @throws WebhookVerificationError
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  const bytes = bytesOf(body);
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError("headers", "webhook-id, webhook-timestamp or webhook-signature is missing.");
  }
  checkAge(timestamp, options);
  const expected = [secrets].flat().map((secret) => Buffer.from(signatureOf(secret, { id, timestamp, body: bytes })));
  const isOurs = signatures.split(" ").some((text) => {
    const given = Buffer.from(text);
    return expected.some((each) => each.length === given.length && timingSafeEqual(each, given));
  });
  if (!isOurs) {
    throw new WebhookVerificationError(
      "signature",
      "No signature matches. Use the endpoint's present secret, and the raw bytes of the body as they came.",
    );
  }
  const event = parsed(bytes.toString("utf8"));
  if (event === null) throw new WebhookVerificationError("body", "The body is signed, but it isn't a JSON object.");
  return event as WebhookEvent;
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function checkAge(timestamp: string, { toleranceSeconds = 300, now = Date.now() }: VerifyOptions): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const off = now / 1000 - seconds;
  if (Math.abs(off) <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    "timestamp",
    Number.isNaN(off)
      ? "webhook-timestamp isn't a number of seconds."
      : `The message is ${Math.round(Math.abs(off))} seconds ${off > 0 ? "old" : "early"}. Check this machine's clock.`,
  );
}

/** A string was decoded, which keeps UTF-8 whole; anything that was parsed and written again is other bytes. */
function bytesOf(body: string | Uint8Array): Buffer {
  if (typeof body === "string") return Buffer.from(body, "utf8");
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new WebhookVerificationError("body", "The body was parsed already. Hand over its raw bytes.");
}

function headerOf(headers: HeadersLike, name: string): string | null {
  if (typeof headers.get === "function") return headers.get(name);
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return typeof value === "string" ? value : (value?.[0] ?? null);
  }
  return null;
}

/** One signature, `v1,…`. @throws WebhookVerificationError for what is no secret */
export function signatureOf(
  secret: string,
  message: { readonly id: string; readonly timestamp: string; readonly body: string | Uint8Array },
): string {
  const key = secretShape.exec(secret)?.[1];
  if (key === undefined) {
    throw new WebhookVerificationError("secret", "A webhook secret is whsec_ and base64, whole and without blanks.");
  }
  const hmac = createHmac("sha256", Buffer.from(key, "base64"));
  return `v1,${hmac.update(`${message.id}.${message.timestamp}.`).update(message.body).digest("base64")}`;
}
