import { assert } from "../../kernel/assert.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { type Refusal, refuse, refuseField } from "../../kernel/problems.ts";
import { arrayOf, type Database, type Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { type SecretBox, Unopenable } from "../../platform/sealing/secret-box.ts";
import { complaintAbout } from "../../providers/registry.ts";
import {
  deleteRoute,
  insertListedRoutes,
  insertRoute,
  insertRouteChoice,
  insertSupplier,
  listSuppliers,
  updateRouteWeight,
  updateSupplierState,
} from "./queries.ts";
import type { Cost, EnteredRoute, RouteOrder, Supplier } from "./routing/route.ts";

// Every change here is felt by all processes within a second: it bumps the revision in its own transaction, and does so
// first, so that the revision's row lock lets one change of the routes happen at a time.

/** The place that a supplier's credentials are sealed for: they open nowhere else. */
export function credentialsIdentity(supplier: string): string {
  return `suppliers/${supplier}`;
}

/** A supplier's keys and passwords; empty where it needs none, null where this deployment's key does not open them. */
export function openCredentials(
  secretBox: SecretBox,
  { name, credentials }: Pick<Supplier, "name" | "credentials">,
): JsonObject | null {
  return openKeys(secretBox, { sealed: credentials, identity: credentialsIdentity(name) });
}

/** Keys that were sealed as one JSON object for a place; empty where there are none, null as above. */
export function openKeys(
  secretBox: SecretBox,
  { sealed, identity }: { readonly sealed: string | null; readonly identity: string },
): JsonObject | null {
  if (sealed === null) return {};
  try {
    return JSON.parse(secretBox.open(sealed, identity)) as JsonObject;
  } catch (error) {
    if (error instanceof Unopenable) return null;
    throw error;
  }
}

export interface EnteredSupplier {
  readonly name: string;
  readonly connector: string;
  readonly settings: JsonObject;
  /** Null: they stay. */
  readonly credentials: JsonObject | null;
}

/**
 * Adds a supplier, or replaces its settings, and its credentials where they are given. Safe to repeat.
 * @throws Refusal VALIDATION_ERROR for a name that cannot be, one that another connector has, and for settings and
 * credentials (those it has, where none are given) that its connector could not use
 */
export function putSupplier(
  services: { readonly database: Database; readonly secretBox: SecretBox },
  fields: EnteredSupplier,
): Promise<Supplier> {
  const { name, connector, settings, credentials } = fields;
  const sealed =
    credentials === null ? null : services.secretBox.seal(JSON.stringify(credentials), credentialsIdentity(name));
  return change(services.database, async (tx) => {
    const kept = (await tx.query<Supplier>(listSuppliers)).find((row) => row.name === name);
    if (kept !== undefined && kept.connector !== connector) {
      throw refuseField("VALIDATION_ERROR", "connector", "This supplier has another connector, which it keeps.");
    }
    refuseUnusable(services.secretBox, fields, kept ?? null);
    const values = [name, connector, JSON.stringify(settings), sealed];
    const [stored] = await tx.query<Supplier>(insertSupplier, values);
    assert(stored !== undefined, "changes of the routes happen one at a time");
    return stored;
  });
}

/**
 * What connectors can't use is stored for nobody. `kept`: the supplier as it is, whose credentials stay where none are given.
 * @throws Refusal VALIDATION_ERROR
 */
export function refuseUnusable(secretBox: SecretBox, fields: EnteredSupplier, kept: Supplier | null): void {
  const { name, connector, settings, credentials } = fields;
  const usable = credentials ?? openCredentials(secretBox, kept ?? { name, credentials: null });
  if (usable === null) throw refuseSupplier("its credentials do not open under ENCRYPTION_KEY: give them again");
  const complaint = complaintAbout({ connector, settings, credentials: usable });
  if (complaint !== null) throw refuseSupplier(complaint);
}

function refuseSupplier(complaint: string) {
  return refuse("VALIDATION_ERROR", { message: `The supplier was not stored: ${complaint}.` });
}

/** Enables or disables a supplier for new purchases. @throws Refusal NOT_FOUND */
export function setSupplierState(database: Database, name: string, state: Supplier["state"]): Promise<void> {
  return change(database, async (tx) => {
    if ((await tx.query(updateSupplierState, [name, state])).length > 0) return;
    throw refuse("NOT_FOUND", { message: "There is no such supplier." });
  });
}

/**
 * Sets how a supplier serves a product. Safe to repeat.
 * @throws Refusal PRODUCT_NOT_FOUND, NOT_FOUND for an unknown supplier, VALIDATION_ERROR
 */
export async function setRoute(database: Database, route: EnteredRoute & { readonly enabled: boolean }): Promise<void> {
  await change(database, (tx) => putRoute(tx, route, route.enabled));
}

/** @param enabled null: as it is, and a new one is */
export async function putRoute(tx: Tx, route: EnteredRoute, enabled: boolean | null): Promise<void> {
  await tx.query(insertRoute, [
    route.productId,
    route.supplier,
    route.supplierCode,
    ...costColumns(route.cost),
    route.priority,
    enabled,
    route.cost.kind === "foreign" ? route.cost.currency : "NGN",
  ]);
}

/** Sets routes of one supplier, each product's once; those that are off stay so. */
export async function putListedRoutes(tx: Tx, supplier: string, routes: readonly EnteredRoute[]): Promise<void> {
  const costs = routes.map(({ cost }) => costColumns(cost));
  await tx.query(insertListedRoutes, [
    supplier,
    arrayOf(routes.map(({ productId }) => productId)),
    arrayOf(routes.map(({ supplierCode }) => supplierCode)),
    arrayOf(costs.map(([cost]) => cost)),
    arrayOf(costs.map(([, share]) => share)),
    arrayOf(routes.map(({ priority }) => priority)),
    arrayOf(routes.map(({ cost }) => (cost.kind === "foreign" ? cost.currency : "NGN"))),
  ]);
}

/** The columns cost and cost_basis_points. */
function costColumns(cost: Cost): readonly [bigint | null, bigint | null] {
  if (cost.kind === "percent") return [null, cost.basisPoints];
  return [cost.kind === "fixed" ? cost.kobo : cost.hundredths, null];
}

/** Takes a route away. False when there was none. */
export function clearRoute(database: Database, productId: ProductId, supplier: string): Promise<boolean> {
  return change(database, async (tx) => (await tx.query(deleteRoute, [productId, supplier])).length > 0);
}

/**
 * Sets a route's share, from 0 to 100, of a product that is chosen by weight. Safe to repeat.
 * @throws Refusal NOT_FOUND where there is no such route
 */
export function setRouteWeight(
  database: Database,
  {
    productId,
    supplier,
    weight,
  }: { readonly productId: ProductId; readonly supplier: string; readonly weight: number },
): Promise<void> {
  return change(database, async (tx) => {
    if ((await tx.query(updateRouteWeight, [productId, supplier, weight])).length > 0) return;
    throw refuse("NOT_FOUND", { message: "There is no such route: route list names them." });
  });
}

/** Says by what a product's route is chosen. Safe to repeat. @throws Refusal PRODUCT_NOT_FOUND */
export function setRouteOrder(database: Database, productId: ProductId, order: RouteOrder): Promise<void> {
  return change(database, async (tx) => {
    await tx.query(insertRouteChoice, [productId, order]);
  });
}

/** Runs one change of the routes, one at a time, and translates the names of the constraints that carry its rules. */
export async function change<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      await bumpRevision(tx, "routes");
      return work(tx);
    });
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

function refusalOf(error: unknown): Refusal | null {
  switch (violatedConstraint(error)) {
    case "supplier_routes_product_id_fkey":
    case "route_choices_product_id_fkey":
      return refuse("PRODUCT_NOT_FOUND");
    case "supplier_routes_supplier_fkey":
    case "supplier_limits_supplier_fkey":
      return refuse("NOT_FOUND", { message: "There is no such supplier." });
    case "suppliers_name_check":
      return refuseField("VALIDATION_ERROR", "name", "Must be lower case letters, digits and dashes, at most 40.");
    case "suppliers_connector_check":
      return refuseField("VALIDATION_ERROR", "connector", "Must be a connector's name.");
    case "supplier_routes_supplier_code_check":
      return refuseField("VALIDATION_ERROR", "code", "Must have 1 to 200 characters.");
    case "supplier_routes_cost_check":
    case "supplier_routes_cost_basis_points_check":
      return refuseField("VALIDATION_ERROR", "cost", "Must be above zero, and a share at most 100 %.");
    case "supplier_limits_day_cost_check":
    case "supplier_limits_balance_floor_check":
      return refuse("VALIDATION_ERROR", { message: "The amount must be above zero; --off takes the limit away." });
    case "supplier_routes_priority_check":
      return refuseField("VALIDATION_ERROR", "priority", "Must be a whole number from 1 to 999.");
    default:
      return null;
  }
}
