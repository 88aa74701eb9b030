import type { VendRequest } from "../../categories/supplier-request.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Json } from "../../kernel/json.ts";
import { baseUrl, httpKind, text, withoutSlash } from "../connector-kind.ts";
import type { Dialect, Question, Reading, TokenSource, Unsendable } from "../dialect.ts";
import { at, decimalOf, type Reply, textAt } from "../reply.ts";
import { readCallback } from "./callback.ts";
import { readOrder } from "./order.ts";
import { packageList } from "./packages.ts";

export interface AiraloSettings {
  readonly name: string;
  /** `https://partners-api.airalo.com/v2`. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Signs their callbacks, too. */
  readonly clientSecret: string;
}

/**
 * `code` of an order's refusal. All else is `unknown`: 53 is "something unexpected", which may have happened after the
 * order.
 */
const refusals: Readonly<Record<string, FailureCode>> = {
  "11": "OPERATOR_UNAVAILABLE",
  "13": "OPERATOR_UNAVAILABLE",
  "14": "OPERATOR_UNAVAILABLE",
  "23": "PROVIDER_DECLINED",
  "33": "OUT_OF_STOCK",
  "34": "PROVIDER_DECLINED",
  "43": "PROVIDER_DECLINED",
};

/** Their word for a field that they refuse: the order was not looked at further. */
const invalidParameter = "the parameter is invalid";

const included = "include=sims%2Cstatus";
const ordersOnPage = 50;

/**
 * Airalo: profiles for travellers. It has no name for a request: an order that is sent twice is two orders. Our
 * reference travels as its description, and is looked for where no answer came.
 */
export function airalo(settings: AiraloSettings): Dialect {
  return {
    name: settings.name,
    baseUrl: settings.baseUrl,
    accessFor: () => ({}),
    tokens: tokensOf(settings),
    askToVend,
    readVend,
    requery: ({ providerReference, supplierReference }) =>
      isId(providerReference)
        ? { method: "GET", path: `/orders/${providerReference}?${included}` }
        : listOf(supplierReference, 1),
    readAgain: (reply, request) =>
      isId(request.providerReference) ? readById(reply, request) : readList(reply, request, 1),
    // An order that we gave up waiting for may be made, and listed, later than the usual two minutes.
    quietMs: 600_000,
    balance: { currency: "USD", question: { method: "GET", path: "/balance" }, read: readBalance },
    callbacks: { received: { success: true }, read: (message) => readCallback(message, settings.clientSecret) },
    catalogue: [packageList],
  };
}

/** Their documentation says that a token is good for 24 hours, and their answer says a year. */
const tokenSecondsMax = 86_400;
const tokenSecondsUnsaid = 3_600;

function tokensOf({ clientId, clientSecret }: AiraloSettings): TokenSource {
  return {
    account: clientId,
    ask: () => ({
      question: { method: "POST", path: "/token", form: { grant_type: "client_credentials" } },
      access: { fields: { client_id: clientId, client_secret: clientSecret } },
    }),
    read({ json }) {
      const token = at(json, "data", "access_token");
      const reported = Number(textAt(json, "data", "expires_in") ?? Number.NaN);
      if (typeof token !== "string" || token === "") return null;
      return { token, goodForSeconds: reported > 0 ? Math.min(reported, tokenSecondsMax) : tokenSecondsUnsaid };
    },
  };
}

/** A product's code here is the package's `id`. */
function askToVend({ category, supplierCode, supplierReference, quantity }: VendRequest): Question | Unsendable {
  if (category !== "esim") return { unsendable: `it sells no ${category}` };
  if (supplierCode === null || supplierCode === "") return { unsendable: "the route names no package" };
  const body = { package_id: supplierCode, quantity, type: "sim", description: supplierReference };
  return { method: "POST", path: "/orders", body };
}

function readVend({ status, json }: Reply, request: VendRequest): Reading {
  if (status < 400) return readOrder(json.data, request);
  if (status === 401 || status === 403) return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" };
  if (status === 429) return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", notNow: true };
  if (status !== 422) return { kind: "unknown" };
  const code = textAt(json, "code");
  const errorCode = code === null ? undefined : refusals[code];
  if (errorCode !== undefined) return { kind: "declined", errorCode };
  const isInvalid = code === null && textAt(json, "meta", "message") === invalidParameter;
  return isInvalid ? { kind: "declined", errorCode: "PROVIDER_DECLINED" } : { kind: "unknown" };
}

/** That they do not know an order of the number which they gave it, is no answer. */
function readById({ status, json }: Reply, request: VendRequest): Reading {
  return status === 200 ? readOrder(json.data, request) : { kind: "unknown" };
}

function listOf(supplierReference: string, page: number): Question {
  const query = `filter%5Bdescription%5D=${supplierReference}&limit=${ordersOnPage}&page=${page}`;
  return { method: "GET", path: `/orders?${included}&${query}` };
}

/**
 * The filter finds parts of descriptions: of another attempt's, too. Where it finds other orders it was ignored, and
 * that ours is not among them proves nothing.
 */
function readList({ status, json }: Reply, request: VendRequest, page: number): Reading {
  const { supplierReference } = request;
  const orders = json.data;
  if (status !== 200 || !Array.isArray(orders)) return { kind: "unknown" };
  const found = orders.find((order: Json) => textAt(order, "description") === supplierReference);
  if (found !== undefined) return readOrder(found, request);
  const isFiltered = orders.every((order: Json) => textAt(order, "description")?.includes(supplierReference) === true);
  if (isFiltered && page === 1 && orders.length < ordersOnPage) return { kind: "absent" };
  if (orders.length === 0) return { kind: "unknown" };
  const question = listOf(supplierReference, page + 1);
  return { kind: "next", question, read: (reply) => readList(reply, request, page + 1) };
}

function isId(reported: string | null): boolean {
  return reported !== null && /^[0-9]{1,20}$/.test(reported);
}

function readBalance({ json }: Reply): bigint | null {
  const reported = at(json, "data", "balances", "availableBalance");
  const decimal = decimalOf(textAt(reported, "amount"));
  return textAt(reported, "currency") !== "USD" || decimal === null ? null : BigInt(decimal.replace(".", ""));
}

export const airaloKind = httpKind({
  connector: "airalo",
  settings: { base_url: baseUrl },
  credentials: { client_id: text, client_secret: text },
  dialect: ({ name, settings, credentials }) =>
    airalo({
      name,
      baseUrl: withoutSlash(settings.base_url),
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
    }),
});
