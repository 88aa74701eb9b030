import { assert } from "../../kernel/assert.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { BulkLimits } from "./bulk-order.ts";

export interface BudgetRow {
  /** Null when lines and bytes were taken. */
  readonly spent: "lines" | "bytes" | null;
  readonly retrySeconds: number;
}

// A minute that began while this statement waited for the row counts as the present one.
const isPresent = "b.minute between excluded.minute and excluded.minute + interval '1 minute'";

const insertTaken = statement(
  "insert_bulk_budget_taken",
  `with present as (
     select date_trunc('minute', clock_timestamp()) as minute
   ),
   taken as (
     insert into bulk_budgets as b (merchant_id, minute, lines, bytes)
     select $1, p.minute, $2, $3
       from present p
      where $2 <= $4::bigint and $3 <= $5::bigint
         on conflict (merchant_id) do update
        set minute = case when ${isPresent} then b.minute else excluded.minute end,
            lines = case when ${isPresent} then b.lines else 0 end + excluded.lines,
            bytes = case when ${isPresent} then b.bytes else 0 end + excluded.bytes
      where case when ${isPresent} then b.lines else 0 end + excluded.lines <= $4
        and case when ${isPresent} then b.bytes else 0 end + excluded.bytes <= $5
     returning b.merchant_id
   )
   select case
            when t.merchant_id is not null then null
            when coalesce(b.lines, 0) + $2 > $4 then 'lines'
            else 'bytes'
          end as spent,
          greatest(1, ceil(extract(epoch from p.minute + interval '1 minute' - clock_timestamp())))::integer
            as "retrySeconds"
     from present p
     left join taken t on true
     left join bulk_budgets b on b.merchant_id = $1 and b.minute >= p.minute`,
);

/** Takes lines and bytes out of the merchant's minute, or nothing. Not safe to repeat: it would take them twice. */
export async function takeBulkBudget(
  db: Queryable,
  requested: BulkLimits & { readonly merchantId: MerchantId },
  limits: BulkLimits,
): Promise<BudgetRow> {
  const values = [requested.merchantId, requested.lines, requested.bytes, limits.lines, limits.bytes];
  const [row] = await db.query<BudgetRow>(insertTaken, values);
  assert(row !== undefined, "taking from a budget has an answer");
  return row;
}
