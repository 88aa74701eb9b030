import { type BasisPoints, formatHundredths, formatNaira } from "../../kernel/money.ts";
import type { Fee, PriceScope } from "../catalogue/pricing.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import type { Cost } from "./routing/route.ts";

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
