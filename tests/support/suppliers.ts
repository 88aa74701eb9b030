import type pg from "pg";
import type { OpenConnector } from "../../src/domain/suppliers/routing/routing.ts";
import type { Connector } from "../../src/providers/contract.ts";

/** Enters suppliers as an operator would: each serves every product, in the order given, at 90 % of the face amount. */
export async function enterSuppliers(
  pool: Pick<pg.Pool, "query">,
  suppliers: readonly Pick<Connector, "name">[],
): Promise<void> {
  for (const [i, { name }] of suppliers.entries()) {
    await pool.query("insert into suppliers (name, connector) values ($1, $1) on conflict do nothing", [name]);
    await pool.query(
      `insert into supplier_routes (product_id, supplier, supplier_code, cost_basis_points, priority)
       select id, $1, code, 9000, $2 from products
           on conflict do nothing`,
      [name, i + 1],
    );
  }
  await pool.query("update revisions set revision = revision + 1 where subject = 'routes'");
}

/** Connectors that are in the test's own process, by name. */
export function connectorsAtHand(suppliers: readonly Connector[]): OpenConnector {
  const byName = new Map(suppliers.map((supplier) => [supplier.name, supplier]));
  return ({ connector }) => byName.get(connector) ?? null;
}
