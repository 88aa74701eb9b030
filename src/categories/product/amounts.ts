import { formatNaira, kobo } from "../../kernel/money.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { PurchaseIntent } from "../category.ts";
import type { Product } from "./product.ts";

/**
 * A variable product needs an amount; a fixed one takes none but its own. Ranges are the buyer's to check.
 * @throws Refusal VALIDATION_ERROR where it is missing, AMOUNT_OUT_OF_RANGE where it differs
 */
export function checkAmount(requested: PurchaseIntent, product: Product): void {
  if (product.amountType === "variable") {
    if (requested.amount === null) throw refuseField("VALIDATION_ERROR", "amount", "Is required for this product.");
    return;
  }
  const fixed = product.foreignFace ?? product.face;
  if (requested.amount === null || requested.amount === fixed) return;
  if (fixed === null)
    throw refuseField("VALIDATION_ERROR", "amount", "Must be left out: this product has a fixed price.");
  const only = formatNaira(kobo(fixed));
  throw refuseField("AMOUNT_OUT_OF_RANGE", "amount", `Must be ${only} for this product, or left out.`, {
    min_amount: only,
    max_amount: only,
  });
}

/** What a customer may name as amount, over products of one currency; nulls where their prices are fixed. */
export function amountRange(products: readonly Product[]): {
  readonly min_amount: string | null;
  readonly max_amount: string | null;
} {
  const min = least(products.map(({ minAmount }) => minAmount));
  const max = most(products.map(({ maxAmount }) => maxAmount));
  return {
    min_amount: min === null ? null : formatNaira(kobo(min)),
    max_amount: max === null ? null : formatNaira(kobo(max)),
  };
}

/** The least of some amounts; null where none is there. */
export function least(amounts: readonly (bigint | null)[]): bigint | null {
  return amounts.reduce((best, next) => (best === null || (next !== null && next < best) ? next : best), null);
}

/** The largest of some amounts; null where none is there. */
export function most(amounts: readonly (bigint | null)[]): bigint | null {
  return amounts.reduce((best, next) => (best === null || (next !== null && next > best) ? next : best), null);
}

/** Money in an `intent`: one spelling whatever the client wrote (`100`, `"100.0"`). */
export function intentAmount(amount: bigint | null): string | null {
  return amount === null ? null : kobo(amount).toString();
}
