import type { VendRequest } from "../../categories/supplier-request.ts";
import type { Clock, Instant } from "../../kernel/clock.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { readAddressedCallback } from "../addressed-callback.ts";
import { baseUrlLike, callbackSecret, httpKind, text, withoutSlash } from "../connector-kind.ts";
import type { Dialect, Question, Reading, Unsendable } from "../dialect.ts";
import { at, givenReference, listAt, type Reply, textAt } from "../reply.ts";
import { codeIn, hundredthsOf, isNotReady, newsIn, packageList, readProfiles, saysYes } from "./profiles.ts";

export interface EsimAccessSettings {
  readonly name: string;
  /** `https://api.esimaccess.com/api/v1/open`. */
  readonly baseUrl: string;
  readonly accessCode: string;
  readonly callbackSecret: string | null;
  readonly clock: Clock;
}

/**
 * An order's refusals (docs.esimaccess.com, error codes). All else is `unknown`: 000001 is a fault of theirs, 200009 an
 * order in no ordinary state, 200010 one whose profiles are on their way.
 */
const refusals: Readonly<Record<string, FailureCode>> = {
  "000101": "OPERATOR_UNAVAILABLE",
  "000102": "OPERATOR_UNAVAILABLE",
  "000103": "OPERATOR_UNAVAILABLE",
  "000104": "PROVIDER_DECLINED",
  "000105": "PROVIDER_DECLINED",
  "000106": "PROVIDER_DECLINED",
  "000107": "PROVIDER_DECLINED",
  "101001": "OPERATOR_UNAVAILABLE",
  "101002": "OPERATOR_UNAVAILABLE",
  "101003": "OPERATOR_UNAVAILABLE",
  "200005": "PROVIDER_DECLINED",
  "200006": "PROVIDER_DECLINED",
  "200007": "OPERATOR_UNAVAILABLE",
  "200008": "PROVIDER_DECLINED",
  "200011": "OUT_OF_STOCK",
  "310241": "PROVIDER_DECLINED",
  "310243": "PROVIDER_DECLINED",
};

/**
 * Milliseconds between the questions for an order's profiles: "wait times of up to 30 seconds" are more than a purchase
 * has, and the last ones are left to asking again.
 */
const waitsMs = [2_000, 3_000, 4_000, 5_000, 5_000, 5_000];

/** Before the purchase was made, as far as their clock may be behind; and so long after it an attempt leaves at most. */
const clockSlackMs = 300_000;
const usualEndMs = 900_000;
/** Their list takes 5 to 500 on a page; a profile has some 1,200 characters, and an answer room for 256 KB. */
const pageSize = 100;

/** A product's code here: the `packageCode` or the `slug`; of a daily plan, `code/days`. */
const codeShape = /^([A-Za-z0-9_.-]{1,64})(?:\/([1-9][0-9]{0,2}))?$/;

/** eSIM Access: profiles for travellers. An order is known by our reference, and its profiles come some seconds later. */
export function esimAccess(settings: EsimAccessSettings): Dialect {
  return {
    name: settings.name,
    baseUrl: settings.baseUrl,
    accessFor: () => ({ headers: { "rt-accesscode": settings.accessCode } }),
    askToVend,
    readVend: readOrder,
    requery: ({ providerReference, at: madeAt }) =>
      providerReference !== null && isOrderNo(providerReference)
        ? profilesOf(providerReference)
        : listOf(windowsFor(madeAt, settings.clock.now())[0], 1),
    readAgain: (reply, request) =>
      request.providerReference !== null && isOrderNo(request.providerReference)
        ? readProfiles(reply, request)
        : readList(reply, request, { windows: windowsFor(request.at, settings.clock.now()), page: 1, seen: 0 }),
    // An order may be in their list only when its profiles are allocated, which for want of stock takes its time.
    quietMs: 1_800_000,
    balance: {
      currency: "USD",
      question: { method: "POST", path: "/balance/query", body: {} },
      read: ({ json }) => (saysYes(json) ? hundredthsOf(textAt(json, "obj", "balance"), "floor") : null),
    },
    callbacks: {
      received: { success: true },
      read: (message) => readAddressedCallback(message, settings.callbackSecret, newsIn),
    },
    catalogue: [packageList],
  };
}

function askToVend({ category, supplierCode, supplierReference, quantity }: VendRequest): Question | Unsendable {
  if (category !== "esim") return { unsendable: `it sells no ${category}` };
  const [, code, days] = codeShape.exec(supplierCode ?? "") ?? [];
  if (code === undefined) return { unsendable: "the route names no package" };
  const ordered = { packageCode: code, count: quantity, ...(days === undefined ? {} : { periodNum: Number(days) }) };
  return {
    method: "POST",
    path: "/esim/order",
    body: { transactionId: supplierReference, packageInfoList: [ordered] },
  };
}

function readOrder({ status, json }: Reply, request: VendRequest): Reading {
  const orderNo = textAt(json, "obj", "orderNo");
  const named = textAt(json, "obj", "transactionId");
  if (named !== null && named !== request.supplierReference) return { kind: "another", what: "another reference" };
  // Whatever else it says: what has an order's number was taken in, and may have been paid.
  if (orderNo !== null && !saysYes(json)) return { kind: "unknown", providerReference: orderNo };
  if (orderNo !== null && isOrderNo(orderNo)) return askForProfiles(orderNo, request);
  if (status === 401 || status === 403) return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" };
  // Eight requests a second. Under the same reference a repeat is the same request.
  if (status === 429) return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", notNow: true };
  const errorCode = isRefusal(json) ? refusals[codeIn(json)] : undefined;
  return errorCode === undefined ? { kind: "unknown" } : { kind: "declined", errorCode };
}

/** Asks at once, as profiles in stock are there at once, and again as long as they are on their way. */
function askForProfiles(orderNo: string, request: VendRequest, requested = 0): Reading {
  const [afterMs, question] = [waitsMs[requested - 1] ?? 0, profilesOf(orderNo)];
  const read = (reply: Reply) =>
    isNotReady(reply, request) && requested < waitsMs.length
      ? askForProfiles(orderNo, request, requested + 1)
      : readProfiles(reply, request);
  return { kind: "next", question, afterMs, providerReference: orderNo, read };
}

function profilesOf(orderNo: string): Question {
  return { method: "POST", path: "/esim/query", body: { orderNo, pager: { pageNum: 1, pageSize } } };
}

/** A time in which orders are looked for. */
type Window = readonly [from: Instant, to: Instant];

/** The minutes around the purchase, in which nearly every attempt leaves, then the hours since, for reroutes. */
function windowsFor(madeAt: Instant, now: Instant): readonly [Window, ...Window[]] {
  const middle = madeAt + usualEndMs;
  const first: Window = [madeAt - clockSlackMs, middle];
  return now + clockSlackMs <= middle ? [first] : [first, [middle, now + clockSlackMs]];
}

function listOf([from, to]: Window, pageNum: number): Question {
  const [startTime, endTime] = [minuteOf(from), minuteOf(to + 60_000)];
  return { method: "POST", path: "/esim/query", body: { startTime, endTime, pager: { pageNum, pageSize } } };
}

/** As their documentation writes it: `2010-06-30T01:20+00:00`. */
function minuteOf(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 16)}+00:00`;
}

/** The windows that are left to look through, the first one's page, and how many of its rows the pages before held. */
interface Search {
  readonly windows: readonly Window[];
  readonly page: number;
  readonly seen: number;
}

/**
 * Looks for our reference in their list, page by page and window by window. Only a list that was told to its last row
 * says that they never received it.
 */
function readList({ json }: Reply, request: VendRequest, { windows, page, seen }: Search): Reading {
  const rows = at(json, "obj", "esimList");
  const total = Number(textAt(json, "obj", "pager", "total") ?? Number.NaN);
  if (!saysYes(json) || !Array.isArray(rows) || !Number.isSafeInteger(total)) return { kind: "unknown" };
  const found = rows.find((row: Json) => textAt(row, "transactionId") === request.supplierReference);
  if (found !== undefined) return readFound(found, request);
  const seenNow = seen + rows.length;
  const isWhole = seenNow >= total;
  if (!isWhole && (rows.length === 0 || page * pageSize >= total)) return { kind: "unknown" };
  const rest = isWhole ? { windows: windows.slice(1), page: 1, seen: 0 } : { windows, page: page + 1, seen: seenNow };
  const [next] = rest.windows;
  if (next === undefined) return { kind: "absent" };
  return { kind: "next", question: listOf(next, rest.page), read: (reply) => readList(reply, request, rest) };
}

/** Its profiles may stand on two pages: under the order's number they come together. */
function readFound(row: Json, request: VendRequest): Reading {
  const orderNo = textAt(row, "orderNo");
  if (orderNo === null || !isOrderNo(orderNo)) return { kind: "unknown", ...givenReference(orderNo) };
  const read = (reply: Reply) => readProfiles(reply, request);
  return { kind: "next", question: profilesOf(orderNo), providerReference: orderNo, read };
}

function isOrderNo(reported: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(reported);
}

function isRefusal(json: JsonObject): boolean {
  return String(json.success) === "false" && listAt(json, "obj", "esimList").length === 0;
}

export const esimAccessKind = httpKind({
  connector: "esim-access",
  title: "eSIM Access",
  settings: { base_url: baseUrlLike("https://api.esimaccess.com/api/v1/open") },
  credentials: { access_code: text, callback_secret: callbackSecret },
  dialect: ({ name, settings, credentials }, clock) =>
    esimAccess({
      name,
      baseUrl: withoutSlash(settings.base_url),
      accessCode: credentials.access_code,
      callbackSecret: credentials.callback_secret ?? null,
      clock,
    }),
});
