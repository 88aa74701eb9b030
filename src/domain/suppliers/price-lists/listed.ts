import { categoryOf, findCategory } from "../../../categories/category-slugs.ts";
import type { Product } from "../../../categories/product/product.ts";
import { basisPoints, type Kobo, kobo } from "../../../kernel/money.ts";
import type { ListedAmount, ListedCost, ListedProduct } from "../../../providers/contract.ts";
import type { Cost } from "../routing/route.ts";

/** Kobo for one whole unit of a currency; null while no operator said it. */
export type RateOf = (currency: string) => Kobo | null;

/** As the table of routes bounds a fixed cost. */
const costMax = 1_000_000_000_000n;
const codeLengthMax = 200;

/** A listed cost as a route has it; null for one that no route can have. */
export function costOfListed(listed: ListedCost, rateOf: RateOf): Cost | null {
  if (listed.kind === "percent") {
    const { basisPoints: share } = listed;
    if (!Number.isInteger(share) || share < 1 || share > 10_000) return null;
    return { kind: "percent", basisPoints: basisPoints(BigInt(share)) };
  }
  const { currency, hundredths } = listed;
  if (hundredths < 1n || hundredths > costMax || !/^[A-Z]{3}$/.test(currency)) return null;
  if (currency === "NGN") return { kind: "fixed", kobo: kobo(hundredths) };
  return { kind: "foreign", currency, hundredths, rate: rateOf(currency) };
}

/** Whether both are the same money to the supplier, at whatever rate. */
export function isSameCost(one: Cost, other: Cost): boolean {
  if (one.kind === "percent") return other.kind === "percent" && one.basisPoints === other.basisPoints;
  if (one.kind === "fixed") return other.kind === "fixed" && one.kobo === other.kobo;
  return other.kind === "foreign" && one.currency === other.currency && one.hundredths === other.hundredths;
}

/** Whether a route can name a product by this code. */
export function isStorableCode(code: string): boolean {
  return code.length >= 1 && code.length <= codeLengthMax && !code.includes("\0");
}

/** The nominal value of one unit, where the product fixes it. */
function fixedValueOf(product: Product): ListedAmount | null {
  const { amountType, faceCurrency, foreignFace, face } = product;
  if (amountType !== "fixed") return null;
  if (foreignFace !== null) return { currency: faceCurrency, hundredths: foreignFace };
  return face === null ? null : { currency: "NGN", hundredths: face };
}

/**
 * Whether a listed product is worth something else than ours: a card of 10 dollars sold as one of 25. Only where a
 * category's products have their value from the trade; what a data plan is worth every seller says for himself.
 */
export function isOtherValue(face: ListedProduct["face"], product: Product): boolean {
  const { category } = product.biller;
  if (face === null || findCategory(category) === null || categoryOf(category).sells.needsFace !== true) return false;
  const value = fixedValueOf(product);
  return value !== null && (value.currency !== face.currency || value.hundredths !== face.hundredths);
}
