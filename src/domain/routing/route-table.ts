import { assert } from "../../kernel/assert.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { basisPoints, kobo } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { Remembered, RevisionWatch } from "../../platform/revisions.ts";
import { remember } from "../../platform/revisions.ts";
import { listRouteChoices, listSupplierRoutes, listSuppliers, type RouteChoiceRow, type RouteRow } from "./queries.ts";
import type { Cost, RouteOrder, Supplier, SupplierRoute } from "./route.ts";

/** Suppliers and routes as of one moment. Nothing here waits. */
export interface RouteTable {
  readonly suppliers: readonly Supplier[];
  findSupplier(name: string): Supplier | null;
  /** The product's routes that are switched on, of suppliers that are enabled, by priority. */
  routesOf(productId: ProductId): readonly SupplierRoute[];
  orderOf(productId: ProductId): RouteOrder;
}

/** The table in memory: `await current()` is never older than a second. */
export type RememberedRoutes = Remembered<RouteTable>;

/** Nothing is read before the first `load`. */
export function openRouteTable(options: {
  readonly database: Queryable;
  readonly watch: RevisionWatch;
}): RememberedRoutes {
  return remember(options.watch, "routes", () => readRouteTable(options.database));
}

export async function readRouteTable(database: Queryable): Promise<RouteTable> {
  // Routes first: the suppliers read after them include all that these routes need.
  const routes = await database.query<RouteRow>(listSupplierRoutes);
  const choices = await database.query<RouteChoiceRow>(listRouteChoices);
  const suppliers = await database.query<Supplier>(listSuppliers);
  return routeTableOf({
    suppliers,
    routes: routes.filter(({ enabled }) => enabled).map(routeOf),
    orders: new Map(choices.map(({ productId, chooseBy }) => [productId, chooseBy])),
  });
}

/** Indexes what was read. */
export function routeTableOf(contents: {
  readonly suppliers: readonly Supplier[];
  readonly routes: readonly SupplierRoute[];
  readonly orders: ReadonlyMap<ProductId, RouteOrder>;
}): RouteTable {
  const { suppliers, routes, orders } = contents;
  const byName = new Map(suppliers.map((supplier) => [supplier.name, supplier]));
  const byProduct = new Map<ProductId, SupplierRoute[]>();
  for (const route of routes) {
    if (byName.get(route.supplier)?.state !== "enabled") continue;
    const known = byProduct.get(route.productId);
    if (known === undefined) byProduct.set(route.productId, [route]);
    else known.push(route);
  }
  return {
    suppliers,
    findSupplier: (name) => byName.get(name) ?? null,
    routesOf: (productId) => byProduct.get(productId) ?? [],
    orderOf: (productId) => orders.get(productId) ?? "priority",
  };
}

function routeOf({ productId, supplier, supplierCode, priority, ...row }: RouteRow): SupplierRoute {
  return { productId, supplier, supplierCode, priority, cost: costOf(row) };
}

export function costOf({ cost, costBasisPoints }: Pick<RouteRow, "cost" | "costBasisPoints">): Cost {
  if (cost !== null) return { kind: "fixed", kobo: kobo(cost) };
  assert(costBasisPoints !== null, "a route has one cost");
  return { kind: "percent", basisPoints: basisPoints(BigInt(costBasisPoints)) };
}
