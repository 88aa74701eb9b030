import type { Product } from "../../../categories/product/product.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { add, type Kobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { readCatalogue } from "../../catalogue/catalogue.ts";
import { listPricesOf, type SellingPriceRow } from "../../catalogue/offering-queries.ts";
import { scopeOf } from "../../catalogue/price-changes/price-lines.ts";
import { type PriceScope, quote } from "../../catalogue/pricing.ts";
import { priceOfRow } from "../../catalogue/product-row.ts";
import { type CatalogueSnapshot, grouped } from "../../catalogue/snapshot.ts";
import { costCeiling, type EnteredRoute, isReckonable } from "./route.ts";

/** How much of new purchases a supplier gets, as operators set it. Null: as much as there is. */
export interface SupplierLimits {
  /** What the purchases of a day may cost together. */
  readonly dayCost: Kobo | null;
  /** How many purchases of a day. */
  readonly dayPurchases: number | null;
  /** In hundredths of the account's currency. */
  readonly balanceFloor: bigint | null;
}

/** What a supplier's limits are compared with: all processes' purchases, as far as this one knows. */
export interface Standing {
  /** What it was sent today and did not decline at once. */
  readonly purchases: number;
  readonly cost: Kobo;
  /** What is left of our money, less what was sent since it told; null while that is unknown or old. */
  readonly balance: bigint | null;
}

/** A limit that keeps a purchase from a supplier. */
export type LimitName = "cap" | "floor";

/** The limit that a purchase of this cost would pass; null where it may go. */
export function passedLimit(limits: SupplierLimits, standing: Standing, cost: Kobo): LimitName | null {
  if (isPastCap(limits, standing, cost)) return "cap";
  return isBelowFloor(limits, standing) ? "floor" : null;
}

/** Whether the day's purchases would pass the cap with one more of this cost. */
export function isPastCap({ dayCost, dayPurchases }: SupplierLimits, standing: Standing, cost: Kobo): boolean {
  if (dayCost !== null && add(standing.cost, cost) > dayCost) return true;
  return dayPurchases !== null && standing.purchases >= dayPurchases;
}

/** An unknown balance is below no floor. */
export function isBelowFloor({ balanceFloor }: SupplierLimits, { balance }: Standing): boolean {
  return balanceFloor !== null && balance !== null && balance < balanceFloor;
}

/** Whether an operator set any. */
export function isLimited({ dayCost, dayPurchases, balanceFloor }: SupplierLimits): boolean {
  return dayCost !== null || dayPurchases !== null || balanceFloor !== null;
}

/** A sale for which the supplier takes more than the merchant pays. */
export interface Loss {
  readonly product: Product;
  readonly supplier: string;
  /** The price that loses: everyone's, a tier's or a merchant's. */
  readonly scope: PriceScope;
  /** In hundredths of the face currency; null where the product fixes it. */
  readonly amount: bigint | null;
  readonly quantity: number;
  /** For the whole. */
  readonly cost: Kobo;
  /** For the whole, with its fee. */
  readonly price: Kobo;
}

type Costly = Pick<EnteredRoute, "productId" | "supplier" | "cost">;

/** The smallest sale by which such a route loses money; null where none does, or its cost cannot be reckoned. */
export type FindLoss = (route: Costly) => Loss | null;

/**
 * Finds, for each route by which some sale would lose money, the smallest such sale, at the price that loses most.
 * Looks at every price that a merchant may pay: the base price, tier prices and merchants' own prices.
 */
export async function findLosses(database: Queryable, routes: readonly Costly[]): Promise<readonly Loss[]> {
  const findLoss = await openFindLoss(
    database,
    routes.map(({ productId }) => productId),
  );
  return routes.flatMap((route) => findLoss(route) ?? []);
}

/** Reads all prices of these products, to find the losses of routes that there are, or might be. */
export async function openFindLoss(
  database: Queryable,
  productIds: readonly ProductId[],
  catalogue: CatalogueSnapshot | null = null,
): Promise<FindLoss> {
  const { findProduct } = catalogue ?? (await readCatalogue(database));
  const rows = await listPricesOf(database, [...new Set(productIds)]);
  const prices = grouped(rows, ({ productId }) => productId);
  return (route) => {
    const product = isReckonable(route) ? findProduct(route.productId) : null;
    return product === null ? null : lossOf(route, product, prices.get(product.id) ?? []);
  };
}

function lossOf({ supplier, cost }: Costly, product: Product, prices: readonly SellingPriceRow[]): Loss | null {
  for (const sale of extremeSales(product)) {
    const losses = prices
      .map((row): Loss => {
        const { faceAmount, total } = quote(product, priceOfRow(row), sale);
        const whole = costCeiling(cost, { quantity: sale.quantity, faceAmount });
        return { product, supplier, scope: scopeOf(row.tier, row.merchantId), ...sale, cost: whole, price: total };
      })
      .filter((loss) => loss.cost > loss.price)
      .sort((one, other) => (one.price < other.price ? -1 : 1));
    if (losses[0] !== undefined) return losses[0];
  }
  return null;
}

/** If none of these loses, no sale between them does: fees are flat, capped or a share, and all else grows with it. */
export function extremeSales({ amountType, minAmount, maxAmount, minQuantity, maxQuantity }: Product) {
  const amounts = amountType === "variable" ? [minAmount, maxAmount] : [null];
  return [minQuantity, maxQuantity].flatMap((quantity) => amounts.map((amount) => ({ amount, quantity })));
}
