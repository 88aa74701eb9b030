import type { PriceOrder } from "../../domain/catalogue/changes/administration.ts";
import { type Fee, readFee } from "../../domain/catalogue/pricing.ts";
import { whose } from "../../domain/suppliers/price-lists/difference-row.ts";
import { findLosses, type Loss } from "../../domain/suppliers/routing/limits.ts";
import type { EnteredRoute } from "../../domain/suppliers/routing/route.ts";
import { withRates } from "../../domain/suppliers/routing/route-table.ts";
import { formatNaira, type Kobo, kobo, subtract } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { amountOrShare, orComplain } from "../arguments.ts";
import { wrong } from "../operator-command.ts";
import { printWarning } from "../printing.ts";

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

export function priceValue(text: string): PriceOrder["price"] {
  return amountOrShare(text, "985.00");
}

export function feeValue(text: string): Fee | "none" {
  if (text === "none") return "none";
  return orComplain(readFee(text), "It must be naira, a percentage such as 1.5%, or none.");
}

/** Losses that are named one by one; all of them are counted. */
const namedMax = 20;

/**
 * Warns of routes by which sales cost more than they bring, and of those that serve nothing for want of a rate. Selling
 * at a loss is the operator's to decide. With `worst`
 * only so many are named, those first that lose most with a sale.
 */
export async function warnOfLosses(
  database: Queryable,
  routes: readonly EnteredRoute[],
  { worst }: { readonly worst?: number } = {},
): Promise<void> {
  const reckoned = await withRates(database, routes);
  for (const currency of new Set(reckoned.map(currencyWithoutRate).filter((found) => found !== null))) {
    printWarning(`Routes at costs in ${currency} serve nothing before fx-rate set ${currency} says what one costs.`);
  }
  const losses = await findLosses(database, reckoned);
  const lost = ({ cost, price }: Loss) => subtract(cost, price);
  const inOrder = worst === undefined ? losses : losses.toSorted((one, other) => Number(lost(other) - lost(one)));
  const named = worst ?? namedMax;
  for (const loss of inOrder.slice(0, named)) printWarning(warningOf(loss));
  if (losses.length > named) printWarning(`So do ${losses.length - named} more routes.`);
}

function currencyWithoutRate({ cost }: EnteredRoute): string | null {
  return cost.kind === "foreign" && cost.rate === null ? cost.currency : null;
}

function warningOf({ product, supplier, scope, amount, quantity, cost, price }: Loss): string {
  const { id, name, faceCurrency } = product;
  const each = amount === null ? [] : [`${faceCurrency} ${formatNaira(kobo(amount))}`];
  const sold = [...(quantity === 1 ? [] : [String(quantity)]), ...each].join(" of ");
  const loss = `a loss of ${formatNaira(subtract(cost, price))} with every ${sold === "" ? "such sale" : `sale of ${sold}`}`;
  return `Product ${id}, "${name}", costs ${formatNaira(cost)} at ${supplier} and sells for ${formatNaira(price)}, ${whose(scope)}: ${loss}.`;
}
