import type { Instant } from "../../../kernel/clock.ts";
import { type ProductId, type PurchaseId, type Reference, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { PersonId } from "../../identity/people/person.ts";
import type { Purchase, PurchaseStatus } from "../../purchases/purchase.ts";

/** Sales by hand of one wallet, from an instant to before another. */
export interface SalesSpan {
  readonly wallet: WalletKey;
  readonly from: Instant;
  readonly before: Instant;
  /** Null: of everybody. */
  readonly personId: PersonId | null;
}

// A row without its purchases was refused. Whatever else came under the same reference came by another door; an order of
// the API's has the same channel as one of the console's, which is placed when its button is pressed.
const soldBy = `console_sales s
     cross join lateral (
            select p.id, p.reference, p.product_id, p.customer_ref, p.phone, p.unit_amount, p.quantity, p.total,
                   p.status, p.purchased_at, p.refunded_at
              from purchases p
             where p.reference = s.reference
               and p.wallet_id = s.wallet_id
               and p.reference <> ''
               and p.channel = 'dashboard'
             union all
            select p.id, p.reference, p.product_id, p.customer_ref, p.phone, p.unit_amount, p.quantity, p.total,
                   p.status, p.purchased_at, p.refunded_at
              from purchases p
             where p.wallet_id = s.wallet_id
               and p.bulk_reference = s.reference
               and p.purchased_at < s.sold_at + interval '5 minutes'
          ) p
    where s.wallet_id = $1
      and s.sold_at >= $2
      and s.sold_at < $3
      and ($4::integer is null or s.person_id = $4)`;

function valuesOf({ wallet, from, before, personId }: SalesSpan): unknown[] {
  return [walletIdOf(wallet), new Date(from), new Date(before), personId];
}

/** What was sold of one product. */
export interface ProductSales extends SalesSum {
  readonly productId: ProductId;
}

interface SalesSum {
  /** Delivered, and not refunded since. */
  readonly delivered: number;
  readonly pending: number;
  /** Failed or refunded later: they cost nothing. */
  readonly refunded: number;
  /** What customers paid for what was delivered or is pending, as receipts say it. */
  readonly amount: Kobo;
  /** What the wallet paid for it. */
  readonly cost: Kobo;
}

const sums = `count(*) filter (where p.status = 'successful' and p.refunded_at is null)::integer as delivered,
          count(*) filter (where p.status = 'pending')::integer as pending,
          count(*) filter (where p.refunded_at is not null)::integer as refunded,
          coalesce(sum(p.unit_amount * p.quantity) filter (where p.refunded_at is null), 0)::bigint as amount,
          coalesce(sum(p.total) filter (where p.refunded_at is null), 0)::bigint as cost`;

const listByProduct = statement(
  "list_console_sales_by_product",
  `select p.product_id as "productId",
          ${sums}
     from ${soldBy}
    group by p.product_id
    order by amount desc, p.product_id`,
);

/** What was sold, product by product, the most first. */
export function listSalesByProduct(db: Queryable, span: SalesSpan): Promise<ProductSales[]> {
  return db.query<ProductSales>(listByProduct, valuesOf(span));
}

/** What one person sold on one day. */
export interface PersonSales extends SalesSum {
  /** `YYYY-MM-DD` in the deployment's time zone. */
  readonly date: string;
  readonly personId: PersonId;
  readonly name: string;
  readonly email: string;
}

const listByPerson = statement(
  "list_console_sales_by_person",
  `select sold.date,
          sold."personId",
          sold.delivered,
          sold.pending,
          sold.refunded,
          sold.amount,
          sold.cost,
          e.name,
          e.email
     from (
            select to_char(s.sold_at at time zone $5, 'YYYY-MM-DD') as date,
                   s.person_id as "personId",
                   ${sums}
              from ${soldBy}
             group by 1, 2
          ) sold
     join people e on e.id = sold."personId"
    order by sold.date desc, sold.amount desc, sold."personId"
    limit 1000`,
);

/** What each person sold on each day, the last day first. Also of those who have left. */
export function listSalesByPerson(db: Queryable, span: SalesSpan, timeZone: string): Promise<PersonSales[]> {
  return db.query<PersonSales>(listByPerson, [...valuesOf(span), timeZone]);
}

/** One sale, as its list shows it: nothing of the wallet is in it. */
export interface SoldLine {
  readonly purchaseId: PurchaseId;
  readonly reference: Reference;
  readonly soldAt: Instant;
  readonly productId: ProductId;
  readonly customerRef: string | null;
  readonly amount: Kobo;
  readonly status: PurchaseStatus;
  readonly refundedAt: Instant | null;
}

const listLines = statement(
  "list_console_sales",
  `select p.id as "purchaseId",
          p.reference,
          p.purchased_at as "soldAt",
          p.product_id as "productId",
          p.customer_ref as "customerRef",
          p.unit_amount * p.quantity as amount,
          p.status,
          p.refunded_at as "refundedAt"
     from ${soldBy}
      and ($5 = '' or p.reference = $5 or strpos(coalesce(p.customer_ref, ''), $5) > 0 or strpos(coalesce(p.phone, ''), $5) > 0)
    order by s.sold_at desc, p.id desc
    limit $6`,
);

/** The sales, the newest first. `sought`: a reference, or part of a customer's number; empty for all. */
export function listSales(
  db: Queryable,
  span: SalesSpan,
  { sought, limit }: { readonly sought: string; readonly limit: number },
): Promise<SoldLine[]> {
  return db.query<SoldLine>(listLines, [...valuesOf(span), sought, limit]);
}

const listSellersOf = statement(
  "list_sellers",
  `select i.id, e.name
     from unnest($2::bigint[], $3::text[], $4::timestamptz[]) as i (id, reference, purchased_at)
     join console_sales s
       on s.wallet_id = $1
      and s.reference = i.reference
      and i.purchased_at < s.sold_at + interval '5 minutes'
     join people e on e.id = s.person_id`,
);

/** The names of the people who sold some purchases of a wallet in the console. */
export async function listSellers(
  db: Queryable,
  wallet: WalletKey,
  purchases: readonly Purchase[],
): Promise<ReadonlyMap<PurchaseId, string>> {
  const some = purchases.filter(({ channel }) => channel === "dashboard" || channel === "bulk");
  if (some.length === 0) return new Map();
  const rows = await db.query<{ readonly id: PurchaseId; readonly name: string }>(listSellersOf, [
    walletIdOf(wallet),
    some.map(({ id }) => id),
    some.map(({ reference, bulk }) => bulk?.reference ?? reference),
    some.map(({ purchasedAt }) => new Date(purchasedAt)),
  ]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
