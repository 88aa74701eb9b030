import type { Accepted } from "../../../domain/suppliers/price-lists/accept.ts";
import { findLosses } from "../../../domain/suppliers/routing/limits.ts";
import { withRates } from "../../../domain/suppliers/routing/route-table.ts";
import { type Answer, goBack, goTo } from "../../kit/answer.tsx";
import { countText, moneyText } from "../../kit/parts/text.tsx";

import type { OperatorServices } from "../services.ts";
import { supplierPath } from "./found-supplier.ts";

const namedMax = 3;

/** What was done, and which of it sells below cost now. */
export async function doneAnswer({ reads }: OperatorServices, name: string, accepted: Accepted): Promise<Answer> {
  const { added, repriced, switchedOff, already, routes } = accepted;
  const done = [
    ...(added > 0 ? [`${countText(added, "route")} added`] : []),
    ...(repriced > 0 ? [`${countText(repriced, "cost")} changed`] : []),
    ...(switchedOff > 0 ? [`${countText(switchedOff, "route")} turned off`] : []),
    ...(already > 0 ? [`${already} already so`] : []),
  ].join(", ");
  const at = `${supplierPath(name)}/prices`;
  const losses = await findLosses(reads, await withRates(reads, routes));
  if (losses.length === 0) return goTo(at, `${done}.`);
  const named = losses.slice(0, namedMax).map(({ product, cost, price }) => {
    return `${product.name} costs ${moneyText(cost)} and sells for ${moneyText(price)}`;
  });
  const more = losses.length > named.length ? `, and ${losses.length - named.length} more` : "";
  return goBack(at, `${done}. Below cost now: ${named.join("; ")}${more}. Raise the prices, or turn the routes off.`);
}
