import { assert } from "../../kernel/assert.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { BulkLimits } from "./bulk-order.ts";

export interface BudgetRow {
  /** Null when lines and bytes were taken. */
  readonly spent: "lines" | "bytes" | null;
  readonly retrySeconds: number;
}

const callTakeBulkBudget = statement(
  "take_bulk_budget",
  `select spent, retry_seconds as "retrySeconds"
     from take_bulk_budget($1, $2, $3, $4, $5)`,
);

/** Takes lines and bytes out of the merchant's minute, or nothing. Not safe to repeat: it would take them twice. */
export async function takeBulkBudget(
  db: Queryable,
  wanted: BulkLimits & { readonly merchantId: MerchantId },
  limits: BulkLimits,
): Promise<BudgetRow> {
  const values = [wanted.merchantId, wanted.lines, wanted.bytes, limits.lines, limits.bytes];
  const [row] = await db.query<BudgetRow>(callTakeBulkBudget, values);
  assert(row !== undefined, "taking from a budget has an answer");
  return row;
}
