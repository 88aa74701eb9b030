import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { purchaseColumns, storedColumns } from "../../purchases/queries.ts";
import { readPurchases } from "../lists/list-queries.ts";

/** Among so many of the newest live sales a code is looked for: some 40 ms. */
export const codesAmong = 50_000;

// The inner limit is the bound: without an index, as every sale would pay for it. Here and below.
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
export function listByCodeEnd(db: Queryable, hashes: readonly string[], limit: number): Promise<Purchase[]> {
  return readPurchases(db, listByEnds, [hashes, limit, codesAmong]);
}

const listByPart = statement(
  "list_purchases_by_part",
  `select ${purchaseColumns}
     from (
            select ${storedColumns}
              from purchases p
             where p.wallet_id > 0
             order by p.id desc
             limit $5
          ) p
    where right(p.customer_ref, length($1)) = $1
       or right(p.phone, length($1)) = $1
       or lower(p.reference) = $2
       or lower(p.bulk_reference) = $2
       or string_to_array(p.fulfilment ->> 'ends', ' ') && $6
       or p.customer_ref = any (array(
            select b.customer_ref
              from beneficiaries b
             where $3::text is not null and (strpos(lower(b.customer_name), $3) > 0 or strpos(lower(b.label), $3) > 0)
             limit 1000
          ))
    order by p.id desc
    limit $4`,
);

/** What a caller remembers of a sale. Null finds nothing. */
export interface Part {
  /** The last digits of the number that was bought for, or of its phone. */
  readonly end: string | null;
  /** The reference, or the bulk order's, in any case. */
  readonly reference: string;
  /** A part of the name that a merchant saved the number under. */
  readonly owner: string | null;
  /** The biller's number on the receipt, by its hashes: `receiptHashes`. */
  readonly receipt: readonly string[];
}

/** The newest live purchases that one of these leads to, newest first. Reads every saved number's name. */
export function listByParts(db: Queryable, part: Part, limit: number): Promise<Purchase[]> {
  const { end, reference, owner, receipt } = part;
  const values = [end, reference.toLowerCase(), owner?.toLowerCase() ?? null, limit, codesAmong, receipt];
  return readPurchases(db, listByPart, values);
}
