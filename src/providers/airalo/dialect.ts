import type { VendRequest } from "../../categories/supplier-request.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Json } from "../../kernel/json.ts";
import { baseUrlLike, httpKind, text, withoutSlash } from "../connector-kind.ts";
import type { ListedProduct } from "../contract.ts";
import {
  type CatalogueList,
  type Dialect,
  differenceIn,
  type Question,
  type Reading,
  type TokenSource,
  type Unsendable,
} from "../dialect.ts";
import { type Esim, esims, vendedWith } from "../fulfilments.ts";
import { at, decimalOf, givenReference, listAt, objectOf, type Reply, textAt } from "../reply.ts";
import { readCallback } from "./callback.ts";

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
  title: "Airalo",
  settings: { base_url: baseUrlLike("https://partners-api.airalo.com/v2") },
  credentials: { client_id: text, client_secret: text },
  dialect: ({ name, settings, credentials }) =>
    airalo({
      name,
      baseUrl: withoutSlash(settings.base_url),
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
    }),
});

/** An order, as the answer to it holds it, and with its status where one is asked for. */
export function readOrder(order: Json | undefined, request: VendRequest): Reading {
  const id = textAt(order, "id");
  if (id === null) return { kind: "unknown" };
  const what = differenceIn({
    reference: { theirs: textAt(order, "description"), ours: request.supplierReference },
    products: [{ theirs: textAt(order, "package_id"), ours: request.supplierCode }],
    number: { theirs: null, ours: [] },
    amount: { theirs: [], ours: null },
  });
  if (what !== null) return { kind: "another", what };
  const sims = listAt(order, "sims");
  switch (textAt(order, "status", "slug") ?? "completed") {
    case "completed": {
      // A confirmation code, for which a fulfilment has no room.
      if (sims.some((sim) => (at(sim, "confirmation_code") ?? null) !== null)) return vendedWith("unclear", id);
      const profiles = sims.map((sim) => profileOf(sim, order));
      return vendedWith(esims(request, profiles), id);
    }
    case "failed":
      // One that failed and has profiles is neither.
      if (sims.length > 0) return { kind: "unknown", ...givenReference(id) };
      return { kind: "declined", errorCode: "PROVIDER_DECLINED", ...givenReference(id) };
    case "refunded":
      // They refund profile by profile: of several, nobody knows how many this says.
      if (request.quantity > 1) return { kind: "unknown", ...givenReference(id) };
      return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", reversed: true, ...givenReference(id) };
    default:
      return { kind: "unknown", ...givenReference(id) };
  }
}

function profileOf(sim: Json, order: Json | undefined): Esim {
  return {
    iccid: textAt(sim, "iccid"),
    lpa: activationCodeOf(sim),
    apn: textAt(sim, "apn_value"),
    dataMb: megabytesOf(textAt(order, "data")),
    validityDays: wholeOf(textAt(order, "validity")),
    coverage: [],
    expiresAt: null,
  };
}

/** `qrcode` is the text of the QR code, and `lpa` the server's address. */
function activationCodeOf(sim: Json): string | null {
  const received = textAt(sim, "qrcode");
  if (received !== null) return received;
  const [server, code] = [textAt(sim, "lpa"), textAt(sim, "matching_id")];
  return server === null || code === null ? null : `LPA:1$${server}$${code}`;
}

/** `1 GB`, `500 MB`; null for `Unlimited` and whatever else. */
function megabytesOf(received: string | null): number | null {
  const [, amount = "", unit] = /^([1-9][0-9]{0,3}) ?(GB|MB)$/.exec(received ?? "") ?? [];
  return unit === undefined ? null : Number(amount) * (unit === "GB" ? 1_024 : 1);
}

function wholeOf(received: string | null): number | null {
  return /^[1-9][0-9]{0,2}$/.test(received ?? "") ? Number(received) : null;
}

const placesOnPage = 50;

/** By places, operators and packages. */
export const packageList: CatalogueList = {
  category: "esim",
  question: pageOf(1),
  read({ json }) {
    const places = placesIn(json.data);
    const page = Number(textAt(json, "meta", "current_page") ?? Number.NaN);
    const last = Number(textAt(json, "meta", "last_page") ?? Number.NaN);
    if (places === null || !Number.isSafeInteger(page) || !Number.isSafeInteger(last)) return null;
    return { products: places.flatMap(productsOf), next: page < last ? pageOf(page + 1) : null };
  },
};

function pageOf(page: number): Question {
  return { method: "GET", path: `/packages?limit=${placesOnPage}&page=${page}` };
}

/** From the second page on it is no list any more, but an object by the places' numbers. */
function placesIn(data: Json | undefined): readonly Json[] | null {
  if (Array.isArray(data)) return data;
  const byNumber = objectOf(data);
  return byNumber === null ? null : Object.values(byNumber);
}

function productsOf(place: Json): readonly ListedProduct[] {
  const biller = textAt(place, "title") ?? textAt(place, "slug") ?? "";
  return listAt(place, "operators").flatMap((operator) =>
    listAt(operator, "packages").flatMap((sold) => {
      const supplierCode = textAt(sold, "id");
      if (supplierCode === null || textAt(sold, "type") === "topup") return [];
      const words = [biller, textAt(operator, "title"), textAt(sold, "title")].filter((word) => word !== null);
      const hundredths = hundredthsCeiling(textAt(sold, "net_price"));
      const cost = hundredths === null ? null : { kind: "fixed" as const, currency: "USD", hundredths };
      return [{ category: "esim", supplierCode, name: words.join(" ").slice(0, 200), biller, face: null, cost }];
    }),
  );
}

/** What we pay, in dollars, must not look less than it is. */
function hundredthsCeiling(received: string | null): bigint | null {
  const [, whole, fraction = ""] = /^([0-9]{1,9})(?:\.([0-9]{1,9}))?$/.exec(received ?? "") ?? [];
  if (whole === undefined) return null;
  const isCut = /[1-9]/.test(fraction.slice(2));
  return BigInt(`${whole}${`${fraction}00`.slice(0, 2)}`) + (isCut ? 1n : 0n);
}
