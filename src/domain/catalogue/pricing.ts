import type { Product } from "../../categories/product/product.ts";
import { assert } from "../../kernel/assert.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { BasisPoints, Kobo } from "../../kernel/money.ts";
import { add, basisPoints, kobo, multiply, readAmount, subtract, zeroKobo } from "../../kernel/money.ts";

/** Charged once a purchase on top of the price; a percentage is one of the nominal amount. */
export type Fee =
  | { readonly kind: "flat"; readonly kobo: Kobo }
  | { readonly kind: "percent"; readonly basisPoints: BasisPoints; readonly cap: Kobo | null };

/** So many kobo a unit, or a share of the nominal amount. */
export type UnitPrice =
  | { readonly kind: "fixed"; readonly kobo: Kobo }
  | { readonly kind: "percent"; readonly basisPoints: BasisPoints };

/** What a merchant pays for a product. */
export type Price = UnitPrice & { readonly fee: Fee | null };

/** A price as people write it: `985.00`, or `97.5%` of the face value. Null where it is neither. */
export function readUnitPrice(text: string): UnitPrice | null {
  const share = readPercent(text);
  if (share !== null) return { kind: "percent", basisPoints: share };
  const amount = readAmount(text);
  return amount === null ? null : { kind: "fixed", kobo: amount };
}

/** A fee as people write it: `50.00`, or `1.5%` without a cap. Null where it is neither. */
export function readFee(text: string): Fee | null {
  const read = readUnitPrice(text);
  return read?.kind === "percent" ? { ...read, cap: null } : read && { kind: "flat", kobo: read.kobo };
}

/** `97.5%` → 9,750 basis points. */
export function readPercent(text: string): BasisPoints | null {
  const match = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?%$/.exec(text);
  if (match === null) return null;
  const share = BigInt(match[1] ?? "0") * 100n + BigInt((match[2] ?? "").padEnd(2, "0"));
  return share <= 10_000n ? basisPoints(share) : null;
}

/** For whom a price is set. */
export type PriceScope =
  | { readonly of: "everyone" }
  | { readonly of: "tier"; readonly tier: number }
  | { readonly of: "merchant"; readonly merchantId: MerchantId };

/** A purchase's amounts in kobo: `amount = unitAmount × quantity` and `total = amount − discount + fee`. */
export interface Quote {
  readonly unitAmount: Kobo;
  readonly quantity: number;
  readonly amount: Kobo;
  /** Nominal value of the whole in naira. */
  readonly faceAmount: Kobo;
  readonly fee: Kobo;
  readonly discount: Kobo;
  readonly total: Kobo;
}

/**
 * Prices a purchase. `amount` is what the client named, in hundredths of the product's face currency (null where the
 * product fixes it); whoever calls has checked it and the quantity against the product's ranges.
 *
 * Percentages are rounded down once, on the total: less than a kobo, and to the merchant. A fixed price above the face
 * value keeps the face value as the nominal price and shows the excess as a fee: a discount is never negative.
 */
export function quote(product: Product, price: Price, requested: { amount: bigint | null; quantity: number }): Quote {
  assert(Number.isSafeInteger(requested.quantity) && requested.quantity > 0, "a quantity counts from one");
  const face = faceOf(product, requested.amount);
  const unitAmount = face ?? priceWithoutFace(price);
  const amount = multiply(unitAmount, requested.quantity);
  const exactPrice =
    price.kind === "fixed" ? BigInt(requested.quantity) * price.kobo * whole : amount * price.basisPoints;
  const exactFee = feeExactly(price.fee, amount);
  const total = wholeKoboFloor(exactPrice + exactFee);
  assert(total > 0n, "a purchase costs something");
  const excess = subtract(total, amount);
  const statedFee = wholeKoboFloor(exactFee);
  const discount = excess > statedFee ? zeroKobo : subtract(add(amount, statedFee), total);
  const fee = subtract(add(total, discount), amount);
  return { unitAmount, quantity: requested.quantity, amount, faceAmount: amount, fee, discount, total };
}

/** What one unit costs, before the fee, where no request is needed to know it; null for variable amounts. */
export function unitPrice(product: Product, price: Price): Kobo | null {
  if (price.kind === "fixed") return price.kobo;
  const face = product.amountType === "fixed" ? faceOf(product, null) : null;
  return face === null ? null : wholeKoboFloor(face * price.basisPoints);
}

/** The fee of one unit; of a variable amount at the product's least amount, which is where a percentage starts. */
export function unitFee(product: Product, price: Price): Kobo {
  const nominal = faceOf(product, product.minAmount) ?? priceWithoutFace(price);
  return wholeKoboFloor(feeExactly(price.fee, nominal));
}

/**
 * Naira value of a foreign amount. Floor: the fraction of a kobo goes to the merchant. Once a unit, because the unit's
 * naira value is what the wire calls `unit_amount`.
 * @param foreign hundredths of the currency
 * @param rate kobo for one whole unit of the currency
 */
export function nairaValueFloor(foreign: bigint, rate: Kobo): Kobo {
  return kobo((foreign * rate) / 100n);
}

/** Nominal naira value of one unit; null for a product without one. */
function faceOf(product: Product, amount: bigint | null): Kobo | null {
  const named = product.amountType === "variable" ? amount : product.foreignFace;
  if (product.amountType === "variable") assert(named !== null, "a variable product comes with an amount");
  if (named === null) return product.face;
  return product.fxRate === null ? kobo(named) : nairaValueFloor(named, product.fxRate);
}

function priceWithoutFace(price: Price): Kobo {
  assert(price.kind === "fixed", "only a product with a nominal value is priced in percent");
  return price.kobo;
}

/** Amounts below are in ten thousandths of a kobo, so that a percentage is exact until the total is rounded. */
const whole = 10_000n;

function wholeKoboFloor(exact: bigint): Kobo {
  return kobo(exact / whole);
}

function feeExactly(fee: Fee | null, amount: Kobo): bigint {
  if (fee === null) return zeroKobo;
  if (fee.kind === "flat") return fee.kobo * whole;
  const share = amount * fee.basisPoints;
  return fee.cap !== null && share > fee.cap * whole ? fee.cap * whole : share;
}
