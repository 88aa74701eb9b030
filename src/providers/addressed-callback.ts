import { timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../kernel/json.ts";
import type { CallbackMessage, CallbackReading } from "./contract.ts";
import { evidenceCharactersMax, redactedJson } from "./evidence/redacted-json.ts";
import { parseJson } from "./parse-json.ts";
import { inOneLine, objectOf } from "./reply.ts";

/** A callback's statement about an attempt of ours. */
export interface News {
  readonly supplierReference: string;
  readonly providerReference: string | null;
  readonly status: string;
}

/** As our references of live attempts look; what is none is nobody's attempt. */
const referenceShape = /^TXN[0-9A-Z]{26}-[1-9][0-9]{0,2}$/;
const statusCharactersMax = 40;

/** Reads a genuine message's body. */
export function readNews(message: CallbackMessage, newsIn: (body: JsonObject) => News | null): CallbackReading {
  const body = objectOf(parseJson(message.body));
  if (body === null) return { kind: "other", evidence: "no JSON object" };
  const evidence = redactedJson(body).slice(0, evidenceCharactersMax);
  const news = newsIn(body);
  if (news === null || !referenceShape.test(news.supplierReference)) return { kind: "other", evidence };
  const { supplierReference, providerReference, status } = news;
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
