import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { type SecretBox, Unopenable } from "../../platform/sealing/secret-box.ts";
import { firstDifference, respellings, type Spelling, spellingDifferences } from "./body-spelling.ts";
import {
  type Endpoint,
  type EndpointKey,
  formatEndpointId,
  openSecret,
  secretPrefix,
  signatureHeaders,
} from "./endpoints/endpoint.ts";
import { listSetEndpoints } from "./endpoints/endpoints.ts";
import type { DeliveryId } from "./events/event.ts";
import { findDelivery, findDeliveryBody } from "./log/delivery-queries.ts";

/** Older or newer timestamps are refused by the libraries of Standard Webhooks. */
export const toleranceSeconds = 300;

/** What is wrong with a webhook as it was received, or with the signature that a receiver made of it. */
export type SignatureFault =
  | { readonly kind: "id_missing" | "timestamp_missing" | "timestamp_unreadable" | "signature_missing" }
  | { readonly kind: "timestamp_old" | "timestamp_future"; readonly seconds: number }
  /** The signature stands there without `v1,`. */
  | { readonly kind: "version_missing" }
  | { readonly kind: "signature_hex" }
  /** Signed with the text after `whsec_`, not with the bytes that it means. */
  | { readonly kind: "secret_not_decoded" }
  /** Signed with `whsec_` as a part of the secret. */
  | { readonly kind: "secret_prefix_kept" }
  /** Signed without id and timestamp, or without one of them. */
  | { readonly kind: "id_not_signed" | "timestamp_not_signed" | "body_alone_signed" }
  /** Right by another secret that is known here: of a rotation, or of another endpoint. */
  | { readonly kind: "other_secret"; readonly name: string }
  | { readonly kind: "body_respelled"; readonly spellings: readonly Spelling[] }
  /** Says something else than what was sent, from this character on. */
  | { readonly kind: "body_changed"; readonly at: number }
  /** Nothing fits. Certain: the body is the one that was sent; else it may have been changed instead. */
  | { readonly kind: "wrong_secret"; readonly isCertain: boolean };

/** What a receiver has in hand, and what is known here. */
export interface Evidence {
  readonly secret: string;
  readonly headers: PastedHeaders;
  readonly body: string;
  readonly now: Instant;
  /** The body of the delivery that the id names, byte by byte; null where there is none, or it is not kept any more. */
  readonly sent: string | null;
  /** Other secrets that it may have been signed by. */
  readonly known: readonly { readonly secret: string; readonly name: string }[];
}

/** One way in which the signature may have come about; what is wrong with that way. */
interface Way<Value> {
  readonly value: Value;
  readonly faults: readonly SignatureFault[];
}

/**
 * Says why a signature fails: all faults that together explain it, none where it is right. Tries what receivers do wrong
 * and looks which of it makes the very signature. Some hundred HMACs of the body at most. Pure.
 */
export function diagnoseSignature(evidence: Evidence): readonly SignatureFault[] {
  const { headers, now } = evidence;
  const missing = missingFrom(headers);
  if (missing.length > 0) return missing;
  const [id, timestamp] = [headers.id ?? "", headers.timestamp ?? ""];
  if (!/^\d{1,10}$/.test(timestamp)) return [{ kind: "timestamp_unreadable" }];
  const signatures = signaturesIn(headers.signature ?? "");
  const match = firstMatch(evidence, { id, timestamp, signatures });
  const unlikeSent = evidence.sent === null || evidence.sent !== evidence.body;
  const explained = match ?? [{ kind: "wrong_secret", isCertain: !unlikeSent }];
  return [...explained, ...ageFaults(Number(timestamp), now)];
}

function missingFrom({ id, timestamp, signature }: PastedHeaders): SignatureFault[] {
  const faults: SignatureFault[] = [];
  if (id === null) faults.push({ kind: "id_missing" });
  if (timestamp === null) faults.push({ kind: "timestamp_missing" });
  if (signature === null) faults.push({ kind: "signature_missing" });
  return faults;
}

function ageFaults(timestampSeconds: number, now: Instant): SignatureFault[] {
  const seconds = Math.floor(now / 1_000) - timestampSeconds;
  if (seconds > toleranceSeconds) return [{ kind: "timestamp_old", seconds }];
  return seconds < -toleranceSeconds ? [{ kind: "timestamp_future", seconds: -seconds }] : [];
}

interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly Way<Buffer>[];
}

/** The faults of the first way that makes one of the signatures, those with the fewest first; null where none does. */
function firstMatch(evidence: Evidence, { id, timestamp, signatures }: Signed): readonly SignatureFault[] | null {
  const bodies = bodyWays(evidence);
  const ways = keyWays(evidence).flatMap((key) =>
    // Two things that are done wrong at once are told too, as far as they are no guesses about both secret and body.
    (key.faults.length === 0 ? bodies : bodies.slice(0, 2)).flatMap((body) =>
      messageWays({ id, timestamp, body: body.value }).map((message) => ({
        key: key.value,
        text: message.value,
        faults: [...key.faults, ...body.faults, ...message.faults],
      })),
    ),
  );
  ways.sort((left, right) => left.faults.length - right.faults.length);
  for (const { key, text, faults } of ways) {
    const made = createHmac("sha256", key).update(text).digest();
    const found = signatures.find(({ value }) => value.length === made.length && timingSafeEqual(value, made));
    if (found !== undefined) return [...faults, ...found.faults];
  }
  return null;
}

/** The bytes that may have been taken for the key: the right ones first. */
function keyWays({ secret, known }: Evidence): readonly Way<Buffer>[] {
  const text = secret.trim().replace(/^["']|["']$/g, "");
  const bare = bareSecret(text);
  const others = known.filter((other) => bareSecret(other.secret) !== bare);
  return [
    { value: Buffer.from(bare, "base64"), faults: [] },
    { value: Buffer.from(bare), faults: [{ kind: "secret_not_decoded" }] },
    {
      value: Buffer.from(secretPrefix + bare),
      faults: [{ kind: "secret_prefix_kept" }, { kind: "secret_not_decoded" }],
    },
    { value: Buffer.from(secretPrefix + bare, "base64"), faults: [{ kind: "secret_prefix_kept" }] },
    ...others.map((other) => ({
      value: Buffer.from(bareSecret(other.secret), "base64"),
      faults: [{ kind: "other_secret", name: other.name } as const],
    })),
  ];
}

function bareSecret(text: string): string {
  return text.startsWith(secretPrefix) ? text.slice(secretPrefix.length) : text;
}

/** The bodies that may have been signed: as received, as sent, and as it may have been respelled. */
function bodyWays({ body, sent }: Evidence): readonly Way<string>[] {
  const unlike = sent === null || sent === body ? [] : [sent];
  const candidates = new Set([...unlike, ...respellings(body), ...unlike.flatMap((text) => respellings(text))]);
  candidates.delete(body);
  return [
    { value: body, faults: [] },
    ...[...candidates].map((signed) => ({ value: signed, faults: [bodyFault(body, signed)] })),
  ];
}

function bodyFault(received: string, signed: string): SignatureFault {
  const differences = spellingDifferences(received, signed);
  if (differences === null) return { kind: "body_changed", at: firstDifference(received, signed) };
  return { kind: "body_respelled", spellings: differences };
}

function messageWays({ id, timestamp, body }: { id: string; timestamp: string; body: string }): readonly Way<string>[] {
  return [
    { value: `${id}.${timestamp}.${body}`, faults: [] },
    { value: body, faults: [{ kind: "body_alone_signed" }] },
    { value: `${timestamp}.${body}`, faults: [{ kind: "id_not_signed" }] },
    { value: `${id}.${body}`, faults: [{ kind: "timestamp_not_signed" }] },
  ];
}

/** The signatures in a header's value, as bytes: those of the right form first. */
function signaturesIn(header: string): readonly Way<Buffer>[] {
  return header.split(/\s+/).flatMap((text) => {
    const [, version = "", value = ""] = /^(v\d+[,=:]|sha256=)?(.*)$/i.exec(text) ?? [];
    const faults: SignatureFault[] = /^v1,$/.test(version) ? [] : [{ kind: "version_missing" }];
    if (/^[0-9a-f]{64}$/i.test(value)) {
      return [{ value: Buffer.from(value, "hex"), faults: [...faults, { kind: "signature_hex" as const }] }];
    }
    return value === "" ? [] : [{ value: Buffer.from(value, "base64"), faults }];
  });
}

/** The three headers that sign a webhook, as somebody copied them; null where one is not among what was copied. */
export interface PastedHeaders {
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
}

/**
 * Reads the signed headers out of a copied text, whoever wrote it: lines of a request, a dump of an object, curl's
 * arguments, PHP's `HTTP_WEBHOOK_ID`. Pure.
 */
export function readPastedHeaders(text: string): PastedHeaders {
  return { id: headerIn(text, "id"), timestamp: headerIn(text, "timestamp"), signature: headerIn(text, "signature") };
}

function headerIn(text: string, name: string): string | null {
  const found = new RegExp(`webhook[-_]${name}["']?[\\t ]*(?:=>|[:=])[\\t ]*(.*)`, "i").exec(text);
  // No header is longer, and what is pasted may be.
  const value = (found?.[1] ?? "")
    .slice(0, 1_000)
    .trim()
    .replace(/^\[?[\s"']+/, "");
  // What a dump or a shell writes after the value: quotes, commas, brackets, a backslash.
  const bare = value.replace(/[\s"'\\,;\]})]+$/, "").replace(/["'].*$/, "");
  return bare === "" ? null : bare;
}

/** A secret that is never told: what it is called may be. */
export interface KnownSecret {
  readonly secret: string;
  readonly name: string;
}

/** All secrets of a merchant's endpoints, to see which of them made a signature. Those whose key is lost are left out. */
export async function listKnownSecrets(
  services: { readonly database: Queryable; readonly secretBox: SecretBox },
  wallet: WalletKey,
): Promise<readonly KnownSecret[]> {
  const endpoints = await listSetEndpoints(services.database, wallet);
  return endpoints.flatMap((endpoint) => {
    const key = { ...wallet, endpointNumber: endpoint.endpointNumber };
    const id = formatEndpointId(key);
    return [
      ...named(services.secretBox, key, endpoint.secret, `the present secret of ${id}, ${endpoint.secretHint}`),
      ...named(services.secretBox, key, endpoint.previousSecret, `the secret of ${id} before its last rotation`),
    ];
  });
}

/** A delivery as a receiver gets it: body and signed headers of this moment. */
export interface SignedExample {
  readonly body: string;
  readonly headers: ReturnType<typeof signatureHeaders>;
}

/**
 * A delivery of the wallet, signed anew by the present secret of its endpoint as an attempt of this moment would be. Null
 * where it is not the wallet's, its body is not kept any more, or its endpoint has no secret that opens.
 */
export async function signExample(
  services: { readonly database: Queryable; readonly secretBox: SecretBox },
  wallet: WalletKey,
  id: DeliveryId,
  now: Instant,
): Promise<SignedExample | null> {
  const delivery = await findDelivery(services.database, wallet, id);
  const body = await findDeliveryBody(services.database, wallet, id);
  if (delivery === null || body === null) return null;
  const endpoint = (await listSetEndpoints(services.database, wallet)).find(isItsOwn(delivery.endpointNumber));
  const key = { ...wallet, endpointNumber: delivery.endpointNumber };
  const [present] = named(services.secretBox, key, endpoint?.secret ?? null, "present");
  if (present === undefined) return null;
  const message = { id, timestampSeconds: Math.floor(now / 1_000), body };
  return { body, headers: signatureHeaders(message, [present.secret]) };
}

function isItsOwn(endpointNumber: number) {
  return (endpoint: Endpoint) => endpoint.endpointNumber === endpointNumber;
}

function named(secretBox: SecretBox, key: EndpointKey, sealed: string | null, name: string): KnownSecret[] {
  if (sealed === null) return [];
  try {
    return [{ secret: openSecret(secretBox, key, sealed), name }];
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    return [];
  }
}
