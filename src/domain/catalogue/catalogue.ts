import { findCategory } from "../../categories/category-slugs.ts";
import { least, most } from "../../categories/product/amounts.ts";
import type { Biller, Product } from "../../categories/product/product.ts";
import { assert } from "../../kernel/assert.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { kobo } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { type Remembered, type RevisionWatch, remember } from "../../platform/revisions.ts";
import { nairaValueFloor, type Price } from "./pricing.ts";
import { priceOfRow } from "./product-row.ts";
import {
  type BillerRow,
  type HiddenCategoryRow,
  listBillers,
  listHiddenCategories,
  listMerchantPrices,
  listProducts,
  listTierPrices,
  type MerchantPriceRow,
  type PriceRow,
  type ProductRow,
  type TierPriceRow,
} from "./queries.ts";
import { type CatalogueSnapshot, grouped, snapshotOf } from "./snapshot.ts";

/** The catalogue in memory: `await current()` is never older than a second. */
export type Catalogue = Remembered<CatalogueSnapshot>;

/**
 * Opens the catalogue. Everything is held in memory, merchants' own prices too: there are at most `merchantPricesMax`
 * (administration.ts), and a hundred thousand were measured to load in 130 ms and to take 32 MB. Nothing is read before
 * the first `load`.
 */
export function openCatalogue(options: { readonly database: Queryable; readonly watch: RevisionWatch }): Catalogue {
  return remember(options.watch, "catalogue", () => readCatalogue(options.database));
}

/** The catalogue as it is now; within a transaction, as that sees it. */
export async function readCatalogue(database: Queryable): Promise<CatalogueSnapshot> {
  // Products first: billers and prices read after them include all that these products need.
  const everyProduct = await database.query<ProductRow>(listProducts);
  const everyBiller = await database.query<BillerRow>(listBillers);
  // While a newer version is brought in beside it, or was taken back, this one leaves out what only that one sells.
  const billerRows = everyBiller.filter((row) => findCategory(row.category) !== null);
  const slugs = new Set(billerRows.map((row) => row.slug));
  const productRows = everyProduct.filter((row) => slugs.has(row.billerSlug));
  const tierRows = await database.query<TierPriceRow>(listTierPrices);
  const merchantRows = await database.query<MerchantPriceRow>(listMerchantPrices);
  const hiddenRows = await database.query<HiddenCategoryRow>(listHiddenCategories);
  const rowsBySlug = grouped(productRows, (row) => row.billerSlug);
  const billers = billerRows.map((row) => billerOf(row, rowsBySlug.get(row.slug) ?? []));
  const billerBySlug = new Map(billers.map((biller) => [biller.slug, biller]));
  const products = productRows.map((row) => productOf(row, billerBySlug.get(row.billerSlug) ?? null));
  return snapshotOf({
    billers,
    products,
    basePrices: pricesOf(productRows, (row) => row.id),
    tierPrices: nested(tierRows, (row) => row.tier),
    merchantPrices: nested(merchantRows, (row) => row.merchant_id as MerchantId),
    hiddenCategories: new Map(
      Array.from(
        grouped(hiddenRows, (row) => row.merchant_id as MerchantId),
        ([merchantId, rows]) => [merchantId, new Set(rows.map((row) => row.category))],
      ),
    ),
  });
}

function billerOf(row: BillerRow, products: readonly ProductRow[]): Biller {
  return {
    ...row,
    minAmount: least(products.map((product) => product.minAmount)),
    maxAmount: most(products.map((product) => product.maxAmount)),
  };
}

function productOf({ billerSlug: _slug, faceAmount, ...row }: ProductRow, biller: Biller | null): Product {
  assert(biller !== null, "a product's biller is there");
  const fxRate = row.fxRate === null ? null : kobo(row.fxRate);
  const foreignValue = row.foreignFace === null || fxRate === null ? null : nairaValueFloor(row.foreignFace, fxRate);
  return { ...row, biller, face: faceAmount === null ? foreignValue : kobo(faceAmount), fxRate };
}

function nested<Key, Row extends PriceRow & { readonly product_id: ProductId }>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): ReadonlyMap<Key, ReadonlyMap<ProductId, Price>> {
  return new Map(Array.from(grouped(rows, keyOf), ([key, own]) => [key, pricesOf(own, (row) => row.product_id)]));
}

function pricesOf<Row extends PriceRow>(
  rows: readonly Row[],
  idOf: (row: Row) => ProductId,
): ReadonlyMap<ProductId, Price> {
  return new Map(rows.map((row) => [idOf(row), priceOfRow(row)]));
}
