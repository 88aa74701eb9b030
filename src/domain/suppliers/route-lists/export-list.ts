import type { Product } from "../../../categories/product/product.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { writeCsv } from "../../../platform/csv.ts";
import { arrayOf, type Queryable } from "../../../platform/database/database.ts";
import { priceText } from "../price-lists/difference-row.ts";
import { listProductsByCode, listProductsOfSupplier, listRoutesOfProducts, type RouteRow } from "../queries.ts";
import { costOf } from "../routing/route-table.ts";

/** The products that have a route at a supplier, or one of a code. */
export async function listRoutedProducts(
  db: Queryable,
  given: { readonly supplier: string } | { readonly code: string },
): Promise<ReadonlySet<ProductId>> {
  const isOfSupplier = "supplier" in given;
  const rows = await db.query<{ id: ProductId }>(isOfSupplier ? listProductsOfSupplier : listProductsByCode, [
    isOfSupplier ? given.supplier : given.code,
  ]);
  return new Set(rows.map(({ id }) => id));
}

const columns = ["product", "name", "supplier", "code", "cost", "priority", "weight", "on"];
const productsAtOnce = 500;

/**
 * The routes of these products as CSV, piece by piece; of one supplier where one is named: then the file is one that can be
 * imported.
 */
export async function* routesForFile(
  db: Queryable,
  products: ReadonlyMap<ProductId, Pick<Product, "name">>,
  supplier: string | null,
): AsyncGenerator<string> {
  yield writeCsv([columns]);
  const ids = [...products.keys()];
  for (let at = 0; at < ids.length; at += productsAtOnce) {
    const some = ids.slice(at, at + productsAtOnce);
    const rows = await db.query<RouteRow>(listRoutesOfProducts, [arrayOf(some)]);
    const records = rows
      .filter((row) => supplier === null || row.supplier === supplier)
      .map((row) => [
        ...[row.productId, products.get(row.productId)?.name ?? "", row.supplier, row.supplierCode],
        ...[priceText(costOf(row)), row.priority, row.weight, row.enabled],
      ]);
    if (records.length > 0) yield writeCsv(records);
  }
}
