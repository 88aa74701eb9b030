import { assert } from "../kernel/assert.ts";
import type { Category } from "./category.ts";
import { categories } from "./registry.ts";

/** The slug of a category that is sold. No table lists them: what is written was read as one of these before. */
export type CategorySlug = (typeof categories)[number]["slug"];

export const categorySlugs = categories.map(({ slug }) => slug);

const bySlug = new Map<string, Category>(categories.map((category) => [category.slug, category]));

/** The category that a biller, a purchase or a beneficiary names. */
export function categoryOf(slug: string): Category {
  const category = findCategory(slug);
  assert(category !== null, "every category is registered");
  return category;
}

/** Null for what is no category that this version sells. */
export function findCategory(slug: string): Category | null {
  return bySlug.get(slug) ?? null;
}
