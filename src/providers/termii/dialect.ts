import { createHmac, timingSafeEqual } from "node:crypto";
import { Type } from "typebox";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { type News, readNews } from "../addressed-callback.ts";
import { baseUrl, httpKind, text, withoutSlash } from "../connector-kind.ts";
import type { CallbackMessage, CallbackReading } from "../contract.ts";
import type { Dialect, Question, Reading, Unsendable } from "../dialect.ts";
import { at, firstText, givenReference, koboOf, objectOf, type Reply, textAt } from "../reply.ts";
import { countHere, international, letterOf, local, numbersPaidFor, type Sending, smsReport } from "../sms-report.ts";

/** https://developers.termii.com */
export interface TermiiSettings {
  readonly name: string;
  /** The account's own, as its dashboard shows it: `https://v3.api.termii.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The secret key that callbacks are signed with; null where none are believed. */
  readonly secretKey: string | null;
}

/** A product's code here is the channel. `generic` skips numbers on DND, and those of MTN from 20:00 to 8:00. */
const channels = ["generic", "dnd"];

/** One request takes no more, and has one id for all of them: what is sent in parts has no end that could be told. */
const numbersMax = 100;

/** The 4xx of its documentation: "an error that failed given the information provided". Any other is `unknown`. */
const refusals = [400, 401, 402, 403, 404, 405, 422, 429];

/** Refusals that are about our account there, by their texts. */
const accountsFault = /balance|unauthori[sz]ed|api.?key|not active|not set ?up|daily limit/i;
const numbersFault = /phone|destination|recipient/i;

const sent: Sending = { status: "sent" };
const failed: Sending = { status: "failed", errorCode: "PROVIDER_DECLINED" };

/** What its history says of a number, in lower case. What is not here is `unknown`. */
const sendings: Readonly<Record<string, Sending>> = {
  delivered: sent,
  // "The first state of every message": the network has it.
  "message sent": sent,
  sent,
  // The network had it, and the telephone was off for too long: sent, and paid for.
  expired: sent,
  "message failed": failed,
  failed,
  rejected: failed,
  "dnd active on phone number": { status: "failed", errorCode: "RECIPIENT_NOT_ELIGIBLE" },
};

export function termii(settings: TermiiSettings): Dialect {
  const { name, apiKey } = settings;
  const key = { api_key: apiKey };
  return {
    name,
    baseUrl: settings.baseUrl,
    accessFor: (method) => (method === "POST" ? { fields: key } : { query: key }),
    askToVend,
    readVend,
    // Nothing of ours is known there: without their id a person must look, as sending again would be a second SMS.
    requery({ providerReference }) {
      if (providerReference === null || !/^[A-Za-z0-9_-]{1,64}$/.test(providerReference)) return null;
      // Each line holds the text of the message.
      const hides = ["message", "user"];
      return { method: "GET", path: `/api/sms/inbox?message_id=${providerReference}`, isListed: true, hides };
    },
    readAgain,
    balance: {
      question: { method: "GET", path: "/api/get-balance", hides: ["user"] },
      read: ({ json }) => ((textAt(json, "currency") ?? "NGN") === "NGN" ? koboOf(textAt(json, "balance")) : null),
    },
    callbacks: { received: { received: true }, read: (message) => readCallback(message, settings.secretKey) },
  };
}

function askToVend(request: VendRequest): Question | Unsendable {
  const { category, supplierCode } = request;
  if (category !== "sms") return { unsendable: `it sells no ${category}` };
  if (supplierCode === null || !channels.includes(supplierCode))
    return { unsendable: "the route's code is no channel: generic or dnd" };
  const letter = letterOf(request);
  if (letter === null) return { unsendable: "the purchase has no text, no sender or no number" };
  const to = letter.numbers.map(international);
  if (to.length > numbersMax)
    return { unsendable: `it takes ${numbersMax} numbers a request, and tells one id for all of them` };
  const body = { to, from: letter.sender, sms: letter.text, type: "plain", channel: supplierCode };
  return { method: "POST", path: "/api/sms/send", body, hides: ["user"] };
}

function readVend({ status, json }: Reply, request: VendRequest): Reading {
  const id = firstText(json, ["message_id", "message_id_str"]);
  const code = textAt(json, "code")?.toLowerCase() ?? null;
  const message = textAt(json, "message") ?? "";
  if (status >= 400) {
    // What has an id was accepted, whatever else it says.
    if (id !== null || message === "" || !refusals.includes(status)) return { kind: "unknown", ...givenReference(id) };
    const errorCode = failureIn(status, message);
    return { kind: "declined", errorCode, ...(status === 429 ? { notNow: true as const } : {}) };
  }
  // Accounts of before 2023 are answered without a code.
  const isSent = code === "ok" || (code === null && message.toLowerCase() === "successfully sent");
  const fulfilment = isSent ? smsReport(request, countHere(request), () => sent) : null;
  if (id === null || fulfilment === null) return { kind: "unknown", ...givenReference(id) };
  return { kind: "vended", providerReference: id, fulfilment };
}

/** A sender that is not registered says nothing about the supplier: one merchant's must not close it to everybody. */
function failureIn(status: number, message: string): FailureCode {
  if (status === 401 || status === 402 || status === 403 || status === 429) return "OPERATOR_UNAVAILABLE";
  if (/sender/i.test(message)) return "PROVIDER_DECLINED";
  if (accountsFault.test(message)) return "OPERATOR_UNAVAILABLE";
  return numbersFault.test(message) ? "RECIPIENT_INVALID" : "PROVIDER_DECLINED";
}

/** Its history of the message: a line for each number, once the networks have it. Other messages' lines are left alone. */
function readAgain({ status, list }: Reply, request: VendRequest): Reading {
  const id = request.providerReference;
  if (status >= 400 || list === undefined || id === null) return { kind: "unknown" };
  const lines = list.filter((line) => textAt(line, "message_id") === id);
  const numbers = numbersPaidFor(request.details);
  const reported = new Map<string, Sending | null>();
  for (const line of lines) {
    const number = local(textAt(line, "receiver") ?? "");
    if (!numbers.includes(number)) return { kind: "another", what: "another number" };
    reported.set(number, better(reported.get(number), sendingIn(line)));
  }
  if (numbers.every((number) => reported.get(number)?.status === "failed"))
    return { kind: "declined", errorCode: "PROVIDER_DECLINED", providerReference: id };
  const fulfilment = smsReport(request, countHere(request), (phone) => reported.get(phone) ?? null);
  return fulfilment === null ? { kind: "unknown" } : { kind: "vended", providerReference: id, fulfilment };
}

function sendingIn(line: Json): Sending | null {
  const status = textAt(line, "status")?.toLowerCase() ?? "";
  return Object.hasOwn(sendings, status) ? (sendings[status] ?? null) : null;
}

/** Of several lines about one number: that it went out counts more than that nobody knows, and this more than a no. */
function better(one: Sending | null | undefined, other: Sending | null): Sending | null {
  if (one === undefined) return other;
  if (one?.status === "sent" || other?.status === "sent") return sent;
  return one === null ? null : other;
}

function readCallback(message: CallbackMessage, secretKey: string | null): CallbackReading {
  if (secretKey === null || !isSigned(message, secretKey)) return { kind: "forged", evidence: "no signature of ours" };
  return readNews(message, newsIn, ["message"]);
}

/** `X-Termii-Signature`: HMAC-SHA512 of the body as it arrived, in hexadecimal. */
function isSigned({ headers, body }: CallbackMessage, secretKey: string): boolean {
  const given = headers["x-termii-signature"];
  if (typeof given !== "string" || !/^[0-9a-f]{128}$/i.test(given)) return false;
  const expected = createHmac("sha512", secretKey).update(body).digest();
  return timingSafeEqual(Buffer.from(given, "hex"), expected);
}

/** A delivery report, of one number; flat, or below `data`. */
function newsIn(body: JsonObject): News | null {
  const report = objectOf(at(body, "data")) ?? body;
  const providerReference = textAt(report, "message_id");
  const status = textAt(report, "status");
  return providerReference === null || status === null ? null : { supplierReference: null, providerReference, status };
}

export const termiiKind = httpKind({
  connector: "termii",
  title: "Termii",
  settings: { base_url: baseUrl },
  credentials: { api_key: text, secret_key: Type.Optional(text) },
  dialect: ({ name, settings, credentials }) =>
    termii({
      name,
      baseUrl: withoutSlash(settings.base_url),
      apiKey: credentials.api_key,
      secretKey: credentials.secret_key ?? null,
    }),
});
