import type { MerchantId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { LimitName } from "./limits.ts";
import { type Amounts, costCeiling, foreignCostText, type RouteOrder, type SupplierRoute } from "./route.ts";

/** Everything that the choice of a route depends on. */
export interface Choosing {
  /** The product's routes to suppliers that are enabled and have a connector. */
  readonly routes: readonly SupplierRoute[];
  readonly by: RouteOrder;
  readonly amounts: Amounts;
  /** Decides the choice by weight. */
  readonly purchase: PurchaseName;
  /** Suppliers that have declined this purchase already. */
  readonly tried: ReadonlySet<string>;
  /** Whether the supplier's breaker lets a purchase through. */
  readonly admits: (supplier: string) => boolean;
  /** The supplier's limit that a purchase of this cost would pass; null where it may go. */
  readonly limitOf: (supplier: string, cost: Kobo) => LimitName | null;
}

interface ChosenRoute {
  readonly kind: "chosen";
  readonly supplier: string;
  readonly supplierCode: string;
  /** What the supplier takes for the whole purchase, in kobo. */
  readonly cost: Kobo;
  /** The cost in the supplier's own currency and at what rate; null where that is naira. */
  readonly foreignCost: string | null;
  /** Why this supplier was chosen, for the operator: kept with the attempt. */
  readonly reason: string;
}

export type RouteChoice =
  | ChosenRoute
  /** No supplier serves the product. */
  | { readonly kind: "unserved" }
  /** Every supplier that serves the product was tried. */
  | { readonly kind: "exhausted" }
  /** None of the suppliers that are left may get it, and the breaker of at least one is open. */
  | { readonly kind: "all_open" }
  /** All suppliers that are left are at their caps or below their floors. */
  | { readonly kind: "all_limited" };

/**
 * Chooses the route of one attempt: of the suppliers not tried yet whose breaker is not open and whose limits leave room,
 * the cheapest, the first in priority, or the one that the purchase's name draws by weight; ties go by priority, cost and
 * name, so that the choice is the same in every process. Pure.
 */
export function chooseRoute(choosing: Choosing): RouteChoice {
  const { routes, by, amounts, tried, admits, limitOf } = choosing;
  if (routes.length === 0) return { kind: "unserved" };
  const seed = by === "weight" ? seedOf(choosing.purchase) : 0;
  const left: LeftOut = { open: "", cap: "", floor: "" };
  let isSomeoneLeft = false;
  let candidates = 0;
  let weights = 0;
  let best: Offer | undefined;
  for (const route of routes) {
    if (tried.has(route.supplier)) continue;
    isSomeoneLeft = true;
    const cost = costCeiling(route.cost, amounts);
    const why = admits(route.supplier) ? limitOf(route.supplier, cost) : "open";
    if (why !== null) {
      left[why] += ` ${route.supplier}`;
      continue;
    }
    candidates += 1;
    weights += route.weight;
    const offer = { route, cost, lot: by === "weight" ? lotOf(seed, route.supplier, route.weight) : 0 };
    if (best === undefined || compare(offer, best, by) < 0) best = offer;
  }
  if (best === undefined) {
    return { kind: !isSomeoneLeft ? "exhausted" : left.open !== "" ? "all_open" : "all_limited" };
  }
  const { supplier, supplierCode, weight } = best.route;
  const reason = reasonOf({ by, candidates, weight, weights, left, tried });
  const foreignCost = foreignCostText(best.route.cost, amounts);
  return { kind: "chosen", supplier, supplierCode, cost: best.cost, foreignCost, reason };
}

/** Suppliers that may not get the purchase now, by why: names, each behind a space. */
type LeftOut = Record<LimitName | "open", string>;

interface Offer {
  readonly route: SupplierRoute;
  readonly cost: Kobo;
  readonly lot: number;
}

function compare(a: Offer, b: Offer, by: RouteOrder): number {
  // Not subtracted: two that stand in for the others have infinite lots.
  if (a.lot !== b.lot) return a.lot < b.lot ? -1 : 1;
  const cost = a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0;
  const priority = a.route.priority - b.route.priority;
  const name = a.route.supplier < b.route.supplier ? -1 : 1;
  return by === "cost" ? cost || priority || name : priority || cost || name;
}

/** A product has a handful of routes; a reason stays one line whatever an operator enters. */
const reasonLengthMax = 200;

function reasonOf(facts: {
  readonly by: RouteOrder;
  readonly candidates: number;
  readonly weight: number;
  readonly weights: number;
  readonly left: LeftOut;
  readonly tried: ReadonlySet<string>;
}): string {
  const { by, candidates, weight, weights, left, tried } = facts;
  let reason = "the only one";
  if (candidates > 1 && by === "weight") reason = `weight ${weight} of ${weights}`;
  else if (candidates > 1) reason = `${by === "cost" ? "least cost" : "first in priority"} of ${candidates}`;
  if (left.open !== "") reason += `; open:${left.open}`;
  if (left.cap !== "") reason += `; at its cap:${left.cap}`;
  if (left.floor !== "") reason += `; below its floor:${left.floor}`;
  if (tried.size > 0) reason += `; declined: ${[...tried].join(" ")}`;
  return reason.length > reasonLengthMax ? reason.slice(0, reasonLengthMax) : reason;
}

/** What tells one purchase from all others before it has an id: whoever buys, and what it calls the purchase. */
export interface PurchaseName {
  readonly merchantId: MerchantId;
  readonly reference: string;
}

const fnvBasis = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** The part of a purchase's lots that its name decides. */
export function seedOf({ merchantId, reference }: PurchaseName): number {
  return hashed(reference, Math.imul(fnvBasis ^ merchantId, fnvPrime));
}

/**
 * A purchase's lot at a supplier, for a choice by weight: of all lots the lowest wins. The lot is an exponential variable
 * whose rate is the weight, so each supplier wins its weight's share, and where one is left out, its purchases alone move,
 * to the others by their weights (rendezvous hashing). Nothing is drawn by chance: every process finds the same one.
 * A weight of 0 loses to all others.
 */
export function lotOf(seed: number, supplier: string, weight: number): number {
  // Above 0 and below 1.
  const share = (mixed(hashed(supplier, seed)) + 0.5) / 0x1_0000_0000;
  return weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(share) / weight;
}

/** FNV-1a, over the characters' codes. */
function hashed(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), fnvPrime);
  return hash;
}

/** The end of MurmurHash3: names that differ in one last digit end far apart. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
