import type { Category } from "./category.ts";
import { data } from "./data.ts";
import type { CategorySlug } from "./product.ts";

/** Every category the service sells. A new one is its file and its line here. */
export const categories: readonly Category[] = [data];

const bySlug = new Map(categories.map((category) => [category.slug, category]));

export function findCategory(slug: CategorySlug): Category | null {
  return bySlug.get(slug) ?? null;
}
