import { setRoute } from "../../../src/domain/suppliers/administration.ts";
import { type AcceptedLine, acceptDifferences } from "../../../src/domain/suppliers/price-lists/accept.ts";
import { askDifferences } from "../../../src/domain/suppliers/price-lists/ask-differences.ts";
import { type Comparison, type Difference, subjectOf } from "../../../src/domain/suppliers/price-lists/compare.ts";
import type { Cost } from "../../../src/domain/suppliers/routing/route.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { type Database, openDatabase, openPool } from "../../../src/platform/database/database.ts";
import type { Connector } from "../../../src/providers/contract.ts";
import { type FreshDatabase, stockedDatabase } from "../database.ts";
import { listedCategories, listedOf, type SentProduct } from "./price-list-kind.ts";

/** Data plans of the starting catalogue, and its Amazon cards of 10, 25, 50 and 100 dollars. */
export const plans = [1002, 1003, 1004, 1005, 1006, 1042, 1062] as ProductId[];
export const cards = [11001, 11002, 11003, 11004] as ProductId[];

export const naira = (whole: number): Cost => ({ kind: "fixed", kobo: kobo(BigInt(whole) * 100n) });

/** A stocked database of our routes to a supplier called lister, and what becomes of them. */
export interface ListedRoutes {
  readonly fresh: FreshDatabase;
  readonly database: Database;
  /** As at the start: the suppliers lister and other, and no routes. */
  empty(): Promise<void>;
  routed(productId: number, supplierCode: string, cost: Cost, enabled?: boolean): Promise<void>;
  compareWith(products: readonly SentProduct[]): Promise<Comparison>;
  accept(lines: readonly AcceptedLine[], mayShrink?: boolean): ReturnType<typeof acceptDifferences>;
  /** Our routes to lister. */
  stored(): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

export async function openListedRoutes(): Promise<ListedRoutes> {
  const fresh = await stockedDatabase();
  const options = { connectionString: fresh.url, connectionsMax: 4, applicationName: "listed routes" };
  const database = openDatabase(openPool({ ...options, plans: "ordinary" }));
  return {
    fresh,
    database,
    async empty() {
      await fresh.pool.query("truncate suppliers, turns cascade");
      await fresh.pool.query(
        "insert into suppliers (name, connector) values ('lister', 'vtpass'), ('other', 'vtpass')",
      );
    },
    routed: (id, supplierCode, cost, enabled = true) =>
      setRoute(database, { productId: id as ProductId, supplier: "lister", supplierCode, cost, priority: 7, enabled }),
    async compareWith(products) {
      const reply = { kind: "told", categories: listedCategories, products: products.map(listedOf) } as const;
      const connector = { name: "lister", catalogue: async () => reply } as unknown as Connector;
      const calls = await askDifferences(database, connector as Parameters<typeof askDifferences>[1]);
      if (calls.kind === "untold") throw new Error(calls.evidence);
      return calls.comparison;
    },
    accept: (lines, mayShrink = true) =>
      acceptDifferences(database, { supplier: "lister", lines, faults: [], mayShrink }),
    stored: async () =>
      (
        await fresh.pool.query(
          `select product_id as id, supplier_code as code, cost::int, cost_currency as currency,
                  cost_basis_points as share, enabled, priority
             from supplier_routes where supplier = 'lister' order by product_id`,
        )
      ).rows,
    drop: () => database.close().then(() => fresh.drop()),
  };
}

/** A line as a file has it, from what was found. */
export function lineOf(difference: Difference, line: number, productId: ProductId | null): AcceptedLine {
  const route = "route" in difference ? difference.route : null;
  return {
    line,
    kind: difference.kind,
    verdict: "yes",
    ...subjectOf(difference),
    productId: route?.product.id ?? productId,
    priority: 100,
    cost: "cost" in difference ? difference.cost : null,
    costBefore: route?.cost ?? null,
    face: "listed" in difference ? difference.listed.face : null,
  };
}
