import type { VendRequest } from "../../categories/supplier-request.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import type { News } from "../addressed-callback.ts";
import type { ListedProduct } from "../contract.ts";
import type { CatalogueList, Reading } from "../dialect.ts";
import { type Esim, esims, vendedWith } from "../fulfilments.ts";
import { at, firstText, givenReference, listAt, type Reply, textAt } from "../reply.ts";

/** "Profile is being downloaded for the order." */
const onTheirWay = "200010";

/**
 * `esimStatus` of a profile that went out. CREATE, PAYING, PAID and GETTING_RESOURCE come before that; what SUSPENDED and
 * REVOKE mean for a purchase that was never handed over, a person decides.
 */
const allocated = ["GOT_RESOURCE", "IN_USE", "USED_UP", "USED_EXPIRED", "UNUSED_EXPIRED"];
/** Taken back before it was used, and its price returned to our balance. */
const cancelled = "CANCEL";

/** Whether the profiles of an order are on their way: said in so many words, or not all of them are there yet. */
export function isNotReady({ json }: Reply, { quantity }: VendRequest): boolean {
  if (codeIn(json) === onTheirWay) return true;
  const statuses = statusesIn(json);
  const isOver = statuses.some((status) => status === cancelled);
  return saysYes(json) && !isOver && statuses.filter((status) => allocated.includes(status)).length < quantity;
}

/** The answer to a question for one order. A refusal is one of the question, and says nothing about the order. */
export function readProfiles({ json }: Reply, request: VendRequest): Reading {
  const rows = listAt(json, "obj", "esimList");
  const received = givenReference(textAt(rows[0], "orderNo"));
  if (!saysYes(json) || rows.length === 0) return { kind: "unknown", ...received };
  const what = rows.map((row) => differenceOf(row, request)).find((difference) => difference !== null);
  if (what) return { kind: "another", what };
  const statuses = statusesIn(json);
  if (rows.length === request.quantity && statuses.every((status) => status === cancelled)) {
    return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", reversed: true, ...received };
  }
  const areAllThere = statuses.every((status) => allocated.includes(status));
  const delivered = areAllThere ? esims(request, rows.map(profileOf)) : "missing";
  return vendedWith(delivered, received.providerReference ?? request.providerReference);
}

function statusesIn(json: JsonObject): readonly string[] {
  return listAt(json, "obj", "esimList").map((row) => textAt(row, "esimStatus") ?? "");
}

/** A package has two names, and the route says one of them. The first of a profile's packages is the one it was sold with. */
function differenceOf(row: Json, { supplierReference, supplierCode }: VendRequest): string | null {
  const named = textAt(row, "transactionId");
  if (named !== null && named !== supplierReference) return "another reference";
  const [sold] = listAt(row, "packageList");
  const [code, slug, requested] = [textAt(sold, "packageCode"), textAt(sold, "slug"), supplierCode?.split("/")[0]];
  return code !== null && slug !== null && requested !== undefined && code !== requested && slug !== requested
    ? "another product"
    : null;
}

function profileOf(row: Json): Esim {
  const [sold] = listAt(row, "packageList");
  const place = textAt(sold, "locationCode");
  // Of a daily plan `totalVolume` is one day's.
  const isTotal = textAt(row, "dataType") === "1";
  return {
    iccid: textAt(row, "iccid"),
    lpa: textAt(row, "ac"),
    apn: textAt(row, "apn"),
    dataMb: isTotal ? megabytesOf(textAt(row, "totalVolume")) : null,
    validityDays: textAt(row, "durationUnit") === "DAY" ? wholeOf(textAt(row, "totalDuration")) : null,
    coverage: place === null ? [] : [place.slice(0, 100)],
    expiresAt: instantOf(textAt(row, "expiredTime")),
  };
}

/** From bytes; a part of a megabyte is not promised. */
function megabytesOf(bytes: string | null): number | null {
  const megabytes = /^[0-9]{1,18}$/.test(bytes ?? "") ? Number(BigInt(bytes ?? "0") / 1_048_576n) : 0;
  return megabytes > 0 ? megabytes : null;
}

function wholeOf(received: string | null): number | null {
  return /^[1-9][0-9]{0,3}$/.test(received ?? "") ? Number(received) : null;
}

/** `2024-05-29T18:34:17+0000` or `…Z` with an offset as ISO 8601 writes it. */
function instantOf(received: string | null): string | null {
  const [, time, sign = "+", hours = "00", minutes = "00"] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:Z|([+-])(\d\d):?(\d\d))$/.exec(received ?? "") ?? [];
  return time === undefined ? null : `${time}${sign}${hours}:${minutes}`;
}

/** What may change what we know: profiles that are ready, or cancelled. Not the use of one, nor their test of our address. */
const reportOf: Readonly<Record<string, (status: string) => boolean>> = {
  ORDER_STATUS: () => true,
  ESIM_STATUS: (status) => status === cancelled,
};

/** They say their order's number, and ours only at times. */
export function newsIn(body: JsonObject): News | null {
  const content = body.content;
  const status = firstText(content, ["orderStatus", "esimStatus"]);
  const providerReference = textAt(content, "orderNo");
  if (status === null || providerReference === null) return null;
  if (reportOf[textAt(body, "notifyType") ?? ""]?.(status) !== true) return null;
  return { supplierReference: textAt(content, "transactionId"), providerReference, status };
}

/** All packages in one answer, some 2,600 with their networks. */
export const packageList: CatalogueList = {
  category: "esim",
  question: { method: "POST", path: "/package/list", body: { locationCode: "", type: "BASE" } },
  read({ json }) {
    const rows = at(json, "obj", "packageList");
    if (!saysYes(json) || !Array.isArray(rows)) return null;
    return { products: rows.flatMap(listedProduct), next: null };
  },
};

/** What has no code cannot be ordered. */
function listedProduct(row: Json): readonly ListedProduct[] {
  const supplierCode = textAt(row, "packageCode");
  if (supplierCode === null) return [];
  const slug = textAt(row, "slug");
  // A region's places fill pages; the slug begins with its name.
  const biller = slug?.split("_")[0] ?? textAt(row, "location") ?? "";
  const hundredths = hundredthsOf(textAt(row, "price"), "ceiling");
  const currency = textAt(row, "currencyCode") ?? "USD";
  const isCost = hundredths !== null && /^[A-Z]{3}$/.test(currency);
  return [
    {
      category: "esim",
      supplierCode,
      ...(slug === null ? {} : { otherCodes: [slug] }),
      name: textAt(row, "name") ?? slug ?? supplierCode,
      biller,
      face: null,
      cost: isCost ? { kind: "fixed", currency, hundredths } : null,
    },
  ];
}

/**
 * Their amounts are ten-thousandths. `floor` for what we have, `ceiling` for what we pay: neither may look better than
 * it is.
 */
export function hundredthsOf(tenThousandths: string | null, rounding: "floor" | "ceiling"): bigint | null {
  if (!/^[0-9]{1,18}$/.test(tenThousandths ?? "")) return null;
  return (BigInt(tenThousandths ?? "0") + (rounding === "ceiling" ? 99n : 0n)) / 100n;
}

/** `success` is a truth in their answers and a text in their documentation, and no code stands beside it. */
export function saysYes(json: JsonObject): boolean {
  return String(json.success) === "true" && codeIn(json) === "000000";
}

/** Six digits, also where they came as a number and lost their zeros; `000000` for none. */
export function codeIn(json: JsonObject): string {
  return (textAt(json, "errorCode") ?? "0").padStart(6, "0");
}
