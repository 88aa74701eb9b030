import { formatHundredths, formatNaira } from "../../../kernel/money.ts";
import type { ListedAmount, ListedProduct } from "../../../providers/contract.ts";
import { priceText, whose } from "../price-text.ts";
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
