import { assert } from "../../kernel/assert.ts";
import type { Instant } from "../../kernel/clock.ts";
import {
  firstPurchaseIdAt,
  type ProductId,
  type PurchaseId,
  type Reference,
  type WalletId,
  type WalletKey,
  walletIdOf,
  walletOfId,
} from "../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../kernel/money.ts";
import type { Page } from "../../kernel/page.ts";
import {
  arrayOf,
  arrayOfRows,
  type Database,
  type Queryable,
  type Statement,
  statement,
  type Tx,
} from "../../platform/database/database.ts";
import type { Purchase, PurchaseStatus } from "../purchases/purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf } from "../purchases/queries.ts";
import type { BulkOrder, LineCounts, NewBulkOrder } from "./bulk-order.ts";
import type { WrittenLines } from "./line-rows.ts";

type BulkOrderRow = Omit<ListedOrder, "wallet">;

/** An order and how many of its lines are still pending. */
export type ListedOrder = BulkOrder & { readonly openLines: number };

const orderColumns = `
          id,
          reference,
          category,
          fingerprint,
          lines,
          amount,
          total,
          balance_before as "balanceBefore",
          created_at as "createdAt",
          open_lines as "openLines"`;

const findByReference = statement(
  "find_bulk_order",
  `select ${orderColumns}
     from bulk_orders
    where wallet_id = $1 and reference = $2 and reference <> ''`,
);

export async function findBulkOrder(
  db: Queryable,
  wallet: WalletKey,
  reference: Reference,
): Promise<ListedOrder | null> {
  const [row] = await db.query<BulkOrderRow>(findByReference, [walletIdOf(wallet), reference]);
  return row === undefined ? null : { ...row, wallet };
}

const findById = statement(
  "find_bulk_order_by_id",
  `select ${orderColumns}
     from bulk_orders
    where wallet_id = $1 and id = $2`,
);

export async function findBulkOrderById(db: Queryable, wallet: WalletKey, id: bigint): Promise<BulkOrder | null> {
  const [row] = await db.query<BulkOrderRow>(findById, [walletIdOf(wallet), id]);
  return row === undefined ? null : { ...row, wallet };
}

const listNewest = statement(
  "list_bulk_orders",
  `select ${orderColumns}
     from bulk_orders
    where wallet_id = $1
      and ($2::bigint is null or id < $2)
    order by id desc
    limit $3`,
);

/** Orders before one, newest first. */
export async function listBulkOrders(
  db: Queryable,
  wallet: WalletKey,
  { beforeId, limit }: { readonly beforeId: bigint | null; readonly limit: number },
): Promise<ListedOrder[]> {
  const values = [walletIdOf(wallet), beforeId, limit];
  const rows = await db.query<BulkOrderRow>(listNewest, values);
  return rows.map((row) => ({ ...row, wallet }));
}

/** What a line buys, and for whom. */
export interface LineFacts {
  readonly productId: ProductId;
  readonly customerRef: string | null;
  readonly amount: Kobo;
}

// The index of customers counts spans of fifty days and hashes a number with its wallet.
const listSold = statement(
  "list_lines_sold_before",
  `select l.place::integer - 1 as place,
          max(p.id) as id
     from unnest($2::text[], $3::integer[], $4::bigint[])
          with ordinality as l (customer_ref, product_id, amount, place)
    cross join generate_series(($5::bigint >> 54)::integer, ($6::bigint >> 54)::integer) as span (number)
     join purchases p
       on (p.id >> 54)::integer = span.number
      and hashtext(p.customer_ref) # p.wallet_id = hashtext(l.customer_ref) # $1
      and p.customer_ref is not null
      and p.customer_ref = l.customer_ref
      and p.wallet_id = $1
      and p.id >= $5
      and p.product_id = l.product_id
      and p.unit_amount * p.quantity = l.amount
      and p.status <> 'failed'
      and p.bulk_reference is distinct from $7
    group by l.place`,
);

/** The newest sale of the same to the same number since, by the line's place: in this order's own lines none is sought. */
export async function listSoldBefore(
  db: Queryable,
  { wallet, reference }: BulkOrderKey,
  lines: readonly LineFacts[],
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Promise<ReadonlyMap<number, PurchaseId>> {
  const rows = await db.query<{ place: number; id: PurchaseId }>(listSold, [
    walletIdOf(wallet),
    arrayOf(lines.map(({ customerRef }) => customerRef)),
    arrayOf(lines.map(({ productId }) => productId)),
    arrayOf(lines.map(({ amount }) => amount)),
    firstPurchaseIdAt(since),
    firstPurchaseIdAt(now),
    reference,
  ]);
  return new Map(rows.map(({ place, id }) => [place, id]));
}

export interface PlaceRow {
  readonly outcome: "placed" | "known" | "purchase" | "late" | "taken" | "insufficient" | "over_limit";
  /** Lines, from 0, whose references are used already. */
  readonly takenLines: readonly number[] | null;
  /** Balance before the order when placed, else the wallet's balance; null where somebody else holds the wallet. */
  readonly balance: Kobo | null;
  readonly spentToday: Kobo;
}

const placeOrder: Statement = {
  name: "place_bulk_order",
  text: `select outcome, taken_lines as "takenLines", balance, day_spent as "spentToday"
           from place_bulk_order($1, $2, $3, $4, $5, $6, $7, $8::bulk_line[], $9::new_purchase[], $10)`,
  // The largest takes half a second. A commit that does not come back is tried once more, and then answered as open.
  secondsMax: 20,
};

/** Charges and records all lines in one commit, or none. Locks the wallet. Safe to repeat with the same ids. */
export async function insertBulkOrder(
  db: Queryable,
  wallet: WalletKey,
  order: NewBulkOrder,
  { lines, kinds, day }: WrittenLines & { readonly day: string },
): Promise<PlaceRow> {
  const { id, reference, category, fingerprint, amount, total } = order;
  const head = [walletIdOf(wallet), id, reference, category, fingerprint, amount, total];
  const [row] = await db.query<PlaceRow>(placeOrder, [...head, arrayOfRows(lines), arrayOfRows(kinds), day]);
  assert(row !== undefined, "placing an order has an outcome");
  return row;
}

export interface BulkOrderKey {
  readonly wallet: WalletKey;
  readonly reference: Reference;
}

const listOver = statement(
  "list_bulk_orders_to_announce",
  `select wallet_id as "walletId", reference
     from bulk_orders
    where open_lines = 0 and not completion_announced
    limit $1`,
);

/** Orders whose last line ended, which nobody was told yet. */
export async function listUnannouncedOrders(db: Queryable, limit: number): Promise<BulkOrderKey[]> {
  const rows = await db.query<{ walletId: WalletId; reference: Reference }>(listOver, [limit]);
  return rows.map(({ walletId, reference }) => ({ wallet: walletOfId(walletId), reference }));
}

const updateAnnounced = statement(
  "update_bulk_order_announced",
  `update bulk_orders
      set completion_announced = true
    where wallet_id = $1 and reference = $2 and reference <> ''
      and not completion_announced
   returning over_at_once as "overAtOnce"`,
);

/**
 * Marks an order's end as told, in the transaction that tells it.
 * @returns whether the order's own response told it; null when somebody else has
 */
export async function updateOrderAnnounced(
  tx: Tx,
  { wallet, reference }: BulkOrderKey,
): Promise<{ readonly overAtOnce: boolean } | null> {
  const values = [walletIdOf(wallet), reference];
  const [row] = await tx.query<{ overAtOnce: boolean }>(updateAnnounced, values);
  return row ?? null;
}

const countLines = statement(
  "count_bulk_lines",
  `select count(*) filter (where p.status = 'successful')::integer as successful,
          count(*) filter (where p.status = 'pending')::integer as pending,
          count(*) filter (where p.status = 'failed')::integer as failed,
          coalesce(sum(p.total) filter (where p.status = 'failed'), 0)::bigint as refunded,
          max(p.completed_at) as "lastCompletedAt"
     from purchases p
    where p.wallet_id = $1 and p.bulk_reference = $2`,
);

/** Reads every line: at most ten thousand, some milliseconds. */
export async function countBulkLines(db: Queryable, { wallet, reference }: BulkOrder): Promise<LineCounts> {
  const [row] = await db.query<LineCounts>(countLines, [walletIdOf(wallet), reference]);
  return row ?? { successful: 0, pending: 0, failed: 0, refunded: zeroKobo, lastCompletedAt: null };
}

const listLines = statement(
  "list_bulk_lines",
  `select ${purchaseColumns}
     from purchases p
    where p.wallet_id = $1
      and p.bulk_reference = $2
      and ($3::text is null or p.status = $3)
    order by p.bulk_line
    limit $4
   offset $5`,
);

const listFailedFirst = statement(
  "list_bulk_lines_failed_first",
  `select ${purchaseColumns}
     from purchases p
    where p.wallet_id = $1
      and p.bulk_reference = $2
      and ($3::text is null or p.status = $3)
    order by (p.status = 'failed') desc, p.bulk_line
    limit $4
   offset $5`,
);

/** A page of an order's lines, in the order they were sent unless the failed ones come first. */
export async function listBulkLines(
  db: Queryable,
  { wallet, reference }: BulkOrder,
  status: PurchaseStatus | null,
  page: Page & { readonly isFailedFirst?: boolean },
): Promise<Purchase[]> {
  const offset = (page.page - 1) * page.perPage;
  const values = [walletIdOf(wallet), reference, status, page.perPage, offset];
  const rows = await db.query<PurchaseRow>(page.isFailedFirst ? listFailedFirst : listLines, values);
  return rows.map(purchaseOf);
}

const ordersPerRead = 200;

/** Every order of a wallet, newest first, some at a time: none comes twice, whatever is ordered meanwhile. */
export async function* streamBulkOrders(database: Database, wallet: WalletKey): AsyncGenerator<readonly ListedOrder[]> {
  let beforeId: bigint | null = null;
  do {
    const orders: ListedOrder[] = await listBulkOrders(database, wallet, { beforeId, limit: ordersPerRead });
    if (orders.length > 0) yield orders;
    beforeId = orders.length < ordersPerRead ? null : (orders.at(-1)?.id ?? null);
  } while (beforeId !== null);
}
