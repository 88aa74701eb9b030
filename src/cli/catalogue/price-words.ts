import type { PriceOrder } from "../../domain/catalogue/changes/administration.ts";
import type { Fee, PriceScope } from "../../domain/catalogue/pricing.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import type { Cost } from "../../domain/routing/route.ts";
import type { BasisPoints, Kobo } from "../../kernel/money.ts";
import { formatHundredths, formatNaira, readAmount } from "../../kernel/money.ts";
import { amountOrShare, orComplain, parsePercent } from "../arguments.ts";
import { wrong } from "../failures.ts";

// How prices and fees are read from the words of a command, and told.

export interface FeeOptions {
  /** `none` and not null: commander makes an empty text of null. */
  readonly fee?: Fee | "none";
  readonly feeCap?: Kobo;
}

export function feeOf({ fee, feeCap }: FeeOptions): { readonly fee?: Fee | null } {
  if (fee === undefined && feeCap === undefined) return {};
  if (fee === "none" && feeCap === undefined) return { fee: null };
  if (fee === undefined || fee === "none" || (fee.kind !== "percent" && feeCap !== undefined)) {
    throw wrong("--fee-cap belongs to a --fee in percent.");
  }
  return { fee: fee.kind === "percent" ? { ...fee, cap: feeCap ?? null } : fee };
}

export function priceWord(text: string): PriceOrder["price"] {
  return amountOrShare(text, "985.00");
}

export function feeWord(text: string): Fee | "none" {
  if (text === "none") return "none";
  const share = parsePercent(text);
  if (share !== null) return { kind: "percent", basisPoints: share, cap: null };
  return { kind: "flat", kobo: orComplain(readAmount(text), "It must be naira, a percentage such as 1.5%, or none.") };
}

/** The text of a cost, or of a price without its fee. */
export function priceText(price: Cost): string {
  if (price.kind === "foreign") return `${formatHundredths(price.hundredths)} ${price.currency}`;
  return price.kind === "fixed" ? formatNaira(price.kobo) : percentOf(price.basisPoints);
}

export function feeText(fee: Fee): string {
  if (fee.kind === "flat") return formatNaira(fee.kobo);
  return percentOf(fee.basisPoints) + (fee.cap === null ? "" : ` up to ${formatNaira(fee.cap)}`);
}

export function whose(scope: PriceScope): string {
  switch (scope.of) {
    case "everyone":
      return "for everyone without a price of their own";
    case "tier":
      return `in price tier ${scope.tier}`;
    case "merchant":
      return `for ${formatMerchantId(scope.merchantId)} alone`;
  }
}

function percentOf(share: BasisPoints): string {
  return `${Number(share) / 100}%`;
}
