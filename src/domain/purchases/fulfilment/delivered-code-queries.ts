import type { PurchaseId } from "../../../kernel/ids.ts";
import { arrayOf, type Queryable, statement } from "../../../platform/database/database.ts";

const listSales = statement(
  "list_sales_of_codes",
  `select code, purchase_id as id
     from delivered_codes
    where code = any ($1::bigint[])`,
);

/** The sales that these codes were handed to, by their hashes (`delivered-codes.ts`). */
export async function listSalesOfCodes(
  db: Queryable,
  codes: readonly bigint[],
): Promise<ReadonlyMap<bigint, PurchaseId>> {
  if (codes.length === 0) return new Map();
  const rows = await db.query<{ code: bigint; id: PurchaseId }>(listSales, [arrayOf(codes)]);
  return new Map(rows.map(({ code, id }) => [code, id]));
}
