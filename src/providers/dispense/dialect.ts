import { Type } from "typebox";
import { renewsBouquet } from "../../categories/cable.ts";
import { findCategory } from "../../categories/category-slugs.ts";
import type { VendRequest, VerifyRequest } from "../../categories/supplier-request.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import { isSigned, type News, readNews } from "../addressed-callback.ts";
import { baseUrl, httpKind, text, withoutSlash } from "../connector-kind.ts";
import type { CallbackMessage, CallbackReading } from "../contract.ts";
import {
  type Dialect,
  differenceIn,
  type Question,
  type Reading,
  type Unsendable,
  type VerifyReading,
} from "../dialect.ts";
import { type Delivered, tokens, vendedWith } from "../fulfilments.ts";
import { koboOf, listAt, objectOf, type Reply, textAt } from "../reply.ts";
import { findingsIn, reportedBy, smsFields } from "./verification.ts";

/** Another deployment of this same service, where we are a merchant. */
export interface DispenseSettings {
  readonly name: string;
  /** `https://other.example/api/v1/merchant`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** `whsec_…` of our webhook there; null where we have none. */
  readonly webhookSecret: string | null;
}

/** Where a fulfilment has one piece for each that was bought: the list's name. */
const piecesOf: Readonly<Record<string, string>> = {
  education: "pins",
  giftcard: "cards",
  esim: "esims",
  recharge_pin: "pins",
};

/** Their refusals that are about our account there: another supplier may serve. */
const declinedAs: Readonly<Record<string, FailureCode>> = {
  PRODUCT_UNAVAILABLE: "OPERATOR_UNAVAILABLE",
  INSUFFICIENT_BALANCE: "OPERATOR_UNAVAILABLE",
  RATE_LIMITED: "OPERATOR_UNAVAILABLE",
  UNAUTHORIZED: "OPERATOR_UNAVAILABLE",
  RECIPIENT_BLOCKED: "RECIPIENT_BARRED",
  RECIPIENT_NOT_ELIGIBLE: "RECIPIENT_NOT_ELIGIBLE",
  RECIPIENT_INVALID: "RECIPIENT_INVALID",
  RECIPIENT_BARRED: "RECIPIENT_BARRED",
  INVALID_PHONE: "RECIPIENT_INVALID",
  INVALID_METER: "RECIPIENT_INVALID",
  INVALID_SMARTCARD: "RECIPIENT_INVALID",
  OPERATOR_UNAVAILABLE: "OPERATOR_UNAVAILABLE",
  METER_DEBT_BLOCKED: "METER_DEBT_BLOCKED",
  OUT_OF_STOCK: "OUT_OF_STOCK",
};

/** A product's code here is its `product_id` there; `7008/amount` where that product wants an amount named. */
export function dispense(settings: DispenseSettings): Dialect {
  return {
    name: settings.name,
    baseUrl: settings.baseUrl,
    accessFor: () => ({ headers: { authorization: `Bearer ${settings.apiKey}` } }),
    askToVend,
    readVend: readPurchase,
    // By our own reference: both sides know it from the first moment.
    requery: ({ supplierReference }) => ({ method: "GET", path: `/transactions/${supplierReference}` }),
    readAgain,
    verification: { ask: askToVerify, read: readVerification },
    balance: {
      question: { method: "GET", path: "/wallet/balance" },
      read: ({ json }) => koboOf(textAt(json, "balance")),
    },
    callbacks: { received: { received: true }, read: (message) => readCallback(message, settings.webhookSecret) },
  };
}

function askToVend(request: VendRequest): Question | Unsendable {
  // Both deployments sell under the same contract.
  const path = findCategory(request.category)?.paths.purchase;
  const productId = productIdOf(request.supplierCode);
  const fields = fieldsFor(request);
  if (path === undefined || fields === null) return { unsendable: `no connector buys ${request.category} there` };
  if (productId === null) return { unsendable: "the route names no product_id" };
  const body = { reference: request.supplierReference, product_id: productId, ...fields };
  const sent = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  return { method: "POST", path, body: Object.fromEntries(sent) };
}

/** The category's own fields, null where there is nothing to say; null for a category that is not bought there. */
function fieldsFor(request: VendRequest): JsonObject | null {
  const { category, customerRef, phone, quantity, details } = request;
  const amount = formatNaira(request.unitAmount);
  switch (category) {
    case "airtime":
      return { phone: customerRef, amount };
    case "data":
    case "voice":
      return { phone: customerRef };
    case "internet":
      return { account_number: customerRef, phone, amount: request.supplierCode?.endsWith("/amount") ? amount : null };
    case "electricity":
      return { meter_number: customerRef, amount, phone };
    case "betting":
      return { customer_id: customerRef, amount };
    case "cable": {
      const renewal = renewsBouquet(request) ? { subscription_type: "renew", amount } : {};
      return { smartcard_number: customerRef, phone, months: quantity, ...renewal };
    }
    case "education":
      return { quantity, phone, profile_code: details.profile_code ?? null };
    case "giftcard":
      return { quantity, amount: details.value ?? null, recipient_email: details.recipient_email ?? null, phone };
    case "esim":
      return { quantity, phone, email: details.email ?? null };
    case "sms":
      return smsFields(request);
    case "recharge_pin":
      return { quantity, phone, business_name: details.business_name ?? null };
    default:
      return null;
  }
}

function readPurchase({ status, json }: Reply, request: VendRequest): Reading {
  if (json.status === "error") {
    const code = textAt(json, "code");
    // The only refusal after which something exists there under our reference (contract, section 1).
    if (code === "REFERENCE_CONFLICT") return { kind: "another", what: "our reference is used there" };
    if (status < 400 || code === null) return { kind: "unknown" };
    const notNow = code === "RATE_LIMITED" ? { notNow: true as const } : {};
    return { kind: "declined", errorCode: failureCalled(code), ...notNow };
  }
  return readStatus(json, request);
}

function readAgain({ status, json }: Reply, request: VendRequest): Reading {
  if (json.status === "error") {
    const isAbsent = status === 404 && textAt(json, "code") === "TRANSACTION_NOT_FOUND";
    return { kind: isAbsent ? "absent" : "unknown" };
  }
  const what = differenceOf(json, request);
  return what === null ? readStatus(json, request) : { kind: "another", what };
}

function differenceOf(json: JsonObject, request: VendRequest): string | null {
  const { category, customerRef, phone, supplierReference, supplierCode } = request;
  // The route of a text chooses the product there, and elsewhere the product says what it costs.
  const product = category === "sms" ? null : productIdOf(supplierCode);
  const namesAmount = ["airtime", "electricity", "betting"].includes(category) || supplierCode?.endsWith("/amount");
  return differenceIn({
    reference: { theirs: textAt(json, "reference"), ours: supplierReference },
    products: [{ theirs: textAt(json, "product_id"), ours: product === null ? null : String(product) }],
    number: { theirs: textAt(json, "customer_ref"), ours: [customerRef, phone] },
    amount: { theirs: [namesAmount ? koboOf(textAt(json, "unit_amount")) : null], ours: request.unitAmount },
  });
}

/** The purchase object. One of another reference answers nothing that was asked. */
function readStatus(json: JsonObject, request: VendRequest): Reading {
  const providerReference = textAt(json, "transaction_id");
  const reference = textAt(json, "reference");
  if (reference !== null && reference !== request.supplierReference)
    return { kind: "another", what: "another reference" };
  if (reference === null || providerReference === null) return { kind: "unknown" };
  switch (json.status) {
    case "failed":
      return {
        kind: "declined",
        errorCode: failureCalled(textAt(json, "error_code")),
        providerReference,
      };
    case "successful":
      return vendedWith(fulfilmentIn(json, request), providerReference);
    default:
      return { kind: "unknown", providerReference };
  }
}

/** Every object knows a `constructor`, which is on no list of ours. */
function failureCalled(code: string | null): FailureCode {
  return (code !== null && Object.hasOwn(declinedAs, code) ? declinedAs[code] : undefined) ?? "PROVIDER_DECLINED";
}

function fulfilmentIn(json: JsonObject, request: VendRequest): Delivered {
  const found = objectOf(json.delivery);
  const expected = findCategory(request.category)?.fulfilment.properties.kind.const;
  if (found === null) return "missing";
  if (expected === undefined || found.kind !== expected) return "unclear";
  if (request.category === "sms") return reportedBy(found, request) ?? "missing";
  if (request.category === "electricity") return electricityIn(found, request);
  const list = piecesOf[request.category];
  if (list === undefined) return found;
  const pieces = listAt(found, list);
  const areDifferent = new Set(pieces.map((piece) => JSON.stringify(piece))).size === pieces.length;
  if (pieces.length < request.quantity && areDifferent) return "missing";
  if (pieces.length > request.quantity || !areDifferent) return "unclear";
  return request.category === "esim" ? { ...found, esims: pieces.map(withoutParts) } : found;
}

/** What follows from an activation code is made here, of the whole of it. */
function withoutParts(profile: Json): Json {
  const { smdp_address: _server, matching_id: _code, qr_code: _drawn, ...rest } = objectOf(profile) ?? {};
  return rest;
}

/** Its own word for the token must be what its list says, in the order in which they are entered. */
function electricityIn(found: JsonObject, request: VendRequest): Delivered {
  const read = tokens(found, request, { receipt: textAt(found, "receipt_number") ?? request.supplierReference });
  if (typeof read === "string") return read;
  const { token, token_formatted, tokens: list } = read;
  return token === (found.token ?? null) ? { ...found, token_formatted, tokens: list } : "unclear";
}

function productIdOf(code: string | null): number | null {
  const [, digits] = /^([1-9][0-9]{0,9})(?:\/amount)?$/.exec(code ?? "") ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Both deployments know billers by the same slugs. */
function askToVerify(request: VerifyRequest): Question | Unsendable {
  const { customerRef, billerSlug: biller } = request;
  switch (request.category) {
    case "electricity":
      return post("/electricity/verify", { biller, meter_number: customerRef, ...meterTypeOf(request) });
    case "cable":
      return post("/cable/verify", { biller, smartcard_number: customerRef });
    case "betting":
      return post("/betting/verify", { biller, customer_id: customerRef });
    case "internet":
      return post("/internet/verify", { biller, account_number: customerRef });
    default:
      return { unsendable: `it verifies no ${request.category}` };
  }
}

function meterTypeOf({ details }: VerifyRequest): JsonObject {
  return { meter_type: textAt(details, "meter_type") ?? "prepaid" };
}

function post(path: string, body: JsonObject): Question {
  return { method: "POST", path, body };
}

function readVerification({ status, json }: Reply, request: VerifyRequest): VerifyReading {
  if (json.status === "error") {
    const isExplicit = status === 400 && textAt(json, "code") === "VERIFICATION_FAILED";
    return { kind: isExplicit ? "unverifiable" : "unavailable" };
  }
  const findings = json.verified === true ? findingsIn(json, request) : null;
  return findings === null ? { kind: "unavailable" } : { kind: "verified", findings };
}

function readCallback(message: CallbackMessage, secret: string | null): CallbackReading {
  if (secret === null || !isSigned(message, secret)) {
    return { kind: "forged", evidence: "no signature of ours, or an old one" };
  }
  return readNews(message, newsIn);
}

function newsIn({ data }: JsonObject): News | null {
  const supplierReference = textAt(data, "reference");
  const status = textAt(data, "status");
  if (supplierReference === null || status === null) return null;
  return { supplierReference, providerReference: textAt(data, "transaction_id"), status };
}

const webhookSecret = Type.Optional(
  Type.String({
    pattern: "^whsec_[A-Za-z0-9+/=]{16,200}$",
    description: "the webhook's secret there, such as whsec_…",
  }),
);

export const dispenseKind = httpKind({
  connector: "dispense",
  title: "Another Dispense",
  settings: { base_url: baseUrl },
  credentials: { api_key: text, webhook_secret: webhookSecret },
  dialect: ({ name, settings, credentials }) =>
    dispense({
      name,
      baseUrl: withoutSlash(settings.base_url),
      apiKey: credentials.api_key,
      webhookSecret: credentials.webhook_secret ?? null,
    }),
});
