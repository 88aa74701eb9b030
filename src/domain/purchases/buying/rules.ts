import type { Category, PurchaseIntent } from "../../../categories/category.ts";
import { amountRange, checkAmount } from "../../../categories/product/amounts.ts";
import type { Product } from "../../../categories/product/product.ts";
import { checkClaims } from "../../../categories/product/selection.ts";
import { networkHint } from "../../../kernel/phone.ts";
import { type Refusal, refuse, refuseField } from "../../../kernel/problems.ts";

/**
 * Rules of the product: it is what the client said it is, amount and quantity are within its range, the number is of
 * its network, and what its category adds.
 * @throws Refusal
 */
export function checkProductRules(category: Category, requested: PurchaseIntent, product: Product): void {
  checkClaims(requested, product);
  checkAmount(requested, product);
  category.check?.(requested, product);
  checkRange(requested, product);
  checkQuantity(category, requested, product);
  checkNetwork(requested, product);
}

/** Bounds and amount are both in hundredths of the product's face currency. */
function checkRange(requested: PurchaseIntent, product: Product): void {
  if (product.amountType === "fixed" || requested.amount === null) return;
  const { minAmount, maxAmount } = product;
  const tooLittle = minAmount !== null && requested.amount < minAmount;
  const tooMuch = maxAmount !== null && requested.amount > maxAmount;
  if (tooLittle || tooMuch) throw amountOutOfRange(product, tooLittle);
}

/** The contract's words for naira; a foreign currency is named in all of them. */
function amountOutOfRange(product: Product, tooLittle: boolean): Refusal {
  const { min_amount: min, max_amount: max } = amountRange([product]);
  const limit = tooLittle ? `at least ${min}` : `at most ${max}`;
  const range = min === null || max === null ? limit : `between ${min} and ${max}`;
  const isNaira = product.faceCurrency === "NGN";
  const unit = isNaira ? "" : ` ${product.faceCurrency}`;
  return refuse("AMOUNT_OUT_OF_RANGE", {
    message: `Amount must be ${range}${unit}.`,
    errors: { amount: [`Must be ${limit}${unit}.`] },
    meta: { min_amount: min, max_amount: max, ...(isNaira ? {} : { currency: product.faceCurrency }) },
  });
}

function checkQuantity(category: Category, requested: PurchaseIntent, product: Product): void {
  const { minQuantity, maxQuantity } = product;
  if (requested.quantity >= minQuantity && requested.quantity <= maxQuantity) return;
  const meta = { min_quantity: minQuantity, max_quantity: maxQuantity };
  const message = `Must be from ${minQuantity} to ${maxQuantity}.`;
  throw refuseField("QUANTITY_OUT_OF_RANGE", category.quantityField ?? "quantity", message, meta);
}

/** Numbers are portable, so a foreign prefix is refused only when the client says that it was not ported. */
function checkNetwork(requested: PurchaseIntent, product: Product): void {
  const { network } = product.biller;
  if (requested.ported !== false || requested.phone === null || network === null) return;
  const hint = networkHint(requested.phone);
  if (hint === null || hint === network) return;
  const message = `The number's prefix belongs to ${hint}, the product to ${network}.`;
  throw refuse("NETWORK_MISMATCH", { message, errors: { phone: [message] }, meta: { network: hint } });
}
