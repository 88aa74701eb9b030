import type { Product } from "../../../categories/product/product.ts";
import { basisPoints, kobo } from "../../../kernel/money.ts";
import { priceFault } from "../../catalogue/changes/new-product.ts";
import { isSamePrice, type PriceLine } from "../../catalogue/price-changes/price-lines.ts";
import type { Price, PriceScope, UnitPrice } from "../../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { costCeiling, type SupplierRoute } from "../routing/route.ts";
import type { RouteTable } from "../routing/route-table.ts";

/** How many prices change together. */
export interface PriceRule {
  /**
   * `percent`: today's price and so many hundredths of a percent of it; `amount`: and so many kobo; both may be below zero.
   * `margin`: the cheapest route's cost and so many hundredths of a percent of it. `set`: this price.
   */
  readonly change:
    | { readonly how: "percent" | "amount" | "margin"; readonly by: bigint }
    | { readonly how: "set"; readonly price: UnitPrice };
  readonly rounding: Rounding;
}

/** To multiples of so many kobo; shares are rounded to a hundredth of a percent. */
export interface Rounding {
  readonly step: bigint;
  readonly direction: "nearest" | "up" | "down";
}

/** Why a rule makes no price of one. */
export type NoPrice = "no route" | "a share of the amount" | "not possible";

/** The prices that a rule changes, and how many it can't change, by their reason. */
export interface RuledPrices {
  readonly lines: readonly PriceLine[];
  readonly skipped: ReadonlyMap<NoPrice, number>;
  /** Prices that are so already. */
  readonly same: number;
}

/** Applies a rule to the prices of these products, each for one scope. A tier without its own price gets one. */
export function applyRule(
  { catalogue, routes }: { readonly catalogue: CatalogueSnapshot; readonly routes: RouteTable },
  prices: readonly { readonly product: Product; readonly scope: PriceScope }[],
  rule: PriceRule,
): RuledPrices {
  const lines: PriceLine[] = [];
  const skipped = new Map<NoPrice, number>();
  let same = 0;
  for (const { product, scope } of prices) {
    const before = catalogue.ownPrice(product.id, scope);
    const present = before ?? catalogue.ownPrice(product.id, { of: "everyone" });
    if (present === null) continue;
    const ruled = newPrice(rule, { product, present, routes: routes.routesOf(product.id) });
    if (typeof ruled === "string") skipped.set(ruled, (skipped.get(ruled) ?? 0) + 1);
    else if (isSamePrice(present, { ...ruled, fee: present.fee })) same += 1;
    else lines.push({ productId: product.id, scope, before, after: { ...ruled, fee: present.fee } });
  }
  return { lines, skipped, same };
}

interface Priced {
  readonly product: Product;
  readonly present: Price;
  readonly routes: readonly SupplierRoute[];
}

/** The price by a rule, without its fee. */
export function newPrice({ change, rounding }: PriceRule, priced: Priced): UnitPrice | NoPrice {
  const ruled = change.how === "set" ? change.price : reckon(change, rounding, priced);
  if (typeof ruled === "string") return ruled;
  return priceFault(ruled, priced.product) === null ? ruled : "not possible";
}

function reckon(
  { how, by }: { readonly how: "percent" | "amount" | "margin"; readonly by: bigint },
  rounding: Rounding,
  { product, present, routes }: Priced,
): UnitPrice | NoPrice {
  if (how === "margin") return overCost({ product, present, routes }, by, rounding);
  if (present.kind === "percent") {
    if (how === "amount") return "a share of the amount";
    return shareFrom(present.basisPoints * (whole + by), whole, rounding.direction);
  }
  if (how === "amount") return fixedFrom(present.kobo + by, 1n, rounding);
  return fixedFrom(present.kobo * (whole + by), whole, rounding);
}

/** A share of the amount stays one: it is set over the cheapest cost that is a share too. */
function overCost({ product, present, routes }: Priced, by: bigint, rounding: Rounding): UnitPrice | NoPrice {
  if (routes.length === 0) return "no route";
  if (present.kind === "percent") {
    const shares = routes.flatMap(({ cost }) => (cost.kind === "percent" ? [cost.basisPoints] : []));
    const least = leastOf(shares);
    return least === null ? "a share of the amount" : shareFrom(least * (whole + by), whole, rounding.direction);
  }
  const faceAmount = product.face ?? present.kobo;
  const cost = leastOf(routes.map((route) => costCeiling(route.cost, { quantity: 1, faceAmount })));
  return cost === null ? "no route" : fixedFrom(cost * (whole + by), whole, rounding);
}

const whole = 10_000n;

function leastOf<Amount extends bigint>(amounts: readonly Amount[]): Amount | null {
  return amounts.reduce<Amount | null>((least, each) => (least === null || each < least ? each : least), null);
}

function fixedFrom(numerator: bigint, denominator: bigint, { step, direction }: Rounding): UnitPrice | NoPrice {
  if (numerator <= 0n) return "not possible";
  return { kind: "fixed", kobo: kobo(rounded(numerator, denominator * step, direction) * step) };
}

function shareFrom(numerator: bigint, denominator: bigint, direction: Rounding["direction"]): UnitPrice | NoPrice {
  if (numerator <= 0n) return "not possible";
  const share = rounded(numerator, denominator, direction);
  return share > whole ? "not possible" : { kind: "percent", basisPoints: basisPoints(share) };
}

/** A positive fraction as a whole number; half goes up, to the company. */
function rounded(numerator: bigint, denominator: bigint, direction: Rounding["direction"]): bigint {
  if (direction === "down") return numerator / denominator;
  if (direction === "up") return (numerator + denominator - 1n) / denominator;
  return (2n * numerator + denominator) / (2n * denominator);
}
