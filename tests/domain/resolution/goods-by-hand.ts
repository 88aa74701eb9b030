import type { CategorySlug, Product } from "../../../src/domain/categories/product.ts";
import { categoryOf } from "../../../src/domain/categories/registry.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { ask, vendRequestOf } from "../categories/ask.ts";
import { examples } from "../categories/examples.ts";

/** A purchase of the category, as a supplier is told of it. */
export function requestOf(slug: CategorySlug, change: { readonly body?: JsonObject; readonly product?: Product } = {}) {
  const category = categoryOf(slug);
  const body = { ...examples[slug].body, ...change.body };
  return vendRequestOf(category, ask(category, body), change.product ?? examples[slug].product, "TXN1");
}

/** The template with the sandbox's text wherever it is empty. */
export function filled(template: Json, goods: Json | undefined): Json {
  if (template === "") return goods ?? "";
  if (typeof template !== "object" || template === null) return template;
  const at = (name: string) => (goods as JsonObject | undefined)?.[name];
  if (Array.isArray(template)) return template.map((item: Json, index) => filled(item, at(String(index))));
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filled(value, at(name))]));
}
