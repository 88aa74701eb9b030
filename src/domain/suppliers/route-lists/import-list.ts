import type { ProductId } from "../../../kernel/ids.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import { arrayOf, type Database, type Queryable } from "../../../platform/database/database.ts";
import { takesCodes } from "../../../providers/registry.ts";
import { change, putListedRoutes } from "../administration.ts";
import { priceText } from "../price-lists/difference-row.ts";
import { deleteListedRoutes, listRoutesOfSupplier, listSuppliers, type RouteRow } from "../queries.ts";
import { changedMeanwhile, versionOf } from "../routing/arrange-routes.ts";
import type { Cost, Supplier } from "../routing/route.ts";
import { costOf } from "../routing/route-table.ts";
import { findLineFaults, type LineFault, type ListedRoute, refuseFaults } from "./line-faults.ts";
import { type RouteList, readListText, readRouteList } from "./read-list.ts";

/** Stands for the code where a supplier's connector has none. */
const noCode = "-";

/** The code of routes for which nobody gave one; null where the supplier needs one. @throws Refusal NOT_FOUND */
export async function impliedCode(database: Queryable, supplier: string): Promise<string | null> {
  const known = (await database.query<Supplier>(listSuppliers)).find(({ name }) => name === supplier);
  if (known === undefined) throw refuse("NOT_FOUND", { message: "There is no such supplier." });
  return takesCodes(known.connector) ? null : noCode;
}

/** The places of a supplier's routes, for a list that names none. */
export async function readPriorities(
  database: Queryable,
  supplier: string,
): Promise<(productId: ProductId) => number | null> {
  const rows = await database.query<RouteRow>(listRoutesOfSupplier, [supplier]);
  const priorities = new Map(rows.map(({ productId, priority }) => [productId, priority]));
  return (productId) => priorities.get(productId) ?? null;
}

/** What a list does to one route. `moved`: to another place among the product's routes, and nothing else. */
export interface PlannedRoute {
  readonly kind: "added" | "changed" | "moved" | "removed";
  readonly productId: ProductId;
  /** Of the list; null for a route that the list doesn't have. */
  readonly line: number | null;
  readonly before: RouteRow | null;
  readonly after: ListedRoute | null;
}

export interface ImportPlan {
  readonly planned: readonly PlannedRoute[];
  /** Routes that are in the list as they are here. */
  readonly unchanged: number;
  /** In the order of the lines. */
  readonly faults: readonly LineFault[];
  /** Routes of the list that are off, and stay so. */
  readonly off: ReadonlySet<ProductId>;
  /** Another one as soon as somebody changes a route of the supplier. */
  readonly version: string;
}

/** How many routes a plan changes, by how. */
export function countsOf(planned: readonly PlannedRoute[]) {
  const counts = { added: 0, changed: 0, moved: 0, removed: 0 };
  for (const { kind } of planned) counts[kind] += 1;
  return counts;
}

/** How a list is meant: it names all routes of the supplier, or some. */
export interface ListedWhole {
  readonly isWhole: boolean;
}

/** Reads a supplier's list that was pasted, uploaded or kept. @throws Refusal VALIDATION_ERROR at the field `list` */
export async function readGivenList(
  database: Queryable,
  { supplier, text, isWhole }: ListedWhole & { readonly supplier: string; readonly text: string },
): Promise<RouteList & ListedWhole> {
  const { lines, faults } = await readListText(text);
  const code = lines.some(({ record }) => "code" in record) ? "" : await impliedCode(database, supplier);
  if (code === null) {
    const message = `${supplier} calls products by codes: the list needs a column code.`;
    throw refuseField("VALIDATION_ERROR", "list", message);
  }
  const list = readRouteList(lines, { supplier, code, priorityOf: await readPriorities(database, supplier) });
  return { ...list, faults: [...faults, ...list.faults], isWhole };
}

/** Compares a supplier's list with its routes. Changes nothing. */
export async function planImport(db: Queryable, list: RouteList & ListedWhole): Promise<ImportPlan> {
  const rows = await db.query<RouteRow>(listRoutesOfSupplier, [list.supplier]);
  const found = await findLineFaults(db, list.routes);
  const present = new Map(rows.map((row) => [row.productId, row]));
  const compared = list.routes.flatMap((after) => planOf(present.get(after.productId) ?? null, after) ?? []);
  const listed = new Set(list.routes.map(({ productId }) => productId));
  const removed = !list.isWhole ? [] : rows.filter(({ productId }) => !listed.has(productId));
  return {
    planned: [
      ...compared,
      ...removed.map((before) => ({
        ...{ kind: "removed" as const, productId: before.productId, line: null, before, after: null },
      })),
    ],
    unchanged: list.routes.length - compared.length,
    off: new Set(rows.filter(({ enabled }) => !enabled).map(({ productId }) => productId)),
    faults: [...list.faults, ...found].sort((one, other) => one.line - other.line),
    version: versionOf(rows),
  };
}

function planOf(before: RouteRow | null, after: ListedRoute): PlannedRoute | null {
  const { productId, line } = after;
  if (before === null) return { kind: "added", productId, line, before, after };
  const isSame = before.supplierCode === after.supplierCode && isSameCost(costOf(before), after.cost);
  if (isSame && before.priority === after.priority) return null;
  return { kind: isSame ? "moved" : "changed", productId, line, before, after };
}

function isSameCost(one: Cost, other: Cost): boolean {
  return priceText(one) === priceText(other);
}

/**
 * Makes a supplier's routes those of its list, all or none; a route that is off stays off. One change of routes at a time.
 * @param list.seen the version of the plan that somebody saw
 * @throws Refusal VALIDATION_ERROR where the routes are others by now, and that names every fault by its line
 */
export function importRoutes(
  database: Database,
  list: RouteList & ListedWhole & { readonly seen: string },
): Promise<ImportPlan> {
  return change(database, async (tx) => {
    const plan = await planImport(tx, list);
    if (plan.version !== list.seen) throw changedMeanwhile();
    refuseFaults(plan.faults);
    const removed = plan.planned.filter(({ after }) => after === null).map(({ productId }) => productId);
    await tx.query(deleteListedRoutes, [list.supplier, arrayOf(removed)]);
    await putListedRoutes(
      tx,
      list.supplier,
      plan.planned.flatMap(({ after }) => after ?? []),
    );
    return plan;
  });
}
