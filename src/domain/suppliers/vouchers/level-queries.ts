import type { Instant } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { type Queryable, type Statement, statement } from "../../../platform/database/database.ts";

/** How many vouchers of a product are left, as far as it matters. */
export interface StockLevel {
  readonly productId: ProductId;
  readonly product: string;
  /** At or below so many, operators are told. */
  readonly lowAt: number;
  /** Handed over since the moment that was asked for, as far as it was known at the first answer. */
  readonly sold: number;
  /** For sale; counted beyond the threshold and what was asked for, and no further: a full shelf costs little more. */
  readonly left: number;
  /** Where `left` ended the count: there may be more. */
  readonly isMore: boolean;
}

/** What a look at the stock asks for. */
export interface LevelQuery {
  /** `YYYY-MM-DD`: the first day on which a voucher may still be sold. */
  readonly day: string;
  /** Where no operator set another one. */
  readonly usualThreshold: number;
  /** Sales since then are added up; null: none. */
  readonly soldSince: Instant | null;
  /** The count goes on to so many times of what was sold since. */
  readonly times: number;
}

// In the order and the words of vouchers_by_expiry: what has expired, or was sold, is not read.
const listStockLevels = statement(
  "list_stock_levels",
  `select kept.product_id as "productId",
          p.name as product,
          kept.low_at as "lowAt",
          kept.sold::float8 as sold,
          least(shelf.rows, kept.counted)::integer as "left",
          shelf.rows > kept.counted as "isMore"
     from (
            select r.product_id,
                   coalesce(max(t.low_at), $2::integer) as low_at,
                   coalesce(max(h.sold), 0)::bigint as sold,
                   greatest(coalesce(max(t.low_at), $2::integer), $4 * coalesce(max(h.sold), 0)) + 1 as counted
              from supplier_routes r
              join suppliers s
                on s.name = r.supplier and s.connector = 'voucher-stock' and s.state = 'enabled'
              left join voucher_thresholds t on t.product_id = r.product_id
              left join (
                     select supplier, product_id, sum(coalesce(units, vended)) as sold
                       from supplier_hours
                      where hour >= $3
                      group by supplier, product_id
                   ) h
                on h.supplier = r.supplier and h.product_id = r.product_id
             where r.enabled
             group by r.product_id
          ) kept
     join products p
       on p.id = kept.product_id
    cross join lateral (
            select count(*) as rows
              from (
                     select 1
                       from vouchers v
                      where v.product_id = kept.product_id
                        and v.sold_to is null
                        and coalesce(v.expires_on, 'infinity'::date) >= $1
                      order by coalesce(v.expires_on, 'infinity'::date), v.number
                      limit kept.counted + 1
                   ) first
          ) shelf
    order by kept.product_id`,
);

/** The level of every product that is sold from stock. */
export function listLevels(db: Queryable, query: LevelQuery): Promise<StockLevel[]> {
  const { day, usualThreshold, soldSince, times } = query;
  const since = soldSince === null ? "infinity" : new Date(soldSince);
  return db.query<StockLevel>(listStockLevels, [day, usualThreshold, since, times]);
}

const listUnsellableVouchers = statement(
  "list_unsellable_vouchers",
  `select p.id as "productId", p.name as product
     from products p
     join billers b
       on b.slug = p.biller_slug
    where b.category = any ($1::text[])
      and exists (select 1 from vouchers v where v.product_id = p.id and v.sold_to is null)
      and not exists (
            select 1
              from supplier_routes r
              join suppliers s on s.name = r.supplier and s.connector = 'voucher-stock'
             where r.product_id = p.id and r.enabled and s.state = 'enabled'
          )
    order by p.id
    limit $2`,
);

/** Products with unsold vouchers that no route leads to. */
export function listUnsellable(db: Queryable, limit: number): Promise<Pick<StockLevel, "productId" | "product">[]> {
  return db.query(listUnsellableVouchers, [voucherCategories, limit]);
}

/** Categories that hand over vouchers (`voucherStock` in src/providers). */
export const voucherCategories: readonly string[] = ["recharge_pin", "education", "giftcard", "internet"];

// The index alone answers the first count; the second reads the vouchers that expired unsold.
const countVouchersLeft: Statement = {
  name: "count_vouchers_left",
  secondsMax: 20,
  text: `select (
            select count(*)::integer
              from vouchers v
             where v.product_id = $1
               and v.sold_to is null
          ) - (
            select count(*)::integer
              from vouchers v
             where v.product_id = $1
               and v.sold_to is null
               and coalesce(v.expires_on, 'infinity'::date) < $2
          ) as "left"`,
};

/** How many of a product are for sale, all of them counted: some tenth of a second for a million. */
export async function countLeft(db: Queryable, productId: number, day: string): Promise<number> {
  const [row] = await db.query<{ left: number }>(countVouchersLeft, [productId, day]);
  return row?.left ?? 0;
}
