import { assert } from "../../../kernel/assert.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { basisPoints, type Kobo, kobo } from "../../../kernel/money.ts";
import { arrayOf, type Queryable } from "../../../platform/database/database.ts";
import type { Remembered, RevisionWatch } from "../../../platform/revisions.ts";
import { remember } from "../../../platform/revisions.ts";
import { grouped } from "../../catalogue/snapshot.ts";
import {
  listRouteChoices,
  listRoutesOfProducts,
  listSupplierRoutes,
  listSuppliers,
  type RouteChoiceRow,
  type RouteRow,
} from "../queries.ts";
import { type LimitsRow, listSupplierLimits } from "./limit-queries.ts";
import { isLimited, type SupplierLimits } from "./limits.ts";
import {
  type BoughtProduct,
  type Cost,
  costCeiling,
  type EnteredRoute,
  isReckonable,
  type RouteOrder,
  type Supplier,
  type SupplierRoute,
} from "./route.ts";

/** Suppliers and routes as of one moment. Nothing here waits. */
export interface RouteTable {
  readonly suppliers: readonly Supplier[];
  findSupplier(name: string): Supplier | null;
  /** The product's routes that are switched on, of suppliers that are enabled, at costs whose rate is known, by priority. */
  routesOf(productId: ProductId): readonly SupplierRoute[];
  orderOf(productId: ProductId): RouteOrder;
  /** Null where an operator set none. */
  limitsOf(supplier: string): SupplierLimits | null;
  /** The suppliers with limits. */
  limited(): readonly string[];
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

/** All suppliers, by name. Their routes are tens of thousands of rows: a page that needs none reads none. */
export function readSuppliers(database: Queryable): Promise<Supplier[]> {
  return database.query<Supplier>(listSuppliers);
}

/** A supplier by its name, without any route. Null for none. */
export async function findSupplierNamed(database: Queryable, name: string): Promise<Supplier | null> {
  return (await readSuppliers(database)).find((supplier) => supplier.name === name) ?? null;
}

/** What operators set as limits, by supplier, without any route. */
export async function readLimits(database: Queryable): Promise<ReadonlyMap<string, SupplierLimits>> {
  const limits = await database.query<LimitsRow>(listSupplierLimits);
  return new Map(limits.filter(isLimited).map((row) => [row.supplier, row]));
}

export async function readRouteTable(database: Queryable): Promise<RouteTable> {
  // Routes first: the suppliers read after them include all that these routes need.
  const routes = await database.query<RouteRow>(listSupplierRoutes);
  return tableWith(database, routes);
}

/** The same of some products alone, and all their routes, those that are off too, by product and priority. */
export async function readRoutesOf(
  database: Queryable,
  productIds: readonly ProductId[],
): Promise<{ readonly table: RouteTable; readonly rows: readonly RouteRow[] }> {
  const rows = await database.query<RouteRow>(listRoutesOfProducts, [arrayOf(productIds)]);
  return { table: await tableWith(database, rows), rows };
}

async function tableWith(database: Queryable, routes: readonly RouteRow[]): Promise<RouteTable> {
  const choices = await database.query<RouteChoiceRow>(listRouteChoices);
  const suppliers = await readSuppliers(database);
  const limits = await readLimits(database);
  return routeTableOf({
    suppliers,
    routes: routes.filter(({ enabled }) => enabled).map(routeOf),
    orders: new Map(choices.map(({ productId, chooseBy }) => [productId, chooseBy])),
    limits,
  });
}

/** Indexes what was read. */
export function routeTableOf(contents: {
  readonly suppliers: readonly Supplier[];
  readonly routes: readonly SupplierRoute[];
  readonly orders: ReadonlyMap<ProductId, RouteOrder>;
  readonly limits: ReadonlyMap<string, SupplierLimits>;
}): RouteTable {
  const { suppliers, routes, orders, limits } = contents;
  const byName = new Map(suppliers.map((supplier) => [supplier.name, supplier]));
  const limitedNames = [...limits.keys()];
  const isUsable = (route: SupplierRoute) => byName.get(route.supplier)?.state === "enabled" && isReckonable(route);
  const byProduct = grouped(routes.filter(isUsable), ({ productId }) => productId);
  return {
    suppliers,
    findSupplier: (name) => byName.get(name) ?? null,
    routesOf: (productId) => byProduct.get(productId) ?? [],
    orderOf: (productId) => orders.get(productId) ?? "priority",
    limitsOf: (supplier) => limits.get(supplier) ?? null,
    limited: () => limitedNames,
  };
}

/** What a purchase costs us at a supplier; where it serves the product no more, what it is worth. */
export function costAt(table: Pick<RouteTable, "routesOf">, supplier: string, bought: BoughtProduct): Kobo {
  const route = table.routesOf(bought.productId as ProductId).find((each) => each.supplier === supplier);
  return route === undefined ? bought.faceAmount : costCeiling(route.cost, bought);
}

/** The same routes with the rates of their costs, where operators said them. */
export async function withRates<Route extends EnteredRoute>(
  database: Queryable,
  routes: readonly Route[],
): Promise<readonly Route[]> {
  if (!routes.some(({ cost }) => cost.kind === "foreign")) return routes;
  const stored = await database.query<RouteRow>(listSupplierRoutes);
  const rates = new Map(stored.map(({ costCurrency, costRate }) => [costCurrency, costRate]));
  return routes.map((route) => {
    if (route.cost.kind !== "foreign") return route;
    const rate = rates.get(route.cost.currency) ?? null;
    return { ...route, cost: { ...route.cost, rate: rate === null ? null : kobo(rate) } };
  });
}

export function routeOf({ productId, supplier, supplierCode, priority, weight, ...row }: RouteRow): SupplierRoute {
  return { productId, supplier, supplierCode, priority, weight, cost: costOf(row) };
}

export function costOf(row: Omit<RouteRow, keyof SupplierRoute | "enabled"> & Pick<RouteRow, "cost">): Cost {
  const { cost, costCurrency, costRate, costBasisPoints } = row;
  if (cost !== null && costCurrency !== "NGN") {
    return {
      kind: "foreign",
      currency: costCurrency,
      hundredths: cost,
      rate: costRate === null ? null : kobo(costRate),
    };
  }
  if (cost !== null) return { kind: "fixed", kobo: kobo(cost) };
  assert(costBasisPoints !== null, "a route has one cost");
  return { kind: "percent", basisPoints: basisPoints(BigInt(costBasisPoints)) };
}
