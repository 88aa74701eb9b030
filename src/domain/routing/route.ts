import { assert } from "../../kernel/assert.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { multiply, shareCeiling } from "../../kernel/money.ts";
import type { UnitPrice } from "../catalogue/pricing.ts";

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

/** What a supplier takes from us: so many kobo a unit, or a share of the face amount. */
export type Cost = UnitPrice;

/** One supplier's way of serving a product. */
export interface SupplierRoute {
  readonly productId: ProductId;
  readonly supplier: string;
  /** What the supplier calls the product. */
  readonly supplierCode: string;
  readonly cost: Cost;
  /** Lower comes first. */
  readonly priority: number;
}

const routeOrders = ["priority", "cost"] as const;
/** The measure by which a product's route is chosen. */
export type RouteOrder = (typeof routeOrders)[number];

/** How much is bought, as far as its cost depends on it. */
export interface Amounts {
  readonly quantity: number;
  /** Nominal value of the whole in kobo. */
  readonly faceAmount: Kobo;
}

/** The supplier's price for the whole, rounded up: a cost never looks smaller than it is. */
export function costCeiling(cost: Cost, { quantity, faceAmount }: Amounts): Kobo {
  assert(quantity > 0, "a quantity counts from one");
  return cost.kind === "fixed" ? multiply(cost.kobo, quantity) : shareCeiling(faceAmount, cost.basisPoints);
}
