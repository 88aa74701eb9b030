import type { CategorySlug } from "../../../src/categories/category-slugs.ts";
import type { StartingPart } from "../../../src/domain/catalogue/starting-product.ts";
import { fixed } from "../../../src/domain/catalogue/starting-product.ts";

const days = [
  [99001, 1, 500],
  [99002, 7, 3_000],
] as const;

/** What a new deployment would sell of it. */
export const startingParking: StartingPart = {
  billers: [
    {
      slug: "lagos-parking",
      name: "Lagos Parking",
      category: "parking" as CategorySlug,
      customerField: "phone",
      customerLabel: "Phone number",
      supportsBulk: true,
    },
  ],
  products: days.map(([id, count, naira]) => ({
    id,
    code: `lagos-parking-${count}d`,
    biller: "lagos-parking",
    name: `Lagos Parking ${count}d`,
    plan: `${count}d`,
    validity: `${count} days`,
    price: fixed(naira),
  })),
};
