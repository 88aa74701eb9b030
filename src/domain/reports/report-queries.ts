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
