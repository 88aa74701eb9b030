import type { ListedProduct } from "../../../providers/contract.ts";
import { grouped } from "../../catalogue/grouped.ts";
import type { Product } from "../../categories/product/product.ts";
import type { FindLoss, Loss } from "../losses.ts";
import type { Cost, SupplierRoute } from "../route.ts";
import { costOfListed, isOtherValue, isSameCost, isStorableCode, type RateOf } from "./listed.ts";

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
  readonly told: { readonly categories: readonly string[]; readonly products: readonly ListedProduct[] };
  readonly routes: readonly OwnRoute[];
  readonly rateOf: RateOf;
  readonly findLoss: FindLoss;
}): Comparison {
  const { told, routes, rateOf, findLoss } = given;
  const categories = new Set(told.categories);
  const { entries, unclear } = readEntries(told.products, rateOf);
  const differences: Difference[] = [];
  for (const route of routes) {
    const entry = entries.get(keyOf(route.product.biller.category, route.supplierCode));
    const isTold = categories.has(route.product.biller.category);
    const found = entry === undefined ? goneUnless(!isTold, route) : changeOf(route, entry, findLoss);
    if (found !== null) differences.push(found);
  }
  const routed = new Set(routes.map(({ product, supplierCode }) => keyOf(product.biller.category, supplierCode)));
  for (const [key, entry] of entries) {
    if (entry.isClear && !routed.has(key)) differences.push({ kind: "new", listed: entry.listed, cost: entry.cost });
  }
  return {
    categories: told.categories,
    listed: told.products.length,
    differences: differences.toSorted(inOrder),
    unclear,
    shrunk: findShrunk(routes, differences),
    offThoughListed: routes.filter(
      ({ enabled, product, supplierCode }) => !enabled && entries.has(keyOf(product.biller.category, supplierCode)),
    ).length,
  };
}

/** What the list says of one code. */
interface Entry {
  readonly listed: ListedProduct;
  readonly cost: Cost | null;
  /** False where it cannot be so: then nothing is known but that it is listed. */
  readonly isClear: boolean;
}

function readEntries(products: readonly ListedProduct[], rateOf: RateOf) {
  const entries = new Map<string, Entry>();
  const unclear: Unclear[] = [];
  for (const [key, alike] of grouped(products, ({ category, supplierCode }) => keyOf(category, supplierCode))) {
    const [listed] = alike;
    if (listed === undefined) continue;
    const cost = listed.cost === null ? null : costOfListed(listed.cost, rateOf);
    const why = whyUnclear(listed, alike, cost);
    if (why !== null) unclear.push({ category: listed.category, supplierCode: listed.supplierCode, why });
    entries.set(key, { listed, cost, isClear: why === null });
  }
  return { entries, unclear };
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

function goneUnless(isUntold: boolean, route: OwnRoute): Difference | null {
  return isUntold || !route.enabled ? null : { kind: "gone", route };
}

function changeOf(route: OwnRoute, { listed, cost, isClear }: Entry, findLoss: FindLoss): Difference | null {
  if (!isClear) return null;
  if (isOtherValue(listed.face, route.product)) return route.enabled ? { kind: "value_changed", route, listed } : null;
  if (cost === null || isSameCost(cost, route.cost)) return null;
  const { product, supplier, enabled } = route;
  const loss = enabled ? findLoss({ productId: product.id, supplier, cost }) : null;
  if (loss === null) return { kind: "cost_changed", route, listed, cost };
  return { kind: "loses_money", route, listed, cost, loss };
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
