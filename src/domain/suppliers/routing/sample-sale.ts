import type { Product } from "../../../categories/product/product.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { formatHundredths } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { quote } from "../../catalogue/pricing.ts";
import type { Buyer, CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import type { Amounts } from "./route.ts";

/** The least that is sold of a product, as far as its cost depends on it. */
export function leastAmounts(product: Product, { priceOf }: Pick<CatalogueSnapshot, "priceOf">): Amounts {
  const { minAmount, maxAmount, minQuantity: quantity } = product;
  const amount = product.amountType === "fixed" ? null : (minAmount ?? maxAmount ?? 1n);
  return quote(product, priceOf(product, nobody), { amount, quantity });
}

/** A buyer of the base price. */
const nobody: Buyer = { merchantId: 0 as MerchantId, priceTier: 0 };

/**
 * A sale to be asked about: as given, else the least that is sold.
 * @param given.amount of a variable amount, in hundredths of the product's face currency
 * @throws Refusal VALIDATION_ERROR at the field `amount` or `quantity`, for what is not sold so
 */
export function sampleSale(
  product: Product,
  given: { readonly amount?: bigint | undefined; readonly quantity?: number | undefined } = {},
): { readonly amount: bigint | null; readonly quantity: number } {
  const { minQuantity, maxQuantity, minAmount, maxAmount } = product;
  const { quantity = minQuantity } = given;
  if (quantity < minQuantity || quantity > maxQuantity) {
    throw refuseField("VALIDATION_ERROR", "quantity", `Must be from ${minQuantity} to ${maxQuantity}.`);
  }
  if (product.amountType === "fixed") {
    if (given.amount === undefined) return { amount: null, quantity };
    throw refuseField("VALIDATION_ERROR", "amount", `Must be left out: product ${product.id} has a fixed amount.`);
  }
  const amount = given.amount ?? minAmount;
  if (amount === null) throw refuseField("VALIDATION_ERROR", "amount", "Is required: the product has no least amount.");
  if ((minAmount !== null && amount < minAmount) || (maxAmount !== null && amount > maxAmount)) {
    const [least, most] = [minAmount ?? 0n, maxAmount ?? 0n].map(formatHundredths);
    throw refuseField("VALIDATION_ERROR", "amount", `Must be between ${least} and ${most} ${product.faceCurrency}.`);
  }
  return { amount, quantity };
}
