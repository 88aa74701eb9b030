import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { freeTurn } from "../../../platform/work-loop.ts";
import type { CatalogueProgress, Connector } from "../../../providers/contract.ts";
import { readCatalogue } from "../../catalogue/catalogue.ts";
import { listFxRates } from "../../catalogue/offering-queries.ts";
import { listSupplierRoutes, type RouteRow } from "../queries.ts";
import { openFindLoss } from "../routing/limits.ts";
import { costOf } from "../routing/route-table.ts";
import {
  type ChangeKind,
  type Comparison,
  compareCatalogue,
  type Difference,
  type OwnRoute,
  type RateOf,
} from "./compare.ts";
import { type DifferenceRow, differenceRow } from "./difference-row.ts";
import { insertSupplierFindings, listSupplierFindings, type StoredFindings } from "./queries.ts";

/** A connector whose supplier has a list of what it sells. */
export type ConnectorWithCatalogue = Connector & Required<Pick<Connector, "catalogue">>;

export function hasCatalogue(connector: Connector): connector is ConnectorWithCatalogue {
  return connector.catalogue !== undefined;
}

/** The turn of asking a supplier for its list: a day after a whole one, and at once after what it tells was accepted. */
export function catalogueTurn(supplier: string): string {
  return `supplier catalogue ${supplier}`;
}

const everySeconds = 86_400;
/** So many differences are kept for people to accept; a file holds all of them. */
const keptMax = 5_000;

export type DifferencesResult =
  | { readonly kind: "compared"; readonly comparison: Comparison }
  /** It did not tell its whole list: nothing is known. */
  | { readonly kind: "untold"; readonly evidence: string };

/**
 * Asks a supplier for its list, compares it with our routes, and keeps the differences. A list that was
 * not told whole leaves what was found before. Changes no route.
 */
export async function askDifferences(
  database: Queryable,
  connector: ConnectorWithCatalogue,
  onProgress?: (progress: CatalogueProgress) => void,
): Promise<DifferencesResult> {
  const listed = await connector.catalogue(onProgress);
  if (listed.kind === "failed") return { kind: "untold", evidence: listed.evidence };
  const routes = await readOwnRoutes(database, connector.name);
  const rateOf = await readRates(database);
  const productIds = routes.map(({ product }) => product.id);
  const findLoss = await openFindLoss(database, productIds);
  const comparison = compareCatalogue({ listed, routes, rateOf, findLoss });
  const rows = comparison.differences.slice(0, keptMax).map(differenceRow);
  await database.query(insertSupplierFindings, findingsOf(connector.name, countKinds(comparison.differences), rows));
  await freeTurn(database, catalogueTurn(connector.name), everySeconds);
  return { kind: "compared", comparison };
}

/** A supplier's routes, those that are off as well, with their products. */
export async function readOwnRoutes(database: Queryable, supplier: string): Promise<readonly OwnRoute[]> {
  const rows = (await database.query<RouteRow>(listSupplierRoutes)).filter((row) => row.supplier === supplier);
  const { findProduct } = await readCatalogue(database);
  return rows.flatMap(({ productId, supplierCode, priority, enabled, ...row }) => {
    const product = findProduct(productId);
    // What only a newer version sells is not this one's to compare.
    return product === null ? [] : { product, supplier, supplierCode, priority, enabled, cost: costOf(row) };
  });
}

async function readRates(database: Queryable): Promise<RateOf> {
  const rates = new Map<string, Kobo>();
  // Where a currency has two, the higher one: a cost never looks smaller than it is.
  for (const { currency, rate } of await listFxRates(database)) rates.set(currency, rate);
  return (currency) => rates.get(currency) ?? null;
}

/** The values that are stored of what was found. */
export function findingsOf(
  supplier: string,
  counts: Readonly<Record<ChangeKind, number>>,
  differences: readonly DifferenceRow[],
) {
  const { new: added, gone, value_changed, cost_changed, loses_money } = counts;
  return [supplier, added, gone, value_changed, cost_changed, loses_money, JSON.stringify(differences)];
}

export function countKinds(differences: readonly Difference[]): Readonly<Record<ChangeKind, number>> {
  const counts = { loses_money: 0, value_changed: 0, gone: 0, cost_changed: 0, new: 0 };
  for (const { kind } of differences) counts[kind] += 1;
  return counts;
}

/** What was found last at each supplier that told a list. */
export function readFindings(database: Queryable): Promise<StoredFindings[]> {
  return database.query<StoredFindings>(listSupplierFindings);
}
