import { type PurchaseId, type Reference, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Page } from "../../../kernel/page.ts";
import { type Queryable, type Statement, statement } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf, storedColumns } from "../../purchases/queries.ts";
import type { FactFilter } from "./count-queries.ts";
import { lastId } from "./count-queries.ts";

/** What a text names in a wallet: each purchase that one of these leads to is meant. */
export interface Sought {
  /** Spellings of a number that was bought for, or to be called at. */
  readonly numbers: readonly string[];
  /** Purchases of that reference, lines of that bulk order, and those whose number has that part. */
  readonly ids: readonly PurchaseId[];
}

/** What purchases cost, both ends within; null leaves an end open. */
export interface AmountRange {
  readonly from: Kobo | null;
  readonly to: Kobo | null;
}

/** Which purchases of a wallet to list. Null leaves a filter out. */
export interface PurchaseFilter extends FactFilter {
  readonly phone: string | null;
  readonly customerRef: string | null;
  readonly reference: Reference | null;
  readonly id: PurchaseId | null;
  readonly bulkReference: string | null;
  /** What a search box was given; it goes with none of the five filters before it. */
  readonly sought: Sought | null;
  /** Looked for among the newest of the time alone: `partsAmong`. */
  readonly amount: AmountRange | null;
}

/** A filter that names the lines of one bulk order. */
export type BulkFilter = PurchaseFilter & { readonly bulkReference: string };

export function offsetOf({ page, perPage }: Page): number {
  return (page - 1) * perPage;
}

/** A page of a wallet's purchases, newest first. */
export type ListPage<Filter> = (db: Queryable, wallet: WalletKey, filter: Filter, page: Page) => Promise<Purchase[]>;
/** How many a wallet has; what is counted by reading is counted up to `countMax`, or all where that is null. */
export type Count<Filter> = (
  db: Queryable,
  wallet: WalletKey,
  filter: Filter,
  countMax: number | null,
) => Promise<number>;

export async function readPurchases(db: Queryable, listing: Statement, values: unknown[]): Promise<Purchase[]> {
  return (await db.query<PurchaseRow>(listing, values)).map(purchaseOf);
}

export async function readTotal(db: Queryable, counting: Statement, values: unknown[]): Promise<number> {
  const [row] = await db.query<{ total: bigint }>(counting, values);
  return Number(row?.total ?? 0n);
}

const listOfTime = statement(
  "list_purchases",
  `select ${purchaseColumns}
     from purchases p
    where p.wallet_id = $1
      and p.id >= $2
      and p.id < $3
    order by p.id desc
    limit $4
   offset $5`,
);

/** All that were made in a time: every row that is read is shown, but for the offset. */
export const listPurchases: ListPage<Pick<FactFilter, "fromId" | "beforeId">> = (db, wallet, filter, page) => {
  const { fromId, beforeId } = filter;
  const values = [walletIdOf(wallet), fromId ?? 0n, beforeId ?? lastId, page.perPage, offsetOf(page)];
  return readPurchases(db, listOfTime, values);
};

export function factValues(wallet: WalletKey, filter: FactFilter): unknown[] {
  const { status, productIds, channel, fromId, beforeId } = filter;
  return [walletIdOf(wallet), status, productIds, channel, fromId ?? 0n, beforeId ?? lastId];
}

// Each is looked up by itself (offset keeps it so): a planner without statistics reads everything to join it with twenty,
// and before PostgreSQL 17 also to find it in a list, in order.
const listByIds = statement(
  "list_purchases_by_ids",
  `select ${purchaseColumns}
     from unnest($2::bigint[]) as found (id)
    cross join lateral (
            select ${storedColumns}
              from purchases p
             where p.wallet_id = $1 and p.id = found.id
            offset 0
          ) p
    order by p.id desc`,
);

/** The purchases with these ids that there are, newest first. */
export function listPurchasesByIds(db: Queryable, wallet: WalletKey, ids: readonly bigint[]): Promise<Purchase[]> {
  return ids.length === 0 ? Promise.resolve([]) : readPurchases(db, listByIds, [walletIdOf(wallet), ids]);
}

/** The ids that a statement finds. A function that reads a wallet's tables stands in no statement over them. */
export async function readIds(db: Queryable, finding: Statement, values: unknown[]): Promise<readonly PurchaseId[]> {
  const [row] = await db.query<{ ids: readonly PurchaseId[] }>(finding, values);
  return row?.ids ?? [];
}

const listByFacts = statement(
  "list_purchases_by_facts",
  "select array(select list_purchases_by_facts($1, $2, $3, $4, $5, $6, $7, $8)) as ids",
);

/** Lists purchases by final status, products and channel: reads only the days on which the counts know of matches. */
export const listPurchasesByFacts: ListPage<FactFilter> = async (db, wallet, filter, page) => {
  const values = [...factValues(wallet, filter), offsetOf(page), page.perPage];
  return listPurchasesByIds(db, wallet, await readIds(db, listByFacts, values));
};

const listPending = statement(
  "list_pending_purchases",
  `select ${purchaseColumns}
     from (
            select f.purchase_id
              from inflight f
             where f.wallet_id = $1
               and ($4::bigint is null or f.purchase_id >= $4)
               and ($5::bigint is null or f.purchase_id < $5)
          ) as found (id)
    cross join lateral (
            select ${storedColumns}
              from purchases p
             where p.wallet_id = $1 and p.id = found.id
            offset 0
          ) p
    where ($2::integer[] is null or p.product_id = any ($2))
      and ($3::text is null or p.channel = $3)
    order by p.id desc
    limit $6
   offset $7`,
);

/** Pending purchases are exactly those in flight, and few. */
export const listPendingPurchases: ListPage<Omit<FactFilter, "status">> = (db, wallet, filter, page) => {
  const { productIds, channel, fromId, beforeId } = filter;
  const range = [fromId, beforeId, page.perPage, offsetOf(page)];
  return readPurchases(db, listPending, [walletIdOf(wallet), productIds, channel, ...range]);
};

// One text for every combination: a null filter drops out, as the ordinary pool plans each execution for its values.
// By their ids, which the index of all that is sold live would give, an order's few lines were sought among everybody's
// purchases. So the plan is not told that the wallet is live (select), and the lines come in their own order, which is
// that of their ids (place_bulk_order). Test: list-reads.
const bulkClause = `
    where p.wallet_id = (select $1::integer)
      and p.bulk_reference = $7
      and ($2::text is null or p.status = $2)
      and ($3::integer[] is null or p.product_id = any ($3))
      and ($4::text is null or p.channel = $4)
      and p.id >= $5
      and p.id < $6
      and ($8::text is null or p.phone = $8)
      and ($9::text is null or p.customer_ref = $9)`;

const listOfBulk = statement(
  "list_purchases_of_bulk",
  `select ${purchaseColumns}
     from purchases p${bulkClause}
    order by p.bulk_line desc
    limit $10
   offset $11`,
);

const countOfBulk = statement("count_purchases_of_bulk", `select count(*) as total from purchases p${bulkClause}`);

function bulkValues(wallet: WalletKey, filter: BulkFilter): unknown[] {
  return [...factValues(wallet, filter), filter.bulkReference, filter.phone, filter.customerRef];
}

/** Reads the order's lines, at most ten thousand. */
export const listPurchasesOfBulk: ListPage<BulkFilter> = (db, wallet, filter, page) =>
  readPurchases(db, listOfBulk, [...bulkValues(wallet, filter), page.perPage, offsetOf(page)]);

/** Reads the order's lines, at most ten thousand. */
export const countPurchasesOfBulk: Count<BulkFilter> = (db, wallet, filter) =>
  readTotal(db, countOfBulk, bulkValues(wallet, filter));

function customerValues(wallet: WalletKey, filter: PurchaseFilter): unknown[] {
  const { customerRef, phone, status, productIds, channel, fromId, beforeId } = filter;
  return [walletIdOf(wallet), customerRef, phone, status, productIds, channel, fromId ?? 0n, beforeId ?? lastId];
}

const listOfCustomer = statement(
  "list_customer_purchases",
  "select array(select list_customer_purchases($1, $2, $3, $4, $5, $6, $7, $8, $9) offset $10) as ids",
);

/** Lists purchases of one customer, or with one phone, or both: reads no further than the page. */
export const listCustomerPurchases: ListPage<PurchaseFilter> = async (db, wallet, filter, page) => {
  const values = [...customerValues(wallet, filter), offsetOf(page) + page.perPage, offsetOf(page)];
  return listPurchasesByIds(db, wallet, await readIds(db, listOfCustomer, values));
};

const countOfCustomer = statement(
  "count_customer_purchases",
  "select count(*) as total from list_customer_purchases($1, $2, $3, $4, $5, $6, $7, $8, $9)",
);

/** Reads every purchase of the customer, about a microsecond each, until `countMax` have been counted. */
export const countCustomerPurchases: Count<PurchaseFilter> = (db, wallet, filter, countMax) =>
  readTotal(db, countOfCustomer, [...customerValues(wallet, filter), countMax]);
