import { type PurchaseId, type Reference, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import { purchaseColumns, storedColumns } from "../../purchases/queries.ts";
import { type FactFilter, lastId } from "./count-queries.ts";
import {
  type Count,
  factValues,
  type ListPage,
  offsetOf,
  type PurchaseFilter,
  readIds,
  readPurchases,
  readTotal,
  type Sought,
} from "./list-queries.ts";

export type SoughtFilter = PurchaseFilter & { readonly sought: Sought };

// A reference is one purchase's or one order's. `(select $3)`: see list_purchases_of_bulk.
const listIds = statement(
  "list_sought_ids",
  `select p.id
     from purchases p
    where p.wallet_id = $1 and p.reference = $2 and p.reference <> ''
    union all
   select p.id
     from purchases p
    where p.wallet_id = (select $1::integer) and p.bulk_reference = $2
    union all
   select recent.id
     from (
            select p.id, p.customer_ref, p.phone
              from purchases p
             where $3::text is not null
               and p.wallet_id = $1
               and p.id >= $4
               and p.id < $5
             order by p.id desc
             limit $6
          ) recent
    where position($3 in recent.customer_ref) > 0 or position($3 in recent.phone) > 0`,
);

/** The purchases of a reference, or of an order of that reference, and the newest whose number has a part. */
export async function listSoughtIds(
  db: Queryable,
  wallet: WalletKey,
  { reference, part }: { readonly reference: Reference | null; readonly part: string | null },
  among: Pick<FactFilter, "fromId" | "beforeId"> & { readonly partsAmong: number },
): Promise<PurchaseId[]> {
  const range = [among.fromId ?? 0n, among.beforeId ?? lastId, among.partsAmong];
  const rows = await db.query<{ id: PurchaseId }>(listIds, [walletIdOf(wallet), reference, part, ...range]);
  return rows.map(({ id }) => id);
}

// What was found twice counts once. Of each number the newest will do, up to where the page, or the counting, ends.
const listOfNumbers = statement(
  "list_purchases_of_numbers",
  `select array(
            select list_customer_purchases($1, n.number, null, $2, $3, $4, $5, $6, $8)
              from unnest($7::text[]) as n (number)
             union
            select list_customer_purchases($1, null, n.number, $2, $3, $4, $5, $6, $8)
              from unnest($7::text[]) as n (number)
          ) as ids`,
);

const foundIds = `
            select p.id
              from purchases p
             where p.wallet_id = $1
               and p.id = any ($7::bigint[])
               and p.id >= $5
               and p.id < $6
               and ($2::text is null or p.status = $2)
               and ($3::integer[] is null or p.product_id = any ($3))
               and ($4::text is null or p.channel = $4)`;

const listFound = statement(
  "list_sought_purchases",
  `select ${purchaseColumns}
     from (
            select found.id
              from (${foundIds}) found (id)
             order by found.id desc
             limit $8
            offset $9
          ) as found (id)
    cross join lateral (
            select ${storedColumns}
              from purchases p
             where p.wallet_id = $1 and p.id = found.id
            offset 0 -- as in list-queries.ts
          ) p
    order by p.id desc`,
);

async function soughtValues(
  db: Queryable,
  wallet: WalletKey,
  filter: SoughtFilter,
  limit: number | bigint,
): Promise<unknown[]> {
  const { ids, numbers } = filter.sought;
  const facts = factValues(wallet, filter);
  return [...facts, [...ids, ...(await readIds(db, listOfNumbers, [...facts, numbers, limit]))]];
}

/** A page of what was sought, newest first. */
export const listSoughtPurchases: ListPage<SoughtFilter> = async (db, wallet, filter, page) => {
  const offset = offsetOf(page);
  const values = await soughtValues(db, wallet, filter, offset + page.perPage);
  return readPurchases(db, listFound, [...values, page.perPage, offset]);
};

const countFound = statement(
  "count_sought_purchases",
  `select count(*) as total
     from (
            select found.id
              from (${foundIds}) found (id)
             limit $8
          ) counted`,
);

/** Reads every purchase that was sought until `countMax` have been counted. */
export const countSoughtPurchases: Count<SoughtFilter> = async (db, wallet, filter, countMax) => {
  const limit = countMax ?? lastId;
  return readTotal(db, countFound, [...(await soughtValues(db, wallet, filter, limit)), limit]);
};

const listOldest = statement(
  "list_oldest_of_newest",
  `select p.id
     from purchases p
    where p.wallet_id = (select $1::integer)
      and p.id < $2
    order by p.id desc
    limit 2
   offset $3`,
);

/** The last of the `count` newest purchases before an id; null where a wallet has no more than these. Reads the index. */
export async function findOldestOfNewest(
  db: Queryable,
  wallet: WalletKey,
  { beforeId, count }: { readonly beforeId: PurchaseId | null; readonly count: number },
): Promise<PurchaseId | null> {
  const values = [walletIdOf(wallet), beforeId ?? lastId, count - 1];
  const [last, older] = await db.query<{ id: PurchaseId }>(listOldest, values);
  return older === undefined ? null : (last?.id ?? null);
}
