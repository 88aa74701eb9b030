import { assert } from "../../kernel/assert.ts";
import { type Refusal, refuseField } from "../../kernel/problems.ts";
import type { Category } from "../categories/category.ts";
import type { CategorySlug } from "../categories/product.ts";
import { findCategory } from "../categories/registry.ts";

/** The category that a biller or a beneficiary names. */
export function categoryOf(slug: CategorySlug): Category {
  const category = findCategory(slug);
  assert(category !== null, "every category is registered");
  return category;
}

/** The refusal of something that billers or products of the category have not. */
export function refuseForeignTo({ slug }: Category, field: string): Refusal {
  return refuseField("VALIDATION_ERROR", field, `Is nothing that ${slug} has: leave it out.`);
}
