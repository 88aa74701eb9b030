import type { Category } from "../../categories/category.ts";
import { categoryOf } from "../../categories/category-slugs.ts";
import type { Product } from "../../categories/product/product.ts";
import { assert } from "../../kernel/assert.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import type { PurchaseTerms } from "./purchase.ts";

/** The product that was bought. It never changes meaning and is never deleted: it is read from memory, not copied. */
export interface SoldProduct {
  readonly product: Product;
  readonly category: Category;
}

export function soldProductOf(catalogue: CatalogueSnapshot, purchase: Pick<PurchaseTerms, "productId">): SoldProduct {
  const product = catalogue.findProduct(purchase.productId);
  assert(product !== null, "a product that was sold stays in the catalogue");
  return { product, category: categoryOf(product.biller.category) };
}
