import { assert } from "../../kernel/assert.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { kobo } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { type Remembered, type RevisionWatch, remember } from "../../platform/revisions.ts";
import { findCategory } from "../../categories/category-slugs.ts";
import { least, most } from "../../categories/product/amounts.ts";
import type { Biller, Product } from "../../categories/product/product.ts";
import { grouped } from "./grouped.ts";
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
import { type CatalogueSnapshot, snapshotOf } from "./snapshot.ts";

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
  const productRows = everyProduct.filter((row) => slugs.has(row.biller_slug));
  const tierRows = await database.query<TierPriceRow>(listTierPrices);
  const merchantRows = await database.query<MerchantPriceRow>(listMerchantPrices);
  const hiddenRows = await database.query<HiddenCategoryRow>(listHiddenCategories);
  const rowsBySlug = grouped(productRows, (row) => row.biller_slug);
  const billers = billerRows.map((row) => billerOf(row, rowsBySlug.get(row.slug) ?? []));
  const billerBySlug = new Map(billers.map((biller) => [biller.slug, biller]));
  const products = productRows.map((row) => productOf(row, billerBySlug.get(row.biller_slug) ?? null));
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
    slug: row.slug,
    name: row.name,
    category: row.category,
    network: row.network,
    customerField: row.customer_field,
    customerLabel: row.customer_label,
    requiresVerification: row.requires_verification,
    supportsBulk: row.supports_bulk,
    meterTypes: row.meter_types,
    minAmount: least(products.map((product) => product.min_amount)),
    maxAmount: most(products.map((product) => product.max_amount)),
    status: row.status,
  };
}

function productOf(row: ProductRow, biller: Biller | null): Product {
  assert(biller !== null, "a product's biller is there");
  const fxRate = row.fx_rate === null ? null : kobo(row.fx_rate);
  const foreignValue = row.foreign_face === null || fxRate === null ? null : nairaValueFloor(row.foreign_face, fxRate);
  return {
    id: row.id,
    code: row.code,
    biller,
    name: row.name,
    plan: row.plan,
    planType: row.plan_type,
    validity: row.validity,
    amountType: row.amount_type,
    face: row.face_amount === null ? foreignValue : kobo(row.face_amount),
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
    minQuantity: row.min_quantity,
    maxQuantity: row.max_quantity,
    faceCurrency: row.face_currency,
    foreignFace: row.foreign_face,
    fxRate,
    meterType: row.meter_type,
    legacyPlanId: row.legacy_plan_id,
    attributes: row.attributes,
    available: row.available,
    replacedBy: row.replaced_by,
    updatedAt: row.updated_at,
  };
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
