import { findLosses, type Loss } from "../../domain/routing/losses.ts";
import type { SupplierRoute } from "../../domain/routing/route.ts";
import { formatNaira, kobo, subtract } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database.ts";
import { whose } from "./price-words.ts";
import { printWarning } from "./printing.ts";

/** Losses that are named one by one; all of them are counted. */
const namedMax = 20;

/** Warns of routes by which sales cost more than they bring. Selling at a loss is the operator's to decide. */
export async function warnOfLosses(database: Queryable, routes: readonly SupplierRoute[]): Promise<void> {
  const losses = await findLosses(database, routes);
  for (const loss of losses.slice(0, namedMax)) printWarning(warningOf(loss));
  if (losses.length > namedMax) printWarning(`So do ${losses.length - namedMax} more routes.`);
}

function warningOf({ product, supplier, scope, amount, quantity, cost, price }: Loss): string {
  const { id, name, faceCurrency } = product;
  const each = amount === null ? [] : [`${faceCurrency} ${formatNaira(kobo(amount))}`];
  const sold = [...(quantity === 1 ? [] : [String(quantity)]), ...each].join(" of ");
  const loss = `a loss of ${formatNaira(subtract(cost, price))} with every ${sold === "" ? "such sale" : `sale of ${sold}`}`;
  return `Product ${id}, "${name}", costs ${formatNaira(cost)} at ${supplier} and sells for ${formatNaira(price)}, ${whose(scope)}: ${loss}.`;
}
