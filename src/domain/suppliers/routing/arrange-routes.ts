import { createHash } from "node:crypto";
import type { ProductId } from "../../../kernel/ids.ts";
import { type Refusal, refuse, refuseField } from "../../../kernel/problems.ts";
import { arrayOf, type Database, type Queryable } from "../../../platform/database/database.ts";
import { change, putRoute } from "../administration.ts";
import { priceText } from "../price-lists/difference-row.ts";
import {
  deleteRoute,
  insertRouteChoice,
  listRouteChoices,
  listRoutesOfProducts,
  type RouteChoiceRow,
  type RouteRow,
  updateRoutePlace,
} from "../queries.ts";
import type { EnteredRoute, RouteOrder } from "./route.ts";
import { costOf } from "./route-table.ts";

/** A product's routes as somebody may change them. */
export interface ProductRoutes {
  readonly by: RouteOrder;
  /** In the order of their priorities; those that are off too. */
  readonly rows: readonly RouteRow[];
  /** Another one as soon as somebody changes one of them, adds or removes one. */
  readonly version: string;
}

export async function readProductRoutes(db: Queryable, productId: ProductId): Promise<ProductRoutes> {
  const rows = await db.query<RouteRow>(listRoutesOfProducts, [arrayOf([productId])]);
  const choices = await db.query<RouteChoiceRow>(listRouteChoices);
  const by = choices.find((choice) => choice.productId === productId)?.chooseBy ?? "priority";
  return { by, rows, version: versionOf(rows, by) };
}

/** Names the contents of routes, whatever the rates of their currencies. */
export function versionOf(rows: readonly RouteRow[], by: RouteOrder | null = null): string {
  const texts = rows.map(({ productId, supplier, supplierCode, priority, weight, enabled, ...row }) => [
    ...[productId, supplier, supplierCode, priceText(costOf(row)), priority, weight, enabled],
  ]);
  return createHash("sha256")
    .update(JSON.stringify([by, ...texts]))
    .digest("base64url");
}

/** Routes are not those any more which somebody saw. */
export function changedMeanwhile(): Refusal {
  const message = "Someone else changed these routes. Here they are as they are now, with what you typed. Save again.";
  return refuse("VALIDATION_ERROR", { message });
}

/** So that a route can be put between two by its number. */
const priorityStep = 10;

interface Arranged {
  readonly by: RouteOrder;
  /** Whether their order is another one: else their priorities stay, and routes of one priority go on by their cost. */
  readonly isReordered: boolean;
  /** All routes of the product, the first first. */
  readonly routes: readonly Pick<RouteRow, "supplier" | "weight" | "enabled">[];
}

/** A change of one product's routes, made by somebody who saw them as this version of theirs. */
interface Seen {
  readonly productId: ProductId;
  readonly seen: string;
}

/**
 * Arranges a product's routes: their order, weights, which are on, and by what one is chosen.
 * @throws Refusal VALIDATION_ERROR where the routes are others by now, or not all of them are arranged
 */
export function arrangeRoutes(
  database: Database,
  { productId, seen, by, isReordered, routes }: Arranged & Seen,
): Promise<void> {
  return change(database, async (tx) => {
    const { rows, version } = await readProductRoutes(tx, productId);
    const present = new Map(rows.map((row) => [row.supplier, row]));
    const names = new Set(routes.map(({ supplier }) => supplier));
    const areAll =
      names.size === rows.length && routes.length === rows.length && rows.every((row) => names.has(row.supplier));
    if (version !== seen || !areAll) throw changedMeanwhile();
    for (const [at, { supplier, weight, enabled }] of routes.entries()) {
      const priority = isReordered ? (at + 1) * priorityStep : present.get(supplier)?.priority;
      await tx.query(updateRoutePlace, [productId, supplier, priority ?? priorityStep, weight, enabled]);
    }
    await tx.query(insertRouteChoice, [productId, by]);
  });
}

/**
 * Adds a route, behind those that there are. @throws Refusal PRODUCT_NOT_FOUND, NOT_FOUND for an unknown supplier,
 * VALIDATION_ERROR, at the field `supplier` where it serves the product already
 */
export function addRoute(
  database: Database,
  route: Omit<EnteredRoute, "priority"> & { readonly enabled: boolean },
): Promise<void> {
  return change(database, async (tx) => {
    const { rows } = await readProductRoutes(tx, route.productId);
    checkIsNew(rows, route.supplier);
    const last = rows.at(-1)?.priority ?? 0;
    await putRoute(tx, { ...route, priority: Math.min(priorityMax, last + priorityStep) }, route.enabled);
  });
}

/** @throws Refusal VALIDATION_ERROR, at the field `supplier` where it serves the product already */
export function checkIsNew(rows: readonly { readonly supplier: string }[], name: string): void {
  if (rows.every(({ supplier }) => supplier !== name)) return;
  throw refuseField("VALIDATION_ERROR", "supplier", "There is a route to this supplier already.");
}

const priorityMax = 999;

/**
 * Changes what a supplier calls the product and takes for it; its place stays.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR, also where the routes are others by now
 */
export function changeRoute(
  database: Database,
  { seen, enabled, ...route }: Omit<EnteredRoute, "priority"> & Seen & { readonly enabled: boolean },
): Promise<void> {
  return change(database, async (tx) => {
    const { rows, version } = await readProductRoutes(tx, route.productId);
    const present = rows.find(({ supplier }) => supplier === route.supplier);
    if (present === undefined) throw refuse("NOT_FOUND");
    if (version !== seen) throw changedMeanwhile();
    await putRoute(tx, { ...route, priority: present.priority }, enabled);
  });
}

/** Removes a route. @throws Refusal NOT_FOUND where there is none */
export function removeRoute(database: Database, productId: ProductId, supplier: string): Promise<void> {
  return change(database, async (tx) => {
    if ((await tx.query(deleteRoute, [productId, supplier])).length === 0) throw refuse("NOT_FOUND");
  });
}
