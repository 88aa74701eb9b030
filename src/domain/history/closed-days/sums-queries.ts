import type { WallTime } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type MerchantId, type ProductId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable, Statement, Tx } from "../../../platform/database/database.ts";

/** What sales are told apart by, one thing at a time. */
export const saleDimensions = ["all", "hour", "category", "product", "merchant", "supplier"] as const;
export type SaleDimension = (typeof saleDimensions)[number];

/** Live sales of one day, of one hour, category, product, merchant or supplier. */
export interface DaySales extends SalesSums {
  /** `YYYY-MM-DD` in the deployment's time zone. */
  readonly day: string;
  readonly dimension: SaleDimension;
  /** Which one: `07`, `data`, the number of a product or merchant; empty for all, and for no supplier. */
  readonly name: string;
}

export interface SalesSums {
  /** Delivered, and not taken back. */
  readonly sold: bigint;
  readonly failed: bigint;
  readonly pending: bigint;
  readonly reversed: bigint;
  /** What merchants paid for what was sold, what suppliers took for it, and the fees within. */
  readonly sales: Kobo;
  readonly cost: Kobo;
  readonly fees: Kobo;
  readonly withoutCost: bigint;
  /** Given in these days by choice, for sales of any day. */
  readonly goodwill: Kobo;
  /** Refunded in these days of what was sold before them. */
  readonly refundedLater: Kobo;
  /** Paid back by merchants for what was refunded and had been delivered after all. */
  readonly takenBack: Kobo;
  /**
   * What suppliers took beyond the recorded cost, by differences that were accepted or written off in these days, less the
   * cost of `refundedLater`; below zero where they took less.
   */
  readonly costChanges: Kobo;
}

/** A day and what its zone's clock makes of it. */
export type DaySpan = ReturnType<WallTime["dayOf"]>;

const secondsMax = 600;

// Live sales made from the id $1 to before $2, and in rows of their own the money that moved from $5 to before $6 because
// of sales of any time. A sale that is refunded after it was delivered is none where that happened before $6, and else
// counts where it was refunded. What suppliers take in another currency is taken at the rate of the sale.
const liveSales = `select p.status, p.total, p.cost, p.fee, p.product_id, p.wallet_id, p.supplier, p.purchased_at, b.category,
            r.seq as reversal, null::bigint as goodwill, null::bigint as refunded_later,
            null::bigint as taken_back, null::bigint as cost_changes
       from purchases p
       join products i on i.id = p.product_id
       join billers b on b.slug = i.biller_slug
       left join ledger_entries r
         on r.wallet_id = p.wallet_id and r.purchase_id = p.id and r.kind = 'reversal' and r.created_at < $6
      where p.wallet_id > 0 and p.id >= $1 and p.id < $2
      union all
     select null, null, null, null, p.product_id, p.wallet_id, p.supplier, e.created_at, b.category, null,
            case when e.kind = 'goodwill' then e.amount end,
            case when e.kind = 'reversal' then e.amount end,
            null,
            case when e.kind = 'reversal' then -p.cost end
       from ledger_entries e
       join purchases p on p.wallet_id = e.wallet_id and p.id = e.purchase_id
       join products i on i.id = p.product_id
       join billers b on b.slug = i.biller_slug
      where e.kind in ('reversal', 'goodwill')
        and e.wallet_id > 0
        and e.created_at >= $5 and e.created_at < $6
        and (e.kind = 'goodwill' or p.id < $1)
      union all
     select null, null, null, null, p.product_id, p.wallet_id, d.supplier, d.ended_at, b.category, null, null, null,
            case when d.act = 'take_back' then p.total end,
            ((coalesce(d.theirs, 0) - coalesce(d.ours, 0))
              * coalesce(split_part(p.foreign_cost, ' at ', 2)::numeric, 1))::bigint
       from reconciliation_differences d
       left join purchases p on p.id = d.purchase_id and p.wallet_id > 0
       left join products i on i.id = p.product_id
       left join billers b on b.slug = i.biller_slug
      where (d.ended_as = 'written_off' or d.act in ('accept', 'take_back'))
        and d.ended_at >= $5 and d.ended_at < $6`;

/** The sums of `liveSales`. */
const sumColumns = `count(*) filter (where s.status = 'successful' and s.reversal is null) as sold,
          count(*) filter (where s.status = 'failed') as failed,
          count(*) filter (where s.status = 'pending') as pending,
          count(s.reversal) as reversed,
          coalesce(sum(s.total) filter (where s.status = 'successful' and s.reversal is null), 0)::bigint as sales,
          coalesce(sum(s.cost) filter (where s.status = 'successful' and s.reversal is null), 0)::bigint as cost,
          coalesce(sum(s.fee) filter (where s.status = 'successful' and s.reversal is null), 0)::bigint as fees,
          count(*) filter (where s.status = 'successful' and s.reversal is null and s.cost is null) as "withoutCost",
          coalesce(sum(s.goodwill), 0)::bigint as goodwill,
          coalesce(sum(s.refunded_later), 0)::bigint as "refundedLater",
          coalesce(sum(s.taken_back), 0)::bigint as "takenBack",
          coalesce(sum(s.cost_changes), 0)::bigint as "costChanges"`;

const sumLiveSales: Statement = {
  name: "list_sums_of_sales",
  secondsMax,
  // Of the names those that are requested: made with all others, it took five times as long.
  text: `select case when 'hour' = any ($3) then to_char(s.purchased_at at time zone $4, 'HH24') end as hour,
          case when 'category' = any ($3) then s.category end as category,
          case when 'product' = any ($3) then s.product_id end as product,
          case when 'merchant' = any ($3) then s.wallet_id end as merchant,
          case when 'supplier' = any ($3) then s.supplier end as supplier,
          ${sumColumns}
     from (${liveSales}) s
    group by 1, 2, 3, 4, 5
    order by supplier nulls last, category nulls last, merchant nulls last`,
};

/** Sums of sales that are told apart by some things; null for the others, and for none. */
export interface NamedSums extends SalesSums {
  readonly hour: string | null;
  readonly category: string | null;
  readonly product: ProductId | null;
  readonly merchant: MerchantId | null;
  readonly supplier: string | null;
}

/** Sums live sales of purchases made in a time as they are now, and what moved then because of earlier ones. Reads the purchases. */
export function listSums(
  db: Queryable,
  { start, end }: Pick<DaySpan, "start" | "end">,
  { per, timeZone }: { readonly per: readonly SaleDimension[]; readonly timeZone: string },
): Promise<NamedSums[]> {
  const ids = [firstPurchaseIdAt(start), firstPurchaseIdAt(end)];
  return db.query<NamedSums>(sumLiveSales, [...ids, per, timeZone, new Date(start), new Date(end)]);
}

/** Sums a day's sales as they are now, by one thing. Reads the day's purchases. */
export async function sumDay(
  db: Queryable,
  span: DaySpan,
  { dimension, timeZone }: { readonly dimension: SaleDimension; readonly timeZone: string },
): Promise<DaySales[]> {
  const rows = await listSums(db, span, { per: [dimension], timeZone });
  return rows.map(({ hour, category, product, merchant, supplier, ...sums }) => {
    const name = String(hour ?? category ?? product ?? merchant ?? supplier ?? "");
    return { ...sums, day: span.date, dimension, name };
  });
}

const insertSales: Statement = {
  name: "insert_closed_day_sales",
  secondsMax,
  text: `insert into closed_day_sales (
     day, dimension, name, sold, failed, pending, reversed, sales, cost, fees, without_cost, goodwill, refunded_later,
     taken_back, cost_changes
   )
   select $4::date, t.*
     from (
            select d.dimension, d.name, ${sumColumns}
              from (${liveSales}) s
             cross join lateral (
                     values ('all', ''),
                            ('hour', to_char(s.purchased_at at time zone $3, 'HH24')),
                            ('category', coalesce(s.category, '')),
                            ('product', coalesce(s.product_id::text, '')),
                            ('merchant', coalesce(s.wallet_id::text, '')),
                            ('supplier', coalesce(s.supplier, ''))
                   ) as d (dimension, name)
             group by d.dimension, d.name
          ) t`,
};

/** Stores a day's sums, by each thing. */
export async function insertDaySales(tx: Tx, { date, start, end }: DaySpan, timeZone: string): Promise<void> {
  const ids = [firstPurchaseIdAt(start), firstPurchaseIdAt(end)];
  await tx.query(insertSales, [...ids, timeZone, date, new Date(start), new Date(end)]);
}
