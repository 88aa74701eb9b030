import { Type } from "typebox";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { type News, readAddressedCallback } from "../addressed-callback.ts";
import { baseUrlLike, callbackSecret, httpKind, text, withoutSlash } from "../connector-kind.ts";
import type { Dialect, Question, Reading, Unsendable } from "../dialect.ts";
import { at, givenReference, koboOf, listAt, type Reply, textAt } from "../reply.ts";
import { countHere, international, letterOf, local, numbersPaidFor, type Sending, smsReport } from "../sms-report.ts";

/** https://developers.africastalking.com */
export interface AfricasTalkingSettings {
  readonly name: string;
  /** `https://api.africastalking.com`, or `https://api.sandbox.africastalking.com`. */
  readonly baseUrl: string;
  /** The application's name there; `sandbox` in its sandbox. */
  readonly username: string;
  /** Of the account there: a sandbox counts in shillings. */
  readonly currency: string;
  readonly apiKey: string;
  readonly callbackSecret: string | null;
}

/** The only code that a product has here: whether numbers on DND are reached is a matter of the sender's registration. */
const onlyCode = "sms";

/** `statusCode` of a number: processed, sent and queued; and those that nobody can know the end of. */
const sentCodes = ["100", "101", "102"];
const openCodes = ["500", "501"];

/** The refusals of a number, by code: their names, which `Message` uses too where it refuses all, and what they mean. */
const refusals: Readonly<Record<string, readonly [name: string, errorCode: FailureCode]>> = {
  "401": ["RiskHold", "PROVIDER_DECLINED"],
  "402": ["InvalidSenderId", "PROVIDER_DECLINED"],
  "403": ["InvalidPhoneNumber", "RECIPIENT_INVALID"],
  "404": ["UnsupportedNumberType", "RECIPIENT_INVALID"],
  "405": ["InsufficientBalance", "OPERATOR_UNAVAILABLE"],
  "406": ["UserInBlacklist", "RECIPIENT_BARRED"],
  "407": ["CouldNotRoute", "PROVIDER_DECLINED"],
  "409": ["DoNotDisturbRejection", "RECIPIENT_NOT_ELIGIBLE"],
  "502": ["RejectedByGateway", "PROVIDER_DECLINED"],
};
const refusalNames = new Map(Object.values(refusals).map(([name, errorCode]) => [name.toLowerCase(), errorCode]));

export function africasTalking(settings: AfricasTalkingSettings): Dialect {
  const { name, username, currency } = settings;
  const access = { headers: { apikey: settings.apiKey } };
  return {
    name,
    baseUrl: settings.baseUrl,
    accessFor: () => access,
    askToVend: (request) => askToVend(request, username),
    readVend,
    // It has no question about a message that was sent: what stays open is for a person, who sees its reports.
    requery: () => null,
    readAgain: () => ({ kind: "unknown" }),
    balance: {
      question: { method: "GET", path: `/version1/user?${new URLSearchParams({ username })}` },
      currency,
      read: ({ json }) => balanceIn(textAt(json, "UserData", "balance"), currency),
    },
    callbacks: {
      received: { received: true },
      read: (message) => readAddressedCallback(message, settings.callbackSecret, newsIn),
    },
  };
}

function askToVend(request: VendRequest, username: string): Question | Unsendable {
  const { category, supplierCode } = request;
  if (category !== "sms") return { unsendable: `it sells no ${category}` };
  if (supplierCode !== onlyCode) return { unsendable: `the route's code is not ${onlyCode}` };
  const letter = letterOf(request);
  if (letter === null) return { unsendable: "the purchase has no text, no sender or no number" };
  const to = letter.numbers.map((number) => `+${international(number)}`).join(",");
  const form = { username, to, message: letter.text, from: letter.sender };
  // 500 numbers in one text would leave no room for the answer.
  return { method: "POST", path: "/version1/messaging", form, refusesInText: true, hides: ["to"] };
}

/** How its answer tells of one number. */
interface Received {
  readonly sending: Sending;
  /** Null where it made no message of it. */
  readonly messageId: string | null;
}

/** "The supplied authentication is invalid": its gate, before anything was looked at. A page of somebody else is none. */
const refusedAccess = /authentication/i;

function readVend({ status, json, text }: Reply, request: VendRequest): Reading {
  const isAccess = status === 401 && (text === undefined || refusedAccess.test(text));
  if (isAccess) return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" };
  const list = at(json, "SMSMessageData", "Recipients");
  if (status >= 400 || !Array.isArray(list)) return { kind: "unknown" };
  if (list.length === 0) return readNobody(textAt(json, "SMSMessageData", "Message"));
  const numbers = numbersPaidFor(request.details);
  const reported = new Map<string, Received | null>();
  for (const entry of listAt(json, "SMSMessageData", "Recipients")) {
    const number = local(textAt(entry, "number") ?? "");
    if (!numbers.includes(number)) return { kind: "another", what: "another number" };
    // Of two about one number nobody knows which is true.
    reported.set(number, reported.has(number) ? null : entryOf(entry));
  }
  const each = numbers.map((number) => reported.get(number) ?? null);
  const providerReference = each.find((one) => one?.messageId)?.messageId ?? null;
  const known = each.filter((one) => one !== null).map(({ sending }) => sending);
  if (known.length === numbers.length && known.every(({ status }) => status === "failed"))
    return { kind: "declined", errorCode: errorCodeOf(known) };
  const isOut = known.some(({ status }) => status === "sent");
  const fulfilment = isOut
    ? smsReport(request, countHere(request), (phone) => reported.get(phone)?.sending ?? null)
    : null;
  return fulfilment === null
    ? { kind: "unknown", ...givenReference(providerReference) }
    : { kind: "vended", providerReference, fulfilment };
}

/** An empty list is a no where `Message` says which. */
function readNobody(message: string | null): Reading {
  const errorCode = refusalNames.get(message?.toLowerCase() ?? "");
  return errorCode === undefined ? { kind: "unknown" } : { kind: "declined", errorCode };
}

/** Null where its code and its name say different things, or nothing that is known. */
function entryOf(entry: Json): Received | null {
  const code = textAt(entry, "statusCode") ?? "";
  const name = textAt(entry, "status")?.toLowerCase() ?? "";
  const id = textAt(entry, "messageId");
  const messageId = id === null || id.toLowerCase() === "none" ? null : id;
  const isNamedRefusal = refusalNames.has(name);
  if (sentCodes.includes(code))
    return isNamedRefusal || messageId === null ? null : { sending: { status: "sent" }, messageId };
  if (openCodes.includes(code)) return { sending: { status: "pending" }, messageId };
  const refusal = Object.hasOwn(refusals, code) ? refusals[code] : undefined;
  // What was refused has no id: where it has one, there is a message, which may be held and let go.
  if (refusal === undefined || !isNamedRefusal || messageId !== null) return null;
  return { sending: { status: "failed", errorCode: refusal[1] }, messageId };
}

/** Why nobody was sent to; where the reasons differ, none of them. */
function errorCodeOf(sendings: readonly Sending[]): FailureCode {
  const codes = new Set(sendings.map((sending) => (sending.status === "failed" ? sending.errorCode : null)));
  const [code] = codes;
  return codes.size === 1 && code ? code : "PROVIDER_DECLINED";
}

/** `NGN 1785.50`. One in another currency than the account should have is none. */
function balanceIn(reported: string | null, currency: string): bigint | null {
  return reported?.startsWith(`${currency} `) ? koboOf(reported.slice(currency.length)) : null;
}

/** A report about one number's message. */
function newsIn(body: JsonObject): News | null {
  const providerReference = textAt(body, "id");
  const status = textAt(body, "status");
  return providerReference === null || status === null ? null : { supplierReference: null, providerReference, status };
}

const currency = Type.Optional(
  Type.String({ pattern: "^[A-Z]{3}$", description: "three capital letters (NGN where absent)" }),
);

export const africasTalkingKind = httpKind({
  connector: "africas-talking",
  title: "Africa’s Talking",
  settings: { base_url: baseUrlLike("https://api.africastalking.com"), username: text, currency },
  credentials: { api_key: text, callback_secret: callbackSecret },
  dialect: ({ name, settings, credentials }) =>
    africasTalking({
      name,
      baseUrl: withoutSlash(settings.base_url),
      username: settings.username,
      currency: settings.currency ?? "NGN",
      apiKey: credentials.api_key,
      callbackSecret: credentials.callback_secret ?? null,
    }),
});
