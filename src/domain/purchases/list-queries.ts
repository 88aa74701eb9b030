import type { PurchaseId, WalletKey } from "../../kernel/ids.ts";
import type { Page } from "../../kernel/page.ts";
import type { Queryable } from "../../platform/database.ts";
import { statement } from "../../platform/database.ts";
import type { Purchase, PurchaseStatus } from "./purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf } from "./queries.ts";

/** Which purchases of a wallet to list. Null leaves a filter out. */
export interface PurchaseFilter {
  readonly status: PurchaseStatus | null;
  /** Products of the category, biller and network that were asked for. */
  readonly productIds: readonly number[] | null;
  readonly phone: string | null;
  readonly customerRef: string | null;
  readonly reference: string | null;
  readonly id: PurchaseId | null;
  readonly channel: string | null;
  readonly bulkReference: string | null;
  /** Ids carry their time: `from` and `to` are ranges of the primary key. */
  readonly fromId: PurchaseId | null;
  readonly beforeId: PurchaseId | null;
}

// One text for every combination: a null filter drops out, as the ordinary pool plans each execution for its values.
const filterClause = `
    where p.bucket = $1
      and p.merchant_id = $2
      and p.mode = $3
      and p.id > 0
      and ($4::text is null or p.status = $4)
      and ($5::integer[] is null or p.product_id = any ($5))
      and ($6::text is null or p.phone = $6)
      and ($7::text is null or p.customer_ref = $7)
      and ($8::text is null or p.reference = $8)
      and ($9::bigint is null or p.id = $9)
      and ($10::text is null or p.channel = $10)
      and ($11::bigint is null or p.id >= $11)
      and ($12::bigint is null or p.id < $12)
      and ($13::text is null or p.bulk_reference = $13)`;

const listFiltered = statement(
  "list_purchases",
  `select ${purchaseColumns}
     from purchases p${filterClause}
    order by p.id desc
    limit $14
   offset $15`,
);

const countFiltered = statement("count_filtered_purchases", `select count(*) as total from purchases p${filterClause}`);

function filterValues(wallet: WalletKey, filter: PurchaseFilter): unknown[] {
  return [
    wallet.bucket,
    wallet.merchantId,
    wallet.mode,
    filter.status,
    filter.productIds,
    filter.phone,
    filter.customerRef,
    filter.reference,
    filter.id,
    filter.channel,
    filter.fromId,
    filter.beforeId,
    filter.bulkReference,
  ];
}

export async function listPurchases(
  db: Queryable,
  wallet: WalletKey,
  filter: PurchaseFilter,
  page: Page,
): Promise<Purchase[]> {
  const offset = (page.page - 1) * page.perPage;
  const rows = await db.query<PurchaseRow>(listFiltered, [...filterValues(wallet, filter), page.perPage, offset]);
  return rows.map(purchaseOf);
}

const listPending = statement(
  "list_pending_purchases",
  `select ${purchaseColumns}
     from inflight f
     join purchases p
       on p.bucket = f.bucket and p.merchant_id = f.merchant_id and p.mode = f.mode and p.id = f.purchase_id
      and p.id > 0
    where f.bucket = $1
      and f.merchant_id = $2
      and f.mode = $3
      and ($4::integer[] is null or p.product_id = any ($4))
      and ($5::bigint is null or f.purchase_id >= $5)
      and ($6::bigint is null or f.purchase_id < $6)
    order by f.purchase_id desc
    limit $7
   offset $8`,
);

/** Pending purchases are exactly those in flight, and few. */
export async function listPendingPurchases(
  db: Queryable,
  { bucket, merchantId, mode }: WalletKey,
  filter: Pick<PurchaseFilter, "productIds" | "fromId" | "beforeId">,
  page: Page,
): Promise<Purchase[]> {
  const { productIds, fromId, beforeId } = filter;
  const offset = (page.page - 1) * page.perPage;
  const values = [bucket, merchantId, mode, productIds, fromId, beforeId, page.perPage, offset];
  const rows = await db.query<PurchaseRow>(listPending, values);
  return rows.map(purchaseOf);
}

/** Counts by reading: for filtered lists. The unfiltered total is kept in the wallet's row. */
export async function countPurchases(db: Queryable, wallet: WalletKey, filter: PurchaseFilter): Promise<number> {
  const [row] = await db.query<{ total: bigint }>(countFiltered, filterValues(wallet, filter));
  return Number(row?.total ?? 0n);
}
