import { categoryOf } from "../../../categories/category-slugs.ts";
import type { Product } from "../../../categories/product/product.ts";
import { selectionOf } from "../../../categories/product/product-shape.ts";
import { assert } from "../../../kernel/assert.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { readCatalogue } from "../catalogue.ts";

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
    message: `A request that says ${words} means product ${other.id}, "${other.name}": take that off offer before (product disable ${other.id}).`,
  });
}

function meaningOf(product: Product): string | null {
  const { category } = product.biller;
  const selection = selectionOf(categoryOf(category).sells, product);
  if (selection === null) return null;
  const words = Object.entries(selection).map(([field, value]) => `${field} ${value}`);
  return `${category} of ${words.join(" and ")}`;
}
