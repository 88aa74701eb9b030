import { type CategorySlug, categoryOf } from "../../../src/categories/category-slugs.ts";
import type { Product } from "../../../src/categories/product/product.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { ask, vendRequestOf } from "../../categories/ask.ts";
import { exampleOf } from "../../categories/examples.ts";

/** A purchase of the category, as a supplier is told of it. */
export function requestOf(slug: CategorySlug, change: { readonly body?: JsonObject; readonly product?: Product } = {}) {
  const category = categoryOf(slug);
  const example = exampleOf(category);
  const body = { ...example.body, ...change.body };
  return vendRequestOf(category, ask(category, body), change.product ?? example.product, "TXN1");
}

/** The template with the sandbox's text wherever it is empty. */
export function filled(template: Json, goods: Json | undefined): Json {
  if (template === "") return goods ?? "";
  if (typeof template !== "object" || template === null) return template;
  const at = (name: string) => (goods as JsonObject | undefined)?.[name];
  if (Array.isArray(template)) return template.map((item: Json, index) => filled(item, at(String(index))));
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filled(value, at(name))]));
}
