import type { Breakers } from "../../../src/domain/suppliers/routing/breaker.ts";
import type { RouteCounts } from "../../../src/domain/suppliers/routing/route-counts.ts";
import { type RememberedRoutes, routeTableOf } from "../../../src/domain/suppliers/routing/route-table.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, zeroKobo } from "../../../src/kernel/money.ts";
import { onSale } from "./sale.ts";

/** Everything on sale can be had of each of these suppliers, in their order. */
export function routesTo(suppliers: readonly string[]): RememberedRoutes {
  const table = routeTableOf({
    suppliers: suppliers.map((name) => ({
      name,
      connector: name,
      settings: {},
      credentials: null,
      state: "enabled",
    })),
    routes: onSale.flatMap((_item, index) =>
      suppliers.map((supplier, position) => ({
        productId: (index + 1) as ProductId,
        supplier,
        supplierCode: `code-${index + 1}`,
        cost: { kind: "percent", basisPoints: basisPoints(9_000n) } as const,
        priority: position + 1,
        weight: 100,
      })),
    ),
    orders: new Map(),
    limits: new Map(),
  });
  return { peek: () => table, current: async () => table };
}

/** Histories here have no luck with their suppliers, and go on asking all the same. */
export const neverOpen: Breakers = { admits: () => true, begin: () => () => {}, open: () => [], reasons: () => [] };

/** No limit is set here. */
export const nothingSent: Pick<RouteCounts, "standingOf"> = {
  standingOf: () => ({ purchases: 0, cost: zeroKobo, balance: null }),
};
