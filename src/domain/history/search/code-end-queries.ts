import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf } from "../../purchases/queries.ts";
import { storedColumns } from "./search-queries.ts";

/** Among so many of the newest live sales a code is looked for: some 40 ms. */
export const codesAmong = 50_000;

// The inner limit is the bound: without an index, as every sale would pay for it.
const listByEnds = statement(
  "list_purchases_by_code_end",
  `select ${purchaseColumns}
     from (
            select ${storedColumns}
              from purchases p
             where p.wallet_id > 0
             order by p.id desc
             limit $3
          ) p
    where string_to_array(p.fulfilment ->> 'ends', ' ') && $1
    order by p.id desc
    limit $2`,
);

/** The newest live purchases that delivered a code with one of these ends (`code-ends.ts`), newest first. */
export async function listByCodeEnd(db: Queryable, hashes: readonly string[], limit: number): Promise<Purchase[]> {
  return (await db.query<PurchaseRow>(listByEnds, [hashes, limit, codesAmong])).map(purchaseOf);
}
