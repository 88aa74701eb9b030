import type { Kobo } from "../../kernel/money.ts";
import { type Amounts, costCeiling, foreignCostText, type RouteOrder, type SupplierRoute } from "./route.ts";

/** Everything that the choice of a route depends on. */
export interface Choosing {
  /** The product's routes to suppliers that are enabled and have a connector. */
  readonly routes: readonly SupplierRoute[];
  readonly by: RouteOrder;
  readonly amounts: Amounts;
  /** Suppliers that have declined this purchase already. */
  readonly tried: ReadonlySet<string>;
  /** Whether the supplier's breaker lets a purchase through. */
  readonly admits: (supplier: string) => boolean;
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
  /** The breakers of all suppliers that are left are open. */
  | { readonly kind: "all_open" };

/**
 * Chooses the route of one attempt: of the suppliers not tried yet whose breaker is not open, the cheapest or the first
 * in priority; ties go by the other measure, then by name, so that the choice is the same in every process. Pure.
 */
export function chooseRoute(choosing: Choosing): RouteChoice {
  const { routes, by, amounts, tried, admits } = choosing;
  if (routes.length === 0) return { kind: "unserved" };
  const untried = routes.filter(({ supplier }) => !tried.has(supplier));
  if (untried.length === 0) return { kind: "exhausted" };
  const open: string[] = [];
  let best: Offer | undefined;
  for (const route of untried) {
    if (!admits(route.supplier)) {
      open.push(route.supplier);
      continue;
    }
    const offer = { route, cost: costCeiling(route.cost, amounts) };
    if (best === undefined || compare(offer, best, by) < 0) best = offer;
  }
  if (best === undefined) return { kind: "all_open" };
  const { supplier, supplierCode } = best.route;
  const reason = reasonOf({ by, candidates: untried.length - open.length, open, tried: [...tried] });
  const foreignCost = foreignCostText(best.route.cost, amounts);
  return { kind: "chosen", supplier, supplierCode, cost: best.cost, foreignCost, reason };
}

interface Offer {
  readonly route: SupplierRoute;
  readonly cost: Kobo;
}

function compare(a: Offer, b: Offer, by: RouteOrder): number {
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
  readonly open: readonly string[];
  readonly tried: readonly string[];
}): string {
  const { by, candidates, open, tried } = facts;
  const words = [
    candidates === 1 ? "the only one" : `${by === "cost" ? "least cost" : "first in priority"} of ${candidates}`,
  ];
  if (open.length > 0) words.push(`open: ${open.join(" ")}`);
  if (tried.length > 0) words.push(`declined: ${tried.join(" ")}`);
  return words.join("; ").slice(0, reasonLengthMax);
}
