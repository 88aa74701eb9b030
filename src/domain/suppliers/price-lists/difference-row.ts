import { type BasisPoints, formatHundredths, formatNaira } from "../../../kernel/money.ts";
import type { ListedAmount, ListedProduct } from "../../../providers/contract.ts";
import type { Fee, PriceScope } from "../../catalogue/pricing.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import type { Cost } from "../routing/route.ts";
import { type ChangeKind, type Difference, subjectOf } from "./compare.ts";

/** A difference as it is told: printed, written, or read by programs. */
export type DifferenceRow = {
  readonly change: ChangeKind;
  readonly category: string;
  readonly supplier_code: string;
  readonly name: string | null;
  readonly biller: string | null;
  readonly face: string | null;
  readonly cost_old: string | null;
  readonly cost_new: string | null;
  readonly product_id: number | null;
  readonly our_name: string | null;
  readonly note: string | null;
};

export function differenceRow(difference: Difference): DifferenceRow {
  const { category, supplierCode } = subjectOf(difference);
  const listed: ListedProduct | null = "listed" in difference ? difference.listed : null;
  const route = "route" in difference ? difference.route : null;
  return {
    change: difference.kind,
    category,
    supplier_code: supplierCode,
    name: listed?.name ?? null,
    biller: listed?.biller ?? null,
    face: listed === null || listed.face === null ? null : faceText(listed.face),
    cost_old: route === null ? null : priceText(route.cost),
    cost_new: "cost" in difference && difference.cost !== null ? priceText(difference.cost) : null,
    product_id: route?.product.id ?? null,
    our_name: route?.product.name ?? null,
    note: noteOf(difference),
  };
}

function faceText({ currency, hundredths }: ListedAmount): string {
  return currency === "NGN" ? formatHundredths(hundredths) : `${formatHundredths(hundredths)} ${currency}`;
}

function noteOf(difference: Difference): string | null {
  switch (difference.kind) {
    case "loses_money": {
      const { cost, price, scope } = difference.loss;
      return `costs ${formatNaira(cost)}, sells for ${formatNaira(price)}, ${whose(scope)}`;
    }
    case "value_changed":
      return "worth something else than our product";
    case "gone":
      return "not listed any more";
    case "new":
      return difference.cost === null ? "the list says no cost" : null;
    case "cost_changed":
      return difference.route.enabled ? null : "the route is off";
  }
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
