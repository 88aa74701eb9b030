import { createHmac, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../kernel/json.ts";
import type { CallbackMessage, CallbackReading } from "./contract.ts";
import { evidenceCharactersMax, redactedJson, withoutFields } from "./evidence/redacted-json.ts";
import { inOneLine, objectOf, parseJson } from "./reply.ts";

/** A callback's statement about an attempt of ours. */
export interface News {
  /** Null where the supplier says only its own reference, which is then not null. */
  readonly supplierReference: string | null;
  readonly providerReference: string | null;
  readonly status: string;
}

/** As our references of live attempts look; what is none is nobody's attempt. */
const referenceShape = /^TXN[0-9A-Z]{26}-[1-9][0-9]{0,2}$/;
const statusCharactersMax = 40;

/**
 * A message's fields: those of its JSON object, else of its form, with those of its query where there is no body. Null
 * where it has none.
 */
function fieldsOf({ headers, body, query }: CallbackMessage): JsonObject | null {
  const json = objectOf(parseJson(body));
  if (json !== null) return json;
  const isForm = String(headers["content-type"]).startsWith("application/x-www-form-urlencoded");
  const text = isForm ? body : body.trim() === "" ? query : "";
  const fields = Object.fromEntries(new URLSearchParams(text));
  return Object.keys(fields).length === 0 ? null : fields;
}

/** Reads a genuine message: JSON, a form, or a query. `hides`: its fields that are no evidence. */
export function readNews(
  message: CallbackMessage,
  newsIn: (body: JsonObject) => News | null,
  hides: readonly string[] = [],
): CallbackReading {
  const body = fieldsOf(message);
  if (body === null) return { kind: "other", evidence: "no fields" };
  const evidence = redactedJson(withoutFields(body, hides)).slice(0, evidenceCharactersMax);
  const news = newsIn(body);
  if (news === null) return { kind: "other", evidence };
  const { supplierReference, providerReference, status } = news;
  const isNamed = supplierReference === null ? providerReference !== null : referenceShape.test(supplierReference);
  if (!isNamed) return { kind: "other", evidence };
  const name = providerReference === null ? null : inOneLine(providerReference);
  const said = inOneLine(status).slice(0, statusCharactersMax);
  return { kind: "news", supplierReference, providerReference: name, status: said, evidence };
}

/** The callback of a supplier that signs nothing: the address that it was given ends in a secret. */
export function readAddressedCallback(
  message: CallbackMessage,
  secret: string | null,
  newsIn: (body: JsonObject) => News | null,
): CallbackReading {
  const [given, expected] = [Buffer.from(message.addressSecret ?? ""), Buffer.from(secret ?? "")];
  const isGenuine = expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected);
  if (!isGenuine) return { kind: "forged", evidence: "the address does not end in the callback secret" };
  return readNews(message, newsIn);
}

const toleranceSeconds = 300;

/**
 * Whether a message carries a signature of Standard Webhooks under the secret (`whsec_…`), made within five minutes of
 * its arrival. https://www.standardwebhooks.com
 */
export function isSigned(message: CallbackMessage, secret: string): boolean {
  const id = headerOf(message, "webhook-id");
  const timestamp = headerOf(message, "webhook-timestamp");
  if (id === null || timestamp === null || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(message.at / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${message.body}`).digest();
  return (headerOf(message, "webhook-signature") ?? "").split(" ").some((signature) => {
    const given = Buffer.from(/^v1,(.+)$/.exec(signature)?.[1] ?? "", "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function headerOf({ headers }: CallbackMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}
