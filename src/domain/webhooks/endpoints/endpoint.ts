import { createHmac } from "node:crypto";
import { assert } from "../../../kernel/assert.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { type SecretBox, Unopenable } from "../../../platform/sealing/secret-box.ts";
import type { Randomness } from "../../merchants/key-format.ts";
import type { DeliveryId, EventName } from "../events/event.ts";

/** The merchant that an endpoint belongs to. */
export interface EndpointOwner {
  readonly merchantId: MerchantId;
}

/** Names one endpoint of a merchant. Its number is never given to another one, not even after its removal. */
export interface EndpointKey extends EndpointOwner {
  readonly endpointNumber: number;
}

/** The endpoint that `PUT /webhook` sets. */
export const firstEndpointNumber = 1;

export function firstEndpointOf({ merchantId }: EndpointOwner): EndpointKey {
  return { merchantId, endpointNumber: firstEndpointNumber };
}

/** An endpoint as one text, for what this process keeps in maps. The claim of deliveries reads it as well. */
export function endpointName({ merchantId, endpointNumber }: EndpointKey): string {
  return `${merchantId}/${endpointNumber}`;
}

/** How many a merchant may have at one time. */
export const endpointsMax = 5;

/** `changes`: when a purchase that was answered as pending ends. `all`: also what was final in its own response. */
export const notifications = ["changes", "all"] as const;
export type Notify = (typeof notifications)[number];

/** The mode whose events an endpoint gets. */
export const endpointModes = ["live", "test", "both"] as const;
export type EndpointMode = (typeof endpointModes)[number];

/** merchant: switched off by hand; gone: it answered 410; failing: it failed for days. */
export const disabledReasons = ["merchant", "gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Where a merchant wants its events, and which. Secrets are sealed. */
export interface Endpoint {
  readonly endpointNumber: number;
  /** Up to its query; null: no webhook is set. `wholeUrl` puts the two together. */
  readonly url: string | null;
  /** The rest of the URL from its question mark on, sealed; null where it has none. */
  readonly urlQuery: string | null;
  /** Raised by every other URL: says which one an attempt went to. */
  readonly urlVersion: number;
  readonly mode: EndpointMode;
  /** The merchant's own words. */
  readonly description: string | null;
  /** `["*"]`: all of them. */
  readonly events: readonly (EventName | "*")[];
  readonly notify: Notify;
  readonly secret: string | null;
  readonly secretHint: string | null;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAt: Instant | null;
  readonly disabledAt: Instant | null;
  readonly disabledReason: DisabledReason | null;
  readonly updatedAt: Instant;
}

/** The merchant's endpoint of this number; null when it has none. */
export function endpointOfNumber(endpoints: readonly Endpoint[], endpointNumber: number): Endpoint | null {
  return endpoints.find((endpoint) => endpoint.endpointNumber === endpointNumber) ?? null;
}

/** Whether its URL is set and nobody switched it off. */
export function isOn(endpoint: Endpoint | null): boolean {
  return endpoint !== null && endpoint.url !== null && endpoint.disabledAt === null;
}

/** Whether anything of this mode is sent there. */
export function isOnFor(mode: Mode, endpoint: Endpoint | null): boolean {
  return isOn(endpoint) && (endpoint?.mode === "both" || endpoint?.mode === mode);
}

/** How a merchant could learn of something without a webhook: not at all, or from the response to its own request. */
export type How = "changed" | "final_in_own_response";

/** Something that an endpoint may want to hear of. */
export interface Announcement {
  readonly mode: Mode;
  readonly event: EventName;
  readonly how: How;
}

/** Whether the endpoint wants an event of this name and mode that came about so. */
export function wants(endpoint: Endpoint, { mode, event, how }: Announcement): boolean {
  if (!isOnFor(mode, endpoint)) return false;
  if (how === "final_in_own_response" && endpoint.notify !== "all") return false;
  return endpoint.events.includes("*") || endpoint.events.includes(event);
}

export const endpointIdPattern = "^whe_[0-9a-z]{2,20}$";

/** Letters that stand between the two numbers; base 30 writes none of them. */
const between = "x";
const base = 30;

/** The public name of an endpoint. Follows from its key, so that the log can name one that was removed. */
export function formatEndpointId({ merchantId, endpointNumber }: EndpointKey): string {
  return `whe_${merchantId.toString(base)}${between}${endpointNumber.toString(base)}`;
}

/** The number of this merchant's endpoint; null for another merchant's, and for what is no id. */
export function parseEndpointId(text: string, { merchantId }: Pick<EndpointKey, "merchantId">): number | null {
  const endpointNumber = Number.parseInt(text.slice(text.indexOf(between) + 1), base);
  if (!(endpointNumber > 0 && endpointNumber <= 2_147_483_647)) return null;
  return formatEndpointId({ merchantId, endpointNumber }) === text ? endpointNumber : null;
}

type UrlBox = Pick<SecretBox, "open">;

/** A URL up to its query, and the rest: people put tokens into queries, so that part is stored sealed. */
export function splitUrl(text: string): { readonly url: string; readonly query: string | null } {
  const at = text.indexOf("?");
  return at === -1 ? { url: text, query: null } : { url: text.slice(0, at), query: text.slice(at) };
}

/**
 * The URL as it was saved; null where none is set. For its merchant and for the request to it: logs, metrics and operators
 * see `endpoint.url`. @throws Unopenable when the query is sealed under a key that is not ours
 */
export function wholeUrl(
  secretBox: UrlBox,
  key: EndpointKey,
  endpoint: Pick<Endpoint, "url" | "urlQuery">,
): string | null {
  const { url, urlQuery } = endpoint;
  if (url === null || urlQuery === null) return url;
  return url + secretBox.open(urlQuery, secretIdentity(key));
}

/** The same for an answer, which tells the URL without its query where the key to that is lost. */
export function printableUrl(
  secretBox: UrlBox,
  key: EndpointKey,
  endpoint: Pick<Endpoint, "url" | "urlQuery">,
): string | null {
  try {
    return wholeUrl(secretBox, key, endpoint);
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    return endpoint.url;
  }
}

const secretBytes = 32;

/** A secret just made: shown once, stored sealed. */
export interface MintedSecret {
  readonly text: string;
  readonly sealed: string;
  /** Enough to tell two secrets apart by, and no more. */
  readonly hint: string;
}

export type MintSecret = (key: EndpointKey) => MintedSecret;

/** Makes webhook secrets: `whsec_` and 32 random bytes in base64. */
export function secretMinter(options: { readonly randomness: Randomness; readonly secretBox: SecretBox }): MintSecret {
  return (key) => {
    const text = secretPrefix + Buffer.from(options.randomness(secretBytes)).toString("base64");
    const sealed = options.secretBox.seal(text, secretIdentity(key));
    return { text, sealed, hint: `${secretPrefix}…${text.slice(-4)}` };
  };
}

/** The secret as it was shown. @throws Unopenable when it was sealed under a key that is not ours, or for another */
export function openSecret(secretBox: SecretBox, key: EndpointKey, sealed: string): string {
  return secretBox.open(sealed, secretIdentity(key));
}

/**
 * Names the row, not the column: a rotation moves the secret to the place of the previous one. The first endpoint's
 * name has no number, as its secrets were sealed before there were others.
 */
export function secretIdentity(key: EndpointKey): string {
  const name = key.endpointNumber === firstEndpointNumber ? String(key.merchantId) : endpointName(key);
  return `webhook_endpoints/${name}`;
}

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
