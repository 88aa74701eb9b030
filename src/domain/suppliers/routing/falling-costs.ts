import type { ProductId } from "../../../kernel/ids.ts";
import { arrayOf, type Queryable } from "../../../platform/database/database.ts";
import { listRoutesOfProducts, type RouteRow } from "../queries.ts";
import type { Cost } from "./route.ts";
import { costOf } from "./route-table.ts";

/** A cost that somebody is about to store. */
export interface TypedCost {
  readonly productId: ProductId;
  readonly supplier: string;
  readonly cost: Cost;
}

/**
 * Costs that fall by a tenth or more: below what the route costs, or where it is new, below every other one of its product.
 * By the cost prices are judged, so that whoever could lower it alone could sell at any price.
 */
export async function fallingCosts<Route extends TypedCost>(
  db: Queryable,
  routes: readonly Route[],
): Promise<readonly Route[]> {
  const ids = [...new Set(routes.map(({ productId }) => productId))];
  const rows = new Map<ProductId, RouteRow[]>(ids.map((id) => [id, []]));
  for (const row of await db.query<RouteRow>(listRoutesOfProducts, [arrayOf(ids)])) rows.get(row.productId)?.push(row);
  return routes.filter(({ productId, supplier, cost }) => {
    const present = rows.get(productId) ?? [];
    const own = present.filter((row) => row.supplier === supplier);
    const compared = own.length > 0 ? own : present;
    return compared.length > 0 && compared.every((row) => fallsByTenth(costOf(row), cost));
  });
}

/** Another currency, or a share in place of an amount, can't be compared: it counts as falling. */
function fallsByTenth(before: Cost, after: Cost): boolean {
  const [old, now] = [measureOf(before), measureOf(after)];
  return old.unit !== now.unit || now.value * 10n <= old.value * 9n;
}

/** Whether a cost falls at all. */
export function isLower(before: Cost, after: Cost): boolean {
  const [old, now] = [measureOf(before), measureOf(after)];
  return old.unit !== now.unit || now.value < old.value;
}

function measureOf(cost: Cost): { readonly unit: string; readonly value: bigint } {
  if (cost.kind === "fixed") return { unit: "NGN", value: cost.kobo };
  if (cost.kind === "percent") return { unit: "%", value: BigInt(cost.basisPoints) };
  return { unit: cost.currency, value: cost.hundredths };
}
