import type { Instant } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

/** Sales of a product that were refused in an hour for want of a supplier: so many more than were stored before. */
export interface UnservedCount {
  readonly productId: number;
  /** Its first instant. */
  readonly hour: Instant;
  refused: number;
  amount: bigint;
  lastAt: Instant;
}

/** A product that sales are refused of for want of a supplier, beside what its suppliers were sent. */
export interface UnservedProduct {
  readonly productId: ProductId;
  readonly product: string;
  readonly refused: number;
  /** Their face value. */
  readonly amount: Kobo;
  /** Attempts at its suppliers in the same hours. */
  readonly sent: number;
  readonly lastAt: Instant;
}

const listUnserved = statement(
  "list_unserved_sales",
  `select u.product_id as "productId",
          p.name as product,
          sum(u.refused)::float8 as refused,
          sum(u.amount)::bigint as amount,
          coalesce(
            (
              select sum(h.vended + h.declined + h.unknown)
                from supplier_hours h
               where h.product_id = u.product_id and h.hour >= $1
            ),
            0
          )::float8 as sent,
          max(u.last_at) as "lastAt"
     from unserved_hours u
     join products p
       on p.id = u.product_id
    where u.hour >= $1
    group by u.product_id, p.name
   having max(u.last_at) >= $2
    order by sum(u.amount) desc, u.product_id
    limit 100`,
);

/** Counted from the hour on that begins at `from`, of what was refused since `lastSince`; the most money first. */
export function listUnservedProducts(
  db: Queryable,
  { from, lastSince }: { readonly from: Instant; readonly lastSince: Instant },
): Promise<UnservedProduct[]> {
  return db.query<UnservedProduct>(listUnserved, [new Date(from), new Date(lastSince)]);
}
