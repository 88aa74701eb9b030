import type { PurchaseId, Reference, WalletKey } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { commitSecondsMax } from "../../platform/commit-state.ts";
import type { Queryable, Statement } from "../../platform/database.ts";
import { arrayOf, arrayOfRows, rowOf, statement } from "../../platform/database.ts";
import type { Purchase, PurchaseTerms } from "./purchase.ts";
import { readFulfilment } from "./sealed-fulfilment.ts";

export type PurchaseRow = Omit<Purchase, "wallet" | "details" | "bulk" | "fulfilment"> & {
  readonly bucket: WalletKey["bucket"];
  readonly merchantId: WalletKey["merchantId"];
  readonly mode: WalletKey["mode"];
  readonly details: JsonObject | null;
  readonly fulfilment: JsonObject | null;
  readonly bulkReference: Reference | null;
  readonly bulkLine: number | null;
};

/** Every field is written out, as in `acceptedPurchase`: a spread took as long as all else about a requery's row. */
export function purchaseOf(row: PurchaseRow): Purchase {
  const { bulkReference, bulkLine } = row;
  return {
    wallet: { bucket: row.bucket, merchantId: row.merchantId, mode: row.mode },
    id: row.id,
    reference: row.reference,
    number: row.number,
    fingerprint: row.fingerprint,
    channel: row.channel,
    status: row.status,
    productId: row.productId,
    customerRef: row.customerRef,
    phone: row.phone,
    quantity: row.quantity,
    unitAmount: row.unitAmount,
    faceAmount: row.faceAmount,
    fee: row.fee,
    total: row.total,
    balanceBefore: row.balanceBefore,
    supplier: row.supplier,
    supplierCode: row.supplierCode,
    attempt: row.attempt,
    providerReference: row.providerReference,
    errorCode: row.errorCode,
    details: row.details ?? {},
    fulfilment: readFulfilment(row, row.fulfilment),
    metadata: row.metadata,
    bulk: bulkReference === null || bulkLine === null ? null : { reference: bulkReference, line: bulkLine },
    purchasedAt: row.purchasedAt,
    completedAt: row.completedAt,
    refundedAt: row.refundedAt,
  };
}

export const purchaseColumns = `
       p.bucket,
       p.merchant_id as "merchantId",
       p.mode,
       p.id,
       p.reference,
       p.number,
       p.fingerprint,
       p.channel,
       p.status,
       p.product_id as "productId",
       p.customer_ref as "customerRef",
       p.phone,
       p.quantity,
       p.unit_amount as "unitAmount",
       p.face_amount as "faceAmount",
       p.fee,
       p.total,
       p.balance_before as "balanceBefore",
       p.supplier,
       p.supplier_code as "supplierCode",
       p.attempt,
       p.provider_reference as "providerReference",
       p.error_code as "errorCode",
       p.details,
       p.fulfilment,
       p.metadata,
       p.bulk_reference as "bulkReference",
       p.bulk_line as "bulkLine",
       p.purchased_at as "purchasedAt",
       p.completed_at as "completedAt",
       p.refunded_at as "refundedAt"`;

/** A purchase to accept, with what is known of its outcome already. */
export interface NewPurchase {
  readonly terms: PurchaseTerms;
  /** The outcome that is already certain, so that one commit is enough; null while it is open. */
  readonly vended: { readonly providerReference: string | null; readonly fulfilment: JsonObject | null } | null;
  /** What the due-work loop does when nobody settled the purchase by then. */
  readonly step: "queued" | "dispatch" | "requery";
  readonly dueSeconds: number;
  /** Kobo a day; null where no limit applies. */
  readonly dayLimit: Kobo | null;
  /** What the supplier takes for it in kobo, and why it was chosen; null in sandbox. */
  readonly cost: Kobo | null;
  readonly routeReason: string | null;
}

export interface AcceptRow {
  readonly outcome: "accepted" | "known" | "bulk" | "late" | "insufficient" | "over_limit" | "retry" | "no_wallet";
  readonly number: bigint | null;
  /** Balance before the purchase when accepted, else the wallet's balance. */
  readonly balance: Kobo;
  readonly spentToday: Kobo;
}

const acceptPurchases: Statement = {
  name: "accept_purchases",
  text: `select outcome, number, balance_before as balance, day_spent as "spentToday"
           from accept_purchases($1::new_purchase[], $2)`,
  isPipelined: true,
  secondsMax: commitSecondsMax,
};

/** Accepts purchases in one commit; one row per item, in order. Locks their wallets. Safe to repeat. */
export async function insertPurchases(db: Queryable, items: readonly NewPurchase[], day: string): Promise<AcceptRow[]> {
  return db.query<AcceptRow>(acceptPurchases, [arrayOfRows(items.map(newPurchaseRow)), day]);
}

/** A row of the type `new_purchase`, in the order of its columns. */
export function newPurchaseRow({ terms, vended, step, dueSeconds, dayLimit, cost, routeReason }: NewPurchase): string {
  return rowOf([
    terms.wallet.bucket,
    terms.wallet.merchantId,
    terms.wallet.mode,
    terms.id,
    terms.reference,
    terms.fingerprint,
    terms.channel,
    terms.productId,
    terms.customerRef,
    terms.phone,
    terms.quantity,
    terms.unitAmount,
    terms.faceAmount,
    terms.fee,
    terms.total,
    terms.supplier,
    terms.supplierCode,
    cost,
    routeReason,
    jsonText(terms.details),
    // The merchant's own, kept to the letter: a replay echoes an empty object, too.
    terms.metadata === null ? null : JSON.stringify(terms.metadata),
    terms.bulk === null ? null : terms.bulk.reference,
    terms.bulk === null ? null : terms.bulk.line,
    vended !== null,
    vended === null ? null : vended.providerReference,
    vended === null ? null : jsonText(vended.fulfilment),
    step,
    dueSeconds,
    dayLimit,
  ]);
}

/** Stored JSON. An empty object says no more than null, and a null costs a bit. */
export function jsonText(value: JsonObject | null): string | null {
  if (value === null) return null;
  const text = JSON.stringify(value);
  return text === "{}" ? null : text;
}

export interface ReferenceKey {
  readonly wallet: WalletKey;
  readonly reference: Reference;
}

const findByReferences = statement(
  "find_purchases_by_reference",
  `select i.ordinal,${purchaseColumns}
     from unnest($1::smallint[], $2::integer[], $3::text[], $4::text[])
            with ordinality as i (bucket, merchant_id, mode, reference, ordinal)
     join purchases p
       on p.bucket = i.bucket and p.merchant_id = i.merchant_id and p.mode = i.mode and p.reference = i.reference`,
);

/** The purchases that references name; null where there is none. One round trip for all. */
export async function findPurchasesByReference(
  db: Queryable,
  keys: readonly ReferenceKey[],
): Promise<readonly (Purchase | null)[]> {
  const rows = await db.query<PurchaseRow & { ordinal: bigint }>(findByReferences, [
    arrayOf(keys.map((key) => key.wallet.bucket)),
    arrayOf(keys.map((key) => key.wallet.merchantId)),
    arrayOf(keys.map((key) => key.wallet.mode)),
    arrayOf(keys.map((key) => key.reference)),
  ]);
  const found: (Purchase | null)[] = keys.map(() => null);
  for (const row of rows) found[Number(row.ordinal) - 1] = purchaseOf(row);
  return found;
}

const findBulkReference = statement(
  "find_bulk_reference",
  `select 1
     from bulk_orders b
    where b.bucket = $1 and b.merchant_id = $2 and b.mode = $3 and b.reference = $4`,
);

/** Whether a reference names a bulk order, with which purchases share their namespace. */
export async function isBulkReference(
  db: Queryable,
  { bucket, merchantId, mode }: WalletKey,
  reference: Reference,
): Promise<boolean> {
  return (await db.query(findBulkReference, [bucket, merchantId, mode, reference])).length > 0;
}

const findById = statement(
  "find_purchase",
  `select ${purchaseColumns}
     from purchases p
    where p.bucket = $1 and p.merchant_id = $2 and p.mode = $3 and p.id = $4 and p.id > 0`,
);

export async function findPurchase(db: Queryable, wallet: WalletKey, id: PurchaseId): Promise<Purchase | null> {
  const [row] = await db.query<PurchaseRow>(findById, [wallet.bucket, wallet.merchantId, wallet.mode, id]);
  return row === undefined ? null : purchaseOf(row);
}
