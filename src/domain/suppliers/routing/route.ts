import { assert } from "../../../kernel/assert.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { formatHundredths, formatNaira, kobo, multiply, shareCeiling } from "../../../kernel/money.ts";
import type { UnitPrice } from "../../catalogue/pricing.ts";

/** A supplier sells to us what merchants buy. */
export interface Supplier {
  readonly name: string;
  /** The name of the connector that speaks its API. */
  readonly connector: string;
  readonly settings: JsonObject;
  /** Sealed; null where the supplier needs none. */
  readonly credentials: string | null;
  /** A disabled supplier gets no new purchase; it is still asked about those that it was sent before. */
  readonly state: "enabled" | "disabled";
}

/** What a supplier takes from us: so many kobo a unit, a share of the face amount, or so much of another currency. */
export type Cost = UnitPrice | ForeignCost;

/** What a supplier takes for a unit, in its own currency. */
export interface ForeignCost {
  readonly kind: "foreign";
  /** Three capital letters. */
  readonly currency: string;
  readonly hundredths: bigint;
  /** Kobo for one whole unit of the currency; null while no operator said it: then the route serves nothing. */
  readonly rate: Kobo | null;
}

/** One supplier's way of serving a product. */
export interface SupplierRoute {
  readonly productId: ProductId;
  readonly supplier: string;
  /** What the supplier calls the product. */
  readonly supplierCode: string;
  readonly cost: Cost;
  /** Lower comes first. */
  readonly priority: number;
  /** Its share of a product that is chosen by weight, from 0 to 100. */
  readonly weight: number;
}

/** A route as it is set: its weight is set by itself. */
export type EnteredRoute = Omit<SupplierRoute, "weight">;

export const routeOrders = ["priority", "cost", "weight"] as const;
/** The measure by which a product's route is chosen. */
export type RouteOrder = (typeof routeOrders)[number];

/** How much is bought, as far as its cost depends on it. */
export interface Amounts {
  readonly quantity: number;
  /** Nominal value of the whole in kobo. */
  readonly faceAmount: Kobo;
}

/** The same of a product, as suppliers' connectors know it. */
export interface BoughtProduct extends Amounts {
  readonly productId: number;
}

/** The supplier's price for the whole, rounded up: a cost never looks smaller than it is. */
export function costCeiling(cost: Cost, { quantity, faceAmount }: Amounts): Kobo {
  assert(quantity > 0, "a quantity counts from one");
  if (cost.kind === "fixed") return multiply(cost.kobo, quantity);
  if (cost.kind === "percent") return shareCeiling(faceAmount, cost.basisPoints);
  assert(cost.rate !== null, "a route without a rate serves nothing");
  return kobo((cost.hundredths * BigInt(quantity) * cost.rate + 99n) / 100n);
}

/** `USD 4.50 at 1600.00`: a foreign cost for the whole and its rate, as it is kept with the attempt. Null for naira. */
export function foreignCostText(cost: Cost, { quantity }: Amounts): string | null {
  if (cost.kind !== "foreign" || cost.rate === null) return null;
  return `${cost.currency} ${formatHundredths(cost.hundredths * BigInt(quantity))} at ${formatNaira(cost.rate)}`;
}

/** Whether what it takes can be reckoned in naira. */
export function isReckonable({ cost }: Pick<SupplierRoute, "cost">): boolean {
  return cost.kind !== "foreign" || cost.rate !== null;
}
