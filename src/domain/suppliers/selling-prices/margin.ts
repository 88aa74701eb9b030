import type { Product } from "../../../categories/product/product.ts";
import { type Kobo, subtract } from "../../../kernel/money.ts";
import { type Price, type PriceScope, quote } from "../../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { extremeSales } from "../routing/limits.ts";
import { costCeiling, type SupplierRoute } from "../routing/route.ts";
import type { RouteTable } from "../routing/route-table.ts";

/** What the smallest sale brings by the cheapest route: of a variable amount, at the least one. */
export interface Margin {
  readonly route: SupplierRoute;
  readonly cost: Kobo;
  /** With its fee. */
  readonly price: Kobo;
  /** Of the price, in hundredths of a percent; below zero at a loss. Rounded down. */
  readonly share: bigint;
}

/** Null where no route serves the product. */
export function marginOf(product: Product, price: Price, routes: readonly SupplierRoute[]): Margin | null {
  if (routes.length === 0) return null;
  const sold = quote(product, price, smallestSale(product));
  let cheapest: { readonly route: SupplierRoute; readonly cost: Kobo } | null = null;
  for (const route of routes) {
    const cost = costCeiling(route.cost, sold);
    if (cheapest === null || cost < cheapest.cost) cheapest = { route, cost };
  }
  return cheapest === null ? null : { ...cheapest, price: sold.total, share: shareOf(sold.total, cheapest.cost) };
}

/** What a merchant pays in the smallest sale, fee included. */
export function smallestTotal(product: Product, price: Price): Kobo {
  return quote(product, price, smallestSale(product)).total;
}

/** Whether some sale at this price brings less than even the cheapest route takes for it. */
export function isBelowCost(product: Product, price: Price, routes: readonly SupplierRoute[]): boolean {
  if (routes.length === 0) return false;
  return extremeSales(product).some((sale) => {
    const sold = quote(product, price, sale);
    return routes.every(({ cost }) => costCeiling(cost, sold) > sold.total);
  });
}

/** The share of `whole` that is left after `cost`, in hundredths of a percent, down: a margin never looks larger than it is. */
function shareOf(whole: Kobo, cost: Kobo): bigint {
  const scaled = subtract(whole, cost) * 10_000n;
  return scaled >= 0n ? scaled / whole : -((-scaled + whole - 1n) / whole);
}

function smallestSale({ amountType, minAmount, minQuantity }: Product) {
  return { amount: amountType === "variable" ? minAmount : null, quantity: minQuantity };
}

/** The products with a base or tier's price below cost, of one state of catalogue and routes. */
export interface Losses {
  has(product: Product): boolean;
}

/** Looks at all prices when it is first asked, and again only where the catalogue or the routes have changed since. */
export function rememberLosses(): (catalogue: CatalogueSnapshot, routes: RouteTable) => Losses {
  let known: { readonly catalogue: CatalogueSnapshot; readonly routes: RouteTable; readonly found: Losses } | null =
    null;
  return (catalogue, routes) => ({
    has(product) {
      if (known?.catalogue !== catalogue || known.routes !== routes) {
        known = { catalogue, routes, found: lossesOf(catalogue, routes) };
      }
      return known.found.has(product);
    },
  });
}

function lossesOf(catalogue: CatalogueSnapshot, { routesOf }: RouteTable): Losses {
  const scopes = scopesOf(catalogue.pricedTiers);
  return new Set(
    catalogue.products.filter((product) => {
      const routes = routesOf(product.id);
      return scopes.some((scope) => {
        const price = catalogue.ownPrice(product.id, scope);
        return price !== null && isBelowCost(product, price, routes);
      });
    }),
  );
}

/** The base price, then tiers'. */
export function scopesOf(tiers: readonly number[]): readonly PriceScope[] {
  return [{ of: "everyone" }, ...tiers.map((tier): PriceScope => ({ of: "tier", tier }))];
}
