import { formatNaira, kobo } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import type { Fee, UnitPrice } from "../pricing.ts";
import type { PricedProductRow } from "../queries.ts";

/** A product's nominal value, and how much of it is bought at once: a price must fit them. */
export interface NominalValue extends Pick<PricedProductRow, "amountType" | "maxQuantity"> {
  readonly faceAmount: unknown | null;
  readonly foreignFace: unknown | null;
}

/** The least percentage that the tables take, in hundredths of a percent: no price rounds to nothing. */
const basisPointsMin = 100n;
/** In kobo, as the tables bound them: of one price or fee, and of one purchase, so that the wire writes exact sums. */
const priceMax = 1_000_000_000_000n;
const purchaseMax = 1_000n * priceMax;

/**
 * A share needs something to be a share of, a variable amount has no fixed price, and no price is nothing.
 * @throws Refusal VALIDATION_ERROR
 */
export function checkPrice(price: UnitPrice, product: NominalValue): void {
  if (price.kind === "percent") {
    if (product.amountType === "fixed" && product.faceAmount === null && product.foreignFace === null) {
      throw refuseField(
        "VALIDATION_ERROR",
        "price",
        "This product has no face value: set an amount, not a percentage.",
      );
    }
    if (price.basisPoints < basisPointsMin) throw refuseField("VALIDATION_ERROR", "price", "Must be at least 1 %.");
    return;
  }
  if (product.amountType === "variable") {
    throw refuseField("VALIDATION_ERROR", "price", "The client names this product's amount: set a percentage.");
  }
  const bySum = purchaseMax / BigInt(product.maxQuantity);
  const most = bySum < priceMax ? bySum : priceMax;
  if (price.kobo > 0n && price.kobo <= most) return;
  throw refuseField("VALIDATION_ERROR", "price", `Must be above 0.00 and at most ${formatNaira(kobo(most))}.`);
}

/** A fee is something, and none that the tables could not hold. @throws Refusal VALIDATION_ERROR */
export function checkFee(fee: Fee | null): void {
  if (fee === null) return;
  const amounts = fee.kind === "flat" ? [fee.kobo] : [fee.basisPoints, fee.cap ?? 1n];
  if (amounts.every((amount) => amount > 0n && amount <= priceMax)) return;
  throw refuseField("VALIDATION_ERROR", "fee", "Must be above zero, or left out.");
}
