import type { MerchantId, PurchaseId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { Queryable, Statement } from "../../platform/database.ts";

/** What a report tells apart. */
export const dimensions = ["supplier", "category", "merchant"] as const;
export type Dimension = (typeof dimensions)[number];

/** Live sales of one supplier, category and merchant, or of several where the report does not tell them apart. */
export interface ReportRow {
  readonly supplier: string | null;
  readonly category: string | null;
  readonly merchantId: MerchantId | null;
  /** Those that count: successful and not taken back by the supplier. */
  readonly sold: bigint;
  readonly failed: bigint;
  readonly pending: bigint;
  readonly reversed: bigint;
  /** What merchants paid for those that count, and what suppliers take for them. */
  readonly sales: Kobo;
  readonly cost: Kobo;
  /** Of those that count, how many have no recorded cost: they weigh nothing in `cost`. */
  readonly withoutCost: bigint;
}

// Over the range of ids that the time makes: purchases_live_by_id.
const reportSales: Statement = {
  name: "report_sales",
  secondsMax: 600,
  text: `select case when $3 then p.supplier end as supplier,
          case when $4 then b.category end as category,
          case when $5 then p.merchant_id end as "merchantId",
          count(*) filter (where p.status = 'successful' and r.seq is null) as sold,
          count(*) filter (where p.status = 'failed') as failed,
          count(*) filter (where p.status = 'pending') as pending,
          count(r.seq) as reversed,
          coalesce(sum(p.total) filter (where p.status = 'successful' and r.seq is null), 0)::bigint as sales,
          coalesce(sum(p.cost) filter (where p.status = 'successful' and r.seq is null), 0)::bigint as cost,
          count(*) filter (where p.status = 'successful' and r.seq is null and p.cost is null) as "withoutCost"
     from purchases p
     join products i on i.id = p.product_id
     join billers b on b.slug = i.biller_slug
     left join ledger_entries r
       on r.bucket = p.bucket and r.merchant_id = p.merchant_id and r.mode = p.mode and r.purchase_id = p.id
      and r.kind = 'reversal'
    where p.mode = 'live' and p.id >= $1 and p.id < $2
    group by 1, 2, 3
    order by 1 nulls last, 2 nulls last, 3 nulls last`,
};

/** Sums live sales of purchases made from one id to before another. */
export function sumSales(
  db: Queryable,
  range: { readonly from: PurchaseId; readonly before: PurchaseId },
  per: ReadonlySet<Dimension>,
): Promise<ReportRow[]> {
  const { from, before } = range;
  return db.query<ReportRow>(reportSales, [from, before, ...dimensions.map((dimension) => per.has(dimension))]);
}

/** An attempt at a supplier, as far as its statement can be compared with it. */
export interface OwnAttempt {
  readonly purchaseId: PurchaseId;
  readonly attempt: number;
  readonly providerReference: string | null;
  readonly cost: Kobo | null;
  /** `reversed`: vended, and taken back by the supplier, so that neither side counts it as sold. */
  readonly state: "vended" | "reversed" | "declined" | "pending";
}

// The last attempt is the purchase's own row while it is pending; every other has a row of its own. A purchase has at most
// one that was vended: that is the one which a reversal takes back. Attempts are looked up one by one (offset keeps it
// so): a join reads them from the first on, for each page anew, or all of the time's for each purchase.
const listSupplierAttempts: Statement = {
  name: "list_supplier_attempts",
  secondsMax: 600,
  text: `select p.id as "purchaseId",
          coalesce(a.attempt, p.attempt) as attempt,
          case when a.attempt is null then p.provider_reference else a.provider_reference end as "providerReference",
          case when a.attempt is null then p.cost else a.cost end as cost,
          case when a.verdict = 'vended' and r.seq is not null then 'reversed' else coalesce(a.verdict, 'pending') end
            as state
     from purchases p
     left join lateral (
            select v.attempt, v.provider_reference, v.cost, v.verdict
              from vend_attempts v
             where v.purchase_id = p.id
               and v.bucket = p.bucket
               and v.merchant_id = p.merchant_id
               and v.mode = p.mode
               and v.supplier = $3
            offset 0
          ) a
       on true
     left join ledger_entries r
       on r.bucket = p.bucket and r.merchant_id = p.merchant_id and r.mode = p.mode and r.purchase_id = p.id
      and r.kind = 'reversal'
    where p.mode = 'live'
      and p.id >= $1
      and p.id < $2
      and (a.attempt is not null or (p.status = 'pending' and p.supplier = $3))
    order by p.id
    limit $4`,
};

/** Attempts at a supplier of purchases made from one id to before another, in order of their purchases. */
export function listAttemptsAt(
  db: Queryable,
  range: { readonly from: PurchaseId; readonly before: PurchaseId; readonly supplier: string; readonly limit: number },
): Promise<OwnAttempt[]> {
  return db.query<OwnAttempt>(listSupplierAttempts, [range.from, range.before, range.supplier, range.limit]);
}
