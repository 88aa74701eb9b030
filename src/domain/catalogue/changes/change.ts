import type { Category } from "../../../categories/category.ts";
import { categoryOf } from "../../../categories/category-slugs.ts";
import type { Product } from "../../../categories/product/product.ts";
import { selectionOf } from "../../../categories/product/product-shape.ts";
import { assert } from "../../../kernel/assert.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { type Refusal, refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { violatedConstraint } from "../../../platform/database/database-errors.ts";
import { bumpRevision } from "../../../platform/revisions.ts";
import { readCatalogue } from "../catalogue.ts";
import { countMerchantPrices } from "../queries.ts";

/**
 * Runs one change of the catalogue. All processes feel it within a second: it raises the revision in its own
 * transaction, and does so first, so that the revision's row lock lets one change of the catalogue happen at a time.
 * The names of the constraints that carry the catalogue's rules become refusals.
 */
export async function changeCatalogue<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(async (tx) => {
      await bumpRevision(tx, "catalogue");
      return work(tx);
    });
  } catch (error) {
    throw refusalOf(violatedConstraint(error)) ?? error;
  }
}

/** Merchants' own prices are held in memory by every process; past this many, a price tier is the better tool. */
export const merchantPricesMax = 100_000;

/** How many there are. */
export async function countOwnPrices(tx: Tx): Promise<bigint> {
  return (await tx.query<{ count: bigint }>(countMerchantPrices))[0]?.count ?? 0n;
}

/** For a transaction that may have added some to what there were before. @throws Refusal VALIDATION_ERROR */
export async function refuseTooMany(tx: Tx, before: bigint): Promise<void> {
  const count = await countOwnPrices(tx);
  if (count <= before || count <= BigInt(merchantPricesMax)) return;
  throw refuseField("VALIDATION_ERROR", "merchant", `There are ${merchantPricesMax} such prices; use a price tier.`);
}

/** Columns whose check is a bound: what must be. */
const bounds: Readonly<Record<string, string>> = {
  slug: "Must be lower case letters, digits and dashes, at most 63.",
  code: "Must be lower case letters, digits, dots and dashes, at most 80.",
  name: "Must have 1 to 150 characters, a biller's at most 100.",
  customer_label: "Must have 1 to 60 characters.",
  plan: "Must have 1 to 100 characters.",
  plan_type: "Must have 1 to 40 characters.",
  validity: "Must have 1 to 40 characters.",
  legacy_plan_id: "Must be a whole number from 1 to 999.",
  face_amount: "Must be from 1.00 to 10000000000.00.",
  foreign_face: "Must be from 1.00 to 1000000.00.",
  min_amount: "Must be from 1.00 to 10000000000.00.",
  max_amount: "Must be from 1.00 to 10000000000.00.",
  fx_rate: "Must be at most 100000.00 naira for one unit.",
};

function refusalOf(constraint: string | null) {
  switch (constraint) {
    case "merchant_prices_merchant_id_fkey":
    case "hidden_categories_merchant_id_fkey":
      return refuse("NOT_FOUND", { message: "There is no such merchant." });
    case "products_replaced_by_fkey":
      return refuseField("VALIDATION_ERROR", "replaced_by", "There is no such product.");
    case "products_replaced_by_another":
      return refuseField("VALIDATION_ERROR", "replaced_by", "Must be another product.");
    case "products_largest_purchase":
      return refuse("VALIDATION_ERROR", { message: "The largest purchase would cost more than ten trillion naira." });
    default: {
      const column = /^(?:products|billers)_(\w+)_check$/.exec(constraint ?? "")?.[1] ?? "";
      const bound = bounds[column];
      return bound === undefined ? null : refuseField("VALIDATION_ERROR", column, bound);
    }
  }
}

/** The refusal of something that billers or products of the category have not. */
export function refuseForeignTo({ slug }: Category, field: string): Refusal {
  return refuseField("VALIDATION_ERROR", field, `Is nothing that ${slug} has: leave it out.`);
}

/**
 * Finds a product that this transaction puts on offer. @throws Refusal where a request that names no product id could
 * then mean another one as well: from then on every such request would be refused
 */
export async function assertUniquelySelectable(tx: Tx, id: ProductId): Promise<Product> {
  const { findProduct, products } = await readCatalogue(tx);
  const product = findProduct(id);
  assert(product !== null, "the product is there");
  const words = meaningOf(product);
  const other = products.find((each) => each.id !== id && each.available && meaningOf(each) === words);
  if (words === null || other === undefined) return product;
  throw refuse("VALIDATION_ERROR", {
    message: `A request that says ${words} means product ${other.id}, "${other.name}": take that off sale first.`,
  });
}

function meaningOf(product: Product): string | null {
  const { category } = product.biller;
  const selection = selectionOf(categoryOf(category).sells, product);
  if (selection === null) return null;
  const words = Object.entries(selection).map(([field, value]) => `${field} ${value}`);
  return `${category} of ${words.join(" and ")}`;
}
