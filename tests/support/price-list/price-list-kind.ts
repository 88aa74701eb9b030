import { baseUrl, httpKind, withoutSlash } from "../../../src/providers/connector-kind.ts";
import type { ListedProduct } from "../../../src/providers/contract.ts";
import type { CatalogueList, Dialect } from "../../../src/providers/dialect.ts";
import type { Reply } from "../../../src/providers/reply.ts";

/** A page as the played supplier sends it; `next` is the number of the page after it. */
export interface Page {
  readonly products: readonly SentProduct[];
  readonly next: number | null;
}

/** A listed product as JSON has it. */
export type SentProduct = Omit<ListedProduct, "face" | "cost"> & {
  readonly face: readonly [currency: string, hundredths: number] | null;
  readonly cost: readonly [currency: string, hundredths: number] | number | null;
};

export const listedCategories = ["data", "giftcard"] as const;

const lists: readonly CatalogueList[] = listedCategories.map((category) => {
  const page = (number: number) => ({ method: "GET", path: `/${category}/${number}` }) as const;
  return {
    category,
    question: page(1),
    read({ json }: Reply) {
      const { products, next } = json as unknown as Page;
      if (!Array.isArray(products)) return null;
      return { products: products.map(listedOf), next: next === null ? null : page(next) };
    },
  };
});

export function listedOf({ face, cost, ...words }: SentProduct): ListedProduct {
  return {
    ...words,
    face: face === null ? null : { currency: face[0], hundredths: BigInt(face[1]) },
    cost:
      cost === null
        ? null
        : typeof cost === "number"
          ? { kind: "percent", basisPoints: cost }
          : { kind: "fixed", currency: cost[0], hundredths: BigInt(cost[1]) },
  };
}

/** A supplier that has a price list of data plans and gift cards, and sells nothing. */
export const priceListKind = httpKind({
  connector: "price-list",
  title: "A price list",
  settings: { base_url: baseUrl },
  credentials: {},
  dialect: ({ name, settings }): Dialect => ({
    name,
    baseUrl: withoutSlash(settings.base_url),
    accessFor: () => ({}),
    askToVend: () => ({ unsendable: "it has a price list alone" }),
    readVend: () => ({ kind: "unknown" }),
    requery: () => null,
    readAgain: () => ({ kind: "unknown" }),
    catalogue: lists,
  }),
});
