import type { Instant } from "../../../kernel/clock.ts";
import {
  firstPurchaseIdAt,
  type ProductId,
  type PurchaseId,
  purchaseTime,
  type WalletKey,
  walletIdOf,
} from "../../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import { dayNumberAt, firstIdOfDay } from "../lists/count-queries.ts";

/** Purchases that ended, and what came of them. */
export interface SalesSum {
  /** Delivered, and not taken back later. */
  readonly sales: number;
  /** Failed, or refunded later. */
  readonly refunds: number;
  /** What the wallet paid for the sales. */
  readonly sold: Kobo;
}

/** An hour's sum, or that of its part before or after a moment. */
export interface HourPart extends SalesSum {
  /** Counts from the first instant of the range: 0 is its first hour. */
  readonly hour: number;
  /** It lies before `splitAt`. */
  readonly isBefore: boolean;
}

// Hours are counted from the range's own start, so a zone may be off by half an hour. `(select $1)`: the plan must not
// know that the wallet is live, or it may read everybody's purchases of the range.
const listHours = statement(
  "list_purchase_hours",
  `select (((p.id - $2::bigint) >> 22) / 3600000)::integer as hour,
          p.id < $4::bigint as "isBefore",
          count(*) filter (where p.refunded_at is null)::float8 as sales,
          count(*) filter (where p.refunded_at is not null)::float8 as refunds,
          coalesce(sum(p.total) filter (where p.refunded_at is null), 0)::bigint as sold
     from purchases p
    where p.wallet_id = (select $1::integer)
      and p.id >= $2
      and p.id < $3
      and p.status <> 'pending'
    group by 1, 2`,
);

/** Sums by hour. Reads every purchase of the range, a microsecond each: a day's, not a month's. */
export function listHourParts(
  db: Queryable,
  wallet: WalletKey,
  { from, before, splitAt }: { readonly from: Instant; readonly before: Instant; readonly splitAt: Instant },
): Promise<HourPart[]> {
  return db.query<HourPart>(listHours, [walletIdOf(wallet), ...[from, before, splitAt].map(firstPurchaseIdAt)]);
}

/** What was sold of one product. */
export interface SoldOfProduct {
  readonly productId: ProductId;
  readonly sales: number;
  readonly sold: Kobo;
}

// Counted in advance or read, never both, as in list_purchase_days; what was refunded later is taken off.
const listProducts = statement(
  "list_sold_products",
  `with sale as (
     select c.product_id, c.purchases as sales, c.charged as sold
       from purchase_counts c
      where c.wallet_id = $1
        and c.day between $2 and $3
        and c.status = 'successful'
      union all
     select p.product_id, 1, p.total
       from purchases p
      where p.wallet_id = $1
        and p.id > (select w.counted_id from wallets w where w.wallet_id = $1)
        and p.id >= $4
        and p.status = 'successful'
      union all
     select p.product_id, -1, -p.total
       from ledger_entries e
      cross join lateral (
              select p.product_id, p.total
                from purchases p
               where p.wallet_id = e.wallet_id
                 and p.id = e.purchase_id
               limit 1
            ) p
      where e.wallet_id = $1
        and e.kind = 'reversal'
        and e.purchase_id >= $4
   )
   select s.product_id as "productId", sum(s.sales)::float8 as sales, sum(s.sold)::bigint as sold
     from sale s
    group by s.product_id
   having sum(s.sales) > 0
    order by sum(s.sold) desc, s.product_id`,
);

/** What was sold on the last days up to the one of `now`, by product: for the most money first. */
export function listSoldProducts(
  db: Queryable,
  wallet: WalletKey,
  { now, days }: { readonly now: Instant; readonly days: number },
): Promise<SoldOfProduct[]> {
  const today = dayNumberAt(now);
  const first = today - days + 1;
  return db.query<SoldOfProduct>(listProducts, [walletIdOf(wallet), first, today, firstIdOfDay(first)]);
}

/** All that a wallet has pending. */
export interface PendingSum {
  readonly purchases: number;
  readonly total: Kobo;
  /** Null where nothing is pending. */
  readonly oldest: { readonly id: PurchaseId; readonly at: Instant } | null;
}

// Purchases are looked up one by one, whatever the planner expects: pending ones are few.
const findPending = statement(
  "find_pending_sum",
  `select count(*)::integer as purchases, coalesce(sum(p.total), 0)::bigint as total, min(f.purchase_id) as "oldestId"
     from inflight f
    cross join lateral (
            select p.total
              from purchases p
             where p.wallet_id = f.wallet_id
               and p.id = f.purchase_id
             limit 1
          ) p
    where f.wallet_id = $1`,
);

export async function findPendingSum(db: Queryable, wallet: WalletKey): Promise<PendingSum> {
  type Row = { readonly purchases: number; readonly total: Kobo; readonly oldestId: PurchaseId | null };
  const [row] = await db.query<Row>(findPending, [walletIdOf(wallet)]);
  const { purchases = 0, total = zeroKobo, oldestId = null } = row ?? {};
  return { purchases, total, oldest: oldestId === null ? null : { id: oldestId, at: purchaseTime(oldestId) } };
}

/** Sales that were refunded after they had been delivered. */
export interface RefundedLater {
  readonly purchases: number;
  /** The one that was refunded last. */
  readonly lastId: PurchaseId;
}

const findRefunded = statement(
  "find_refunded_later",
  `select count(*)::integer as purchases,
          (array_agg(e.purchase_id order by e.seq desc))[1] as "lastId"
     from ledger_entries e
    where e.wallet_id = $1
      and e.kind = 'reversal'
      and e.purchase_id >= $2
      and e.created_at >= $3`,
);

/** Refunds since a moment, of sales that were made since another; null where there are none. Reads refunds alone. */
export async function findRefundedLater(
  db: Queryable,
  wallet: WalletKey,
  { since, madeSince }: { readonly since: Instant; readonly madeSince: Instant },
): Promise<RefundedLater | null> {
  const values = [walletIdOf(wallet), firstPurchaseIdAt(madeSince), new Date(since)];
  const [row] = await db.query<RefundedLater>(findRefunded, values);
  return row === undefined || row.purchases === 0 ? null : row;
}
