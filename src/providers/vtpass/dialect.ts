import { renewsBouquet } from "../../categories/cable.ts";
import type { VendRequest, VerifyRequest } from "../../categories/supplier-request.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import { type News, readAddressedCallback } from "../addressed-callback.ts";
import { baseUrlLike, callbackSecret, httpKind, text, withoutSlash } from "../connector-kind.ts";
import {
  type Dialect,
  differenceIn,
  type Question,
  type Reading,
  type Unsendable,
  type VerifyReading,
} from "../dialect.ts";
import { holdsGoods, vendedWith } from "../fulfilments.ts";
import { at, givenReference, koboOf, objectOf, type Reply, textAt } from "../reply.ts";
import { categoriesOfType, codes, neverReceived, statuses, usedBefore } from "./codes.ts";
import { findingsIn, fulfilmentIn, statusIn } from "./fulfilment.ts";
import { isOfToday, requestIdFor, requestIdOf, supplierReferenceOf } from "./request-id.ts";

/** VTpass: most categories in Nigeria. Its documentation: vtpass.com/documentation. */
export interface VtpassSettings {
  readonly name: string;
  /** `https://vtpass.com/api`, or their sandbox's. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** For questions by GET. */
  readonly publicKey: string;
  /** For those by POST. */
  readonly secretKey: string;
  /** Their callbacks carry no signature: the address that they are given ends in this. */
  readonly callbackSecret: string | null;
}

/** A product's code here is `serviceID` or `serviceID/variation_code`: `mtn-data/mtn-10mb-100`, `ikeja-electric`. */
export function vtpass(settings: VtpassSettings, clock: Clock): Dialect {
  return {
    name: settings.name,
    baseUrl: settings.baseUrl,
    accessFor: (method) => ({
      headers: {
        "api-key": settings.apiKey,
        ...(method === "GET" ? { "public-key": settings.publicKey } : { "secret-key": settings.secretKey }),
      },
    }),
    askToVend: (request) => askToVend(request, clock),
    readVend,
    requery(request) {
      const requestId = requestIdOf(request);
      return requestId === null ? null : { method: "POST", path: "/requery", body: { request_id: requestId } };
    },
    readAgain,
    verification: { ask: askToVerify, read: readVerification },
    balance: {
      question: { method: "GET", path: "/balance" },
      read: ({ json }) => koboOf(textAt(json, "contents", "balance")),
    },
    callbacks: {
      received: { response: "success" },
      read: (message) => readAddressedCallback(message, settings.callbackSecret, newsIn),
    },
  };
}

function askToVend(request: VendRequest, clock: Clock): Question | Unsendable {
  const [serviceId = "", variation] = (request.supplierCode ?? "").split("/");
  if (serviceId === "") return { unsendable: "the route names no serviceID" };
  const requestId = requestIdOf(request);
  if (requestId === null) return { unsendable: "no request id can be derived" };
  if (!isOfToday(request.at, clock.now())) return { unsendable: "its request id would be of another day" };
  const common = { request_id: requestId, serviceID: serviceId, phone: request.phone ?? request.customerRef ?? "" };
  const amount = formatNaira(request.faceAmount);
  switch (request.category) {
    case "airtime":
      return pay({ ...common, amount });
    case "data":
    case "voice":
    case "internet":
      return pay({ ...common, billersCode: request.customerRef ?? "", variation_code: variation ?? "", amount });
    case "electricity": {
      const type = textAt(request.attributes, "meter_type") ?? textAt(request.details, "meter_type") ?? "prepaid";
      return pay({ ...common, billersCode: request.customerRef ?? "", variation_code: variation ?? type, amount });
    }
    case "cable":
      return pay({ ...common, ...cableFields(request, variation), amount });
    case "education": {
      const profile = textAt(request.details, "profile_code");
      const whose = profile === null ? {} : { billersCode: profile };
      return pay({ ...common, ...whose, variation_code: variation ?? "", quantity: request.quantity, amount });
    }
    default:
      return { unsendable: `VTpass sells no ${request.category}` };
  }
}

function cableFields(request: VendRequest, variation: string | undefined): JsonObject {
  const card = { billersCode: request.customerRef ?? "", quantity: request.quantity };
  if (renewsBouquet(request)) return { ...card, subscription_type: "renew" };
  return { ...card, variation_code: variation ?? "", subscription_type: "change" };
}

function pay(body: JsonObject): Question {
  return { method: "POST", path: "/pay", body };
}

function readVend({ json }: Reply, request: VendRequest): Reading {
  if (textAt(json, "code") === usedBefore) return { kind: "another", what: "its request id was used before" };
  const named = textAt(json, "requestId");
  if (named !== null && named !== requestIdOf(request)) return { kind: "another", what: "another reference" };
  const meaning = codes[textAt(json, "code") ?? ""];
  const { status, reference } = statusIn(json);
  // A refusal that comes with a transaction was none: something was accepted.
  if (meaning?.kind === "refused" && status === null) return { kind: "declined", errorCode: meaning.errorCode };
  if (meaning?.kind === "refused") return undecided(reference);
  return readProcessed(json, request);
}

function readAgain({ json }: Reply, request: VendRequest): Reading {
  // Any other refusal is of this question: wrong credentials today say nothing about yesterday's purchase.
  if (textAt(json, "code") === neverReceived) return { kind: "absent" };
  const what = differenceOf(json, request);
  return what === null ? readProcessed(json, request) : { kind: "another", what };
}

function differenceOf(json: JsonObject, request: VendRequest): string | null {
  const about = at(json, "content", "transactions");
  const sold = categoriesOfType[textAt(about, "type") ?? ""] ?? [request.category];
  return differenceIn({
    reference: { theirs: textAt(json, "requestId"), ours: requestIdOf(request) },
    products: [{ theirs: sold.find((category) => category === request.category) ?? "", ours: request.category }],
    number: {
      theirs: textAt(about, "unique_element"),
      ours: [request.customerRef, request.phone, textAt(request.details, "profile_code")],
    },
    amount: { theirs: [koboOf(textAt(about, "amount")), koboOf(textAt(json, "amount"))], ours: request.faceAmount },
  });
}

function readProcessed(json: JsonObject, request: VendRequest): Reading {
  const meaning = codes[textAt(json, "code") ?? ""];
  const { status, reference } = statusIn(json);
  const verdict = statuses[status ?? ""];
  const isOver = verdict === "failed" || verdict === "reversed";
  // Beside a status that says something else (delivered, pending, …) it is no explicit no.
  const isFailed = meaning?.kind === "failed" && (isOver || status === null);
  const isNo = meaning?.kind === "processed" && isOver;
  if (isFailed || isNo) {
    const isReversed = verdict === "reversed" || (isFailed && meaning.reversed === true);
    if (!isReversed && holdsGoods(json, request)) return vendedWith("unclear", reference);
    const reversed = isReversed ? { reversed: true as const } : {};
    return { kind: "declined", errorCode: "PROVIDER_DECLINED", ...givenReference(reference), ...reversed };
  }
  if (meaning?.kind !== "processed" || verdict !== "vended") return undecided(reference);
  // Without the token or the PIN that was bought: it often follows, and the purchase is pending until then.
  return vendedWith(fulfilmentIn(json, request), reference);
}

function undecided(reference: string | null): Reading {
  return { kind: "unknown", ...givenReference(reference) };
}

function askToVerify(request: VerifyRequest): Question | Unsendable {
  const [serviceId = ""] = (request.supplierCode ?? "").split("/");
  if (serviceId === "") return { unsendable: "no route names a serviceID" };
  const type = textAt(request.details, "meter_type");
  return {
    method: "POST",
    path: "/merchant-verify",
    body: { billersCode: request.customerRef, serviceID: serviceId, ...(type === null ? {} : { type }) },
  };
}

function readVerification({ json }: Reply, request: VerifyRequest): VerifyReading {
  const code = textAt(json, "code");
  if (code === "030") return { kind: "unavailable" };
  const content = objectOf(json.content);
  if (content === null) return { kind: "unavailable" };
  const isWrong = content.WrongBillersCode === true || textAt(content, "error") !== null;
  if (isWrong) return { kind: "unverifiable" };
  if (code !== "000" && code !== "020") return { kind: "unavailable" };
  const findings = findingsIn(content, request);
  return findings === null ? { kind: "unavailable" } : { kind: "verified", findings };
}

function newsIn(body: JsonObject): News | null {
  const about = objectOf(body.data);
  if (textAt(body, "type") !== "transaction-update" || about === null) return null;
  const supplierReference = supplierReferenceOf(textAt(about, "requestId") ?? "");
  if (supplierReference === null) return null;
  const { status, reference } = statusIn(about);
  return { supplierReference, providerReference: reference, status: status ?? textAt(about, "code") ?? "" };
}

export const vtpassKind = httpKind({
  connector: "vtpass",
  title: "VTpass",
  names: { there: requestIdFor, here: supplierReferenceOf },
  settings: { base_url: baseUrlLike("https://vtpass.com/api") },
  credentials: { api_key: text, public_key: text, secret_key: text, callback_secret: callbackSecret },
  dialect: ({ name, settings, credentials }, clock) =>
    vtpass(
      {
        name,
        baseUrl: withoutSlash(settings.base_url),
        apiKey: credentials.api_key,
        publicKey: credentials.public_key,
        secretKey: credentials.secret_key,
        callbackSecret: credentials.callback_secret ?? null,
      },
      clock,
    ),
});
