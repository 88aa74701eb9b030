import type { Instant } from "../../../kernel/clock.ts";
import { type MerchantId, type PurchaseId, purchaseTime } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, type Statement, statement } from "../../../platform/database/database.ts";
import type { Purchase, PurchaseStatus } from "../../purchases/purchase.ts";
import { purchaseColumns, storedColumns } from "../../purchases/queries.ts";
import type { Waiting } from "../../resolution/review/review-queries.ts";
import { readPurchases } from "../lists/list-queries.ts";

/** The filters of a search. Null leaves a filter out. */
export interface SearchFilter {
  readonly mode: Mode;
  /** Ids carry their time: made from this one on, and before the other. */
  readonly fromId: PurchaseId;
  readonly beforeId: PurchaseId;
  readonly merchantId: MerchantId | null;
  readonly status: PurchaseStatus | null;
  readonly supplier: string | null;
  /** The total that the wallet paid, the nominal price or the nominal value: people name any of them. */
  readonly amount: Kobo | null;
  /** Spellings of one number that was bought for, or to be called at. */
  readonly customers: readonly string[] | null;
  readonly reference: string | null;
  readonly bulkReference: string | null;
  readonly ids: readonly PurchaseId[] | null;
  /** The supplier's reference of the present or last attempt. */
  readonly providerReference: string | null;
  /** Looked at where pending ones are searched. */
  readonly waitsFor: "supplier" | "person" | null;
}

// The same values for every statement below. They are planned for their values (pool "ordinary"), so that a filter which
// is null is gone, and one which is not may be what an index is read by.
const chosen = `(p.wallet_id > 0) = ($1 = 'live')
      and p.id >= $2
      and p.id < $3
      and ($4::integer is null or abs(p.wallet_id) = $4)
      and ($5::text is null or p.status = $5)
      and ($6::text is null or p.supplier = $6)
      and ($7::bigint is null or $7 in (p.total, p.face_amount, p.unit_amount * p.quantity))
      and ($8::text[] is null or p.customer_ref = any ($8) or p.phone = any ($8))
      and ($9::text is null or p.reference = $9)
      and ($10::bigint[] is null or p.id = any ($10))
      and ($11::text is null or p.provider_reference = $11)
      and ($13::text is null or p.bulk_reference = $13)
    order by p.id desc
    limit $12`;

/** The searched wallet of a merchant m. */
const walletOfMerchant = "(case when $1 = 'live' then m.id else -m.id end)";

/** A range of a large deployment takes long to read; nobody waits for longer. */
const secondsMax = 55;

const searchEverybody: Statement = {
  name: "list_purchases_of_everybody",
  secondsMax,
  text: `select ${purchaseColumns}
     from purchases p
    where ${chosen}`,
};

// Only live purchases have an index of ids beyond their wallet's.
const searchByWallet: Statement = {
  name: "list_purchases_by_wallet",
  secondsMax,
  text: `select ${purchaseColumns}
     from merchants m
    cross join lateral (
            select ${storedColumns}
              from purchases p
             where p.wallet_id = ${walletOfMerchant} and ${chosen}
          ) p
    where ($4::integer is null or m.id = $4)
    order by p.id desc
    limit $12`,
};

// The indexes of customers count spans of fifty days and hash a number with its wallet's, which changes the last bits
// alone: the keys of one number at a thousand merchants are neighbours, and one look into the index a span finds them.
const spans = "array(select generate_series(($2::bigint >> 54)::integer, (($3::bigint - 1) >> 54)::integer))";
const customerKeys = `array(select hashtext(c.ref) # (case when $1 = 'live' then m.id else -m.id end)
                               from merchants m cross join unnest($8::text[]) as c (ref)
                              where $4::integer is null or m.id = $4)`;

const searchByCustomer: Statement = {
  name: "list_purchases_by_customer",
  secondsMax,
  text: `select ${purchaseColumns}
     from (
            (select ${storedColumns}
               from purchases p
              where (p.id >> 54)::integer = any (${spans}) and p.customer_ref = any ($8) and p.customer_ref is not null
                and hashtext(p.customer_ref) # p.wallet_id = any (${customerKeys})
                and ${chosen})
             union all
            (select ${storedColumns}
               from purchases p
              where (p.id >> 54)::integer = any (${spans}) and p.phone = any ($8) and p.phone is not null
                and hashtext(p.phone) # p.wallet_id = any (${customerKeys}) and p.phone is distinct from p.customer_ref
                and ${chosen})
          ) p
    order by p.id desc
    limit $12`,
};

const searchPending: Statement = {
  name: "list_purchases_in_flight",
  secondsMax,
  text: `select ${purchaseColumns}
     from inflight f
    cross join lateral (
            select ${storedColumns}
              from purchases p
             where p.wallet_id = f.wallet_id and p.id = f.purchase_id
               and ${chosen}
          ) p
    where (f.wallet_id > 0) = ($1 = 'live')
      and ($14::text is null or (f.step = 'review') = ($14 = 'person'))
    order by p.id desc
    limit $12`,
};

/** By which index the purchases are found. */
export type SearchPath = "everybody" | "wallet" | "customer" | "pending";

export const searchStatements: Readonly<Record<SearchPath, Statement>> = {
  everybody: searchEverybody,
  wallet: searchByWallet,
  customer: searchByCustomer,
  pending: searchPending,
};

/** The newest purchases that fit, newest first. */
export function listFound(db: Queryable, path: SearchPath, filter: SearchFilter, limit: number): Promise<Purchase[]> {
  return readPurchases(db, searchStatements[path], searchValues(path, filter, limit));
}

/** The values of a search's statement. */
export function searchValues(path: SearchPath, filter: SearchFilter, limit: number): unknown[] {
  return [
    filter.mode,
    filter.fromId,
    filter.beforeId,
    filter.merchantId,
    filter.status,
    filter.supplier,
    filter.amount,
    filter.customers,
    filter.reference,
    filter.ids,
    filter.providerReference,
    limit,
    filter.bulkReference,
    ...(path === "pending" ? [filter.waitsFor] : []),
  ];
}

// Attempts that ended lie by their purchases' ids; the present attempt of a pending purchase is in its own row.
const listNamed: Statement = {
  name: "list_purchases_named_by_supplier",
  secondsMax,
  text: `select a.purchase_id as id
     from vend_attempts a
    where a.purchase_id >= $2 and a.purchase_id < $3 and a.wallet_id > 0 and a.provider_reference = $1
    union
   select p.id
     from inflight f
     join purchases p
       on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    where f.wallet_id > 0
      and f.purchase_id >= $2
      and f.purchase_id < $3
      and p.provider_reference = $1
    order by id desc
    limit $4`,
};

/** Ids of live purchases of which an attempt is called so by its supplier. Reads all attempts of the range. */
export async function listNamedBySupplier(
  db: Queryable,
  providerReference: string,
  { fromId, beforeId }: Pick<SearchFilter, "fromId" | "beforeId">,
  limit: number,
): Promise<PurchaseId[]> {
  const rows = await db.query<{ id: PurchaseId }>(listNamed, [providerReference, fromId, beforeId, limit]);
  return rows.map(({ id }) => id);
}

/** Pending purchases of one mode that wait for the same supplier in the same step. */
export interface PendingGroup {
  /** Null in sandbox. */
  readonly supplier: string | null;
  readonly step: Waiting["step"];
  readonly purchases: number;
  /** What their wallets paid. */
  readonly total: Kobo;
  readonly oldestId: PurchaseId;
  readonly oldestAt: Instant;
}

const listGroups = statement(
  "list_pending_groups",
  `select p.supplier,
          f.step,
          count(*)::integer as purchases,
          sum(p.total)::bigint as total,
          min(p.id) as "oldestId"
     from inflight f
     join purchases p
       on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    where (f.wallet_id > 0) = ($1 = 'live')
      and ($2::text is null or p.supplier = $2)
      and ($3::integer is null or abs(f.wallet_id) = $3)
    group by p.supplier, f.step
    order by min(p.id)`,
);

/** Pending purchases by supplier and step, the oldest first. Reads all in flight: thousands of rows at most. */
export async function listPendingGroups(
  db: Queryable,
  of: { readonly mode: Mode; readonly supplier: string | null; readonly merchantId: MerchantId | null },
): Promise<PendingGroup[]> {
  const rows = await db.query<Omit<PendingGroup, "oldestAt">>(listGroups, [of.mode, of.supplier, of.merchantId]);
  return rows.map((row) => ({ ...row, oldestAt: purchaseTime(row.oldestId) }));
}
