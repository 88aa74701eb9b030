import { categoryOf, findCategory } from "../../../categories/category-slugs.ts";
import type { Product } from "../../../categories/product/product.ts";
import { basisPoints, type Kobo, kobo } from "../../../kernel/money.ts";
import type { ListedAmount, ListedCost, ListedProduct } from "../../../providers/contract.ts";
import { grouped } from "../../catalogue/snapshot.ts";
import type { FindLoss, Loss } from "../routing/limits.ts";
import type { Cost, SupplierRoute } from "../routing/route.ts";

/** A route of the supplier, with the product that it serves. */
export interface OwnRoute extends Pick<SupplierRoute, "supplier" | "supplierCode" | "cost" | "priority"> {
  readonly product: Product;
  readonly enabled: boolean;
}

/** In the order in which they are told: what costs money first. */
export const changeKinds = ["loses_money", "value_changed", "gone", "cost_changed", "new"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Something that the supplier's list says, and our routes do not. */
export type Difference =
  /** It is listed, and no route of ours leads there. `cost` is null where the list does not say it. */
  | { readonly kind: "new"; readonly listed: ListedProduct; readonly cost: Cost | null }
  /** A route that is on leads to what is not listed any more. */
  | { readonly kind: "gone"; readonly route: OwnRoute }
  /** A route that is on leads to what is worth something else than its product. */
  | { readonly kind: "value_changed"; readonly route: OwnRoute; readonly listed: ListedProduct }
  | {
      readonly kind: "cost_changed";
      readonly route: OwnRoute;
      readonly listed: ListedProduct;
      readonly cost: Cost;
    }
  /** The same, and a sale at the new cost brings less than it costs. */
  | {
      readonly kind: "loses_money";
      readonly route: OwnRoute;
      readonly listed: ListedProduct;
      readonly cost: Cost;
      readonly loss: Loss;
    };

export interface Comparison {
  /** The categories of which the supplier told everything; routes of others were not looked at. */
  readonly categories: readonly string[];
  /** How many products it listed. */
  readonly listed: number;
  readonly differences: readonly Difference[];
  /** Codes of which the list says what cannot be: nothing was compared there. */
  readonly unclear: readonly Unclear[];
  /** Categories of which so much is gone that the list may have been cut short. */
  readonly shrunk: readonly Shrunk[];
  /** Routes that are off, to what is listed. */
  readonly offThoughListed: number;
}

export interface Unclear {
  readonly category: string;
  readonly supplierCode: string;
  readonly why: "listed twice, and not alike" | "no route can have this code" | "no route can have this cost";
}

export interface Shrunk {
  readonly category: string;
  readonly gone: number;
  /** Routes that are on. */
  readonly routes: number;
}

/** Whether so much of a category is gone that somebody has to say that it is meant: more than half. */
export function isShrunk({ gone, routes }: Pick<Shrunk, "gone" | "routes">): boolean {
  return gone * 2 > routes;
}

/**
 * Compares what a supplier lists with our routes to it. A route whose category was not told of is left alone, and one
 * that is off is not gone. Pure.
 */
export function compareCatalogue(given: {
  readonly listed: { readonly categories: readonly string[]; readonly products: readonly ListedProduct[] };
  readonly routes: readonly OwnRoute[];
  readonly rateOf: RateOf;
  readonly findLoss: FindLoss;
}): Comparison {
  const { listed: received, routes, rateOf, findLoss } = given;
  const categories = new Set(received.categories);
  const { entries, find, unclear } = readList(received.products, rateOf);
  const differences: Difference[] = [];
  const routed = new Set<Entry>();
  for (const route of routes) {
    const entry = find(route);
    if (entry !== null) routed.add(entry);
    const isReported = categories.has(route.product.biller.category);
    const found = entry === null ? goneUnless(!isReported, route) : changeOf(route, entry, findLoss);
    if (found !== null) differences.push(found);
  }
  for (const entry of entries) {
    const { isClear, listed, cost } = entry;
    if (isClear && !routed.has(entry)) differences.push({ kind: "new", listed, cost });
  }
  return {
    categories: received.categories,
    listed: received.products.length,
    differences: differences.toSorted(inOrder),
    unclear,
    shrunk: findShrunk(routes, differences),
    offThoughListed: routes.filter((route) => !route.enabled && find(route) !== null).length,
  };
}

/** What the list says of one product. */
interface Entry {
  readonly listed: ListedProduct;
  readonly cost: Cost | null;
  /** False where it cannot be so: then nothing is known but that it is listed. */
  readonly isClear: boolean;
}

interface List {
  readonly entries: readonly Entry[];
  /** What a route leads to; null where that is not listed. */
  readonly find: (route: OwnRoute) => Entry | null;
  readonly unclear: readonly Unclear[];
}

function readList(products: readonly ListedProduct[], rateOf: RateOf): List {
  const byCode = new Map<string, Entry>();
  const unclear: Unclear[] = [];
  for (const [key, alike] of grouped(products, ({ category, supplierCode }) => keyOf(category, supplierCode))) {
    const [listed] = alike;
    if (listed === undefined) continue;
    const cost = listed.cost === null ? null : costOfListed(listed.cost, rateOf);
    const why = whyUnclear(listed, alike, cost);
    if (why !== null) unclear.push({ category: listed.category, supplierCode: listed.supplierCode, why });
    byCode.set(key, { listed, cost, isClear: why === null });
  }
  const entries = [...byCode.values()];
  addOtherCodes(byCode, entries);
  return { entries, unclear, find: (route) => entryFor(route, byCode) };
}

/** A code that several products have besides their own tells only that it is listed. */
function addOtherCodes(byCode: Map<string, Entry>, entries: readonly Entry[]): void {
  const own = new Set(byCode.keys());
  for (const entry of entries) {
    const { category, otherCodes = [] } = entry.listed;
    for (const key of otherCodes.map((code) => keyOf(category, code)).filter((each) => !own.has(each))) {
      byCode.set(key, byCode.has(key) ? { ...entry, isClear: false } : entry);
    }
  }
}

/**
 * A code may go on behind a slash, where a product comes in several kinds (the days of a daily plan) and the list has
 * it once: such a route leads to what is listed, and the list does not say what its kind costs.
 */
function entryFor({ product, supplierCode }: OwnRoute, byCode: ReadonlyMap<string, Entry>): Entry | null {
  const { category } = product.biller;
  const exactly = byCode.get(keyOf(category, supplierCode));
  if (exactly !== undefined) return exactly;
  const end = supplierCode.lastIndexOf("/");
  return end < 0 ? null : (byCode.get(keyOf(category, supplierCode.slice(0, end))) ?? null);
}

function whyUnclear(listed: ListedProduct, alike: readonly ListedProduct[], cost: Cost | null): Unclear["why"] | null {
  if (!isStorableCode(listed.supplierCode)) return "no route can have this code";
  if (alike.some((other) => !saysTheSame(other, listed))) return "listed twice, and not alike";
  return cost === null && listed.cost !== null ? "no route can have this cost" : null;
}

function saysTheSame(one: ListedProduct, other: ListedProduct): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ face, cost }: ListedProduct): string {
  return [face, cost].map((amount) => Object.values(amount ?? {}).join(" ")).join("; ");
}

function keyOf(category: string, supplierCode: string): string {
  return `${category} ${supplierCode}`;
}

function goneUnless(isMissing: boolean, route: OwnRoute): Difference | null {
  return isMissing || !route.enabled ? null : { kind: "gone", route };
}

function changeOf(route: OwnRoute, { listed, cost, isClear }: Entry, findLoss: FindLoss): Difference | null {
  if (!isClear || !isNamedBy(route, listed)) return null;
  if (isOtherValue(listed.face, route.product)) return route.enabled ? { kind: "value_changed", route, listed } : null;
  if (cost === null || isSameCost(cost, route.cost)) return null;
  const { product, supplier, enabled } = route;
  const loss = enabled ? findLoss({ productId: product.id, supplier, cost }) : null;
  if (loss === null) return { kind: "cost_changed", route, listed, cost };
  return { kind: "loses_money", route, listed, cost, loss };
}

/** Whether the route's code is one of the product's, and does not go on behind it. */
function isNamedBy({ supplierCode }: OwnRoute, { supplierCode: own, otherCodes = [] }: ListedProduct): boolean {
  return supplierCode === own || otherCodes.includes(supplierCode);
}

function findShrunk(routes: readonly OwnRoute[], differences: readonly Difference[]): readonly Shrunk[] {
  const on = grouped(
    routes.filter(({ enabled }) => enabled),
    ({ product }) => product.biller.category,
  );
  const gone = grouped(
    differences.flatMap((found) => (found.kind === "gone" ? found.route : [])),
    ({ product }) => product.biller.category,
  );
  return Array.from(gone, ([category, away]): Shrunk => {
    return { category, gone: away.length, routes: on.get(category)?.length ?? 0 };
  }).filter(isShrunk);
}

/** What a difference is about. */
export function subjectOf(difference: Difference): { readonly category: string; readonly supplierCode: string } {
  if (difference.kind === "new") return difference.listed;
  const { product, supplierCode } = difference.route;
  return { category: product.biller.category, supplierCode };
}

function inOrder(one: Difference, other: Difference): number {
  const kind = changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind);
  if (kind !== 0) return kind;
  const [a, b] = [subjectOf(one), subjectOf(other)].map(({ category, supplierCode }) => keyOf(category, supplierCode));
  return a === b ? 0 : (a ?? "") < (b ?? "") ? -1 : 1;
}

/** Kobo for one whole unit of a currency; null while no operator said it. */
export type RateOf = (currency: string) => Kobo | null;

/** As the table of routes bounds a fixed cost. */
const costMax = 1_000_000_000_000n;
const codeLengthMax = 200;

/** A listed cost as a route has it; null for one that no route can have. */
export function costOfListed(listed: ListedCost, rateOf: RateOf): Cost | null {
  if (listed.kind === "percent") {
    const { basisPoints: share } = listed;
    if (!Number.isInteger(share) || share < 1 || share > 10_000) return null;
    return { kind: "percent", basisPoints: basisPoints(BigInt(share)) };
  }
  const { currency, hundredths } = listed;
  if (hundredths < 1n || hundredths > costMax || !/^[A-Z]{3}$/.test(currency)) return null;
  if (currency === "NGN") return { kind: "fixed", kobo: kobo(hundredths) };
  return { kind: "foreign", currency, hundredths, rate: rateOf(currency) };
}

/** Whether both are the same money to the supplier, at whatever rate. */
export function isSameCost(one: Cost, other: Cost): boolean {
  if (one.kind === "percent") return other.kind === "percent" && one.basisPoints === other.basisPoints;
  if (one.kind === "fixed") return other.kind === "fixed" && one.kobo === other.kobo;
  return other.kind === "foreign" && one.currency === other.currency && one.hundredths === other.hundredths;
}

/** Whether a route can name a product by this code. */
export function isStorableCode(code: string): boolean {
  return code.length >= 1 && code.length <= codeLengthMax && !code.includes("\0");
}

/** The nominal value of one unit, where the product fixes it. */
function fixedValueOf(product: Product): ListedAmount | null {
  const { amountType, faceCurrency, foreignFace, face } = product;
  if (amountType !== "fixed") return null;
  if (foreignFace !== null) return { currency: faceCurrency, hundredths: foreignFace };
  return face === null ? null : { currency: "NGN", hundredths: face };
}

/**
 * Whether a listed product is worth something else than ours: a card of 10 dollars sold as one of 25. Only where a
 * category's products have their value from the trade; what a data plan is worth every seller says for himself.
 */
export function isOtherValue(face: ListedProduct["face"], product: Product): boolean {
  const { category } = product.biller;
  if (face === null || findCategory(category) === null || categoryOf(category).sells.needsFace !== true) return false;
  const value = fixedValueOf(product);
  return value !== null && (value.currency !== face.currency || value.hundredths !== face.hundredths);
}
