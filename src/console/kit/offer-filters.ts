import type { Product } from "../../categories/product/product.ts";
import { categories } from "../../categories/registry.ts";
import { choiceFilter, findFilter } from "./list-page.tsx";
import type { Visit } from "./visit.ts";

/** Options that are called by a record's names, or what they are. */
export function optionsOf<Value extends string>(named: Readonly<Record<Value, string>> | readonly Value[]) {
  const pairs = Array.isArray(named) ? named.map((value) => [value, value]) : Object.entries(named);
  return (pairs as [Value, string][]).map(([value, label]) => ({ value, label }));
}

export const categoryChoices = categories.map(({ slug, title }) => ({ value: slug, label: title }));

/** The filters of a list of products: what is typed, and of the categories and billers that sell anything. */
export function offerFilters({ query }: Pick<Visit, "query">, billers: readonly Product["biller"][]) {
  const sold = categoryChoices.filter(({ value }) => billers.some(({ category }) => category === value));
  const category = sold.find(({ value }) => value === query.get("category"))?.value ?? null;
  const shown = billers.filter((biller) => category === null || biller.category === category);
  return {
    q: findFilter("Product or its number"),
    category: choiceFilter("Category", sold),
    biller: choiceFilter(
      "Biller",
      shown.map(({ slug, name }) => ({ value: slug, label: name })),
      // One of another category is understood, and has nothing to show.
      (slug) => billers.find((biller) => biller.slug === slug)?.slug ?? null,
    ),
  };
}
