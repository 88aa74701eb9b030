import { assert } from "../../kernel/assert.ts";
import {
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

type BulkOrderRow = Omit<BulkOrder, "wallet">;

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
          created_at as "createdAt"`;

const findByReference = statement(
  "find_bulk_order",
  `select ${orderColumns},
          open_lines as "openLines"
     from bulk_orders
    where wallet_id = $1 and reference = $2 and reference <> ''`,
);

export async function findBulkOrder(
  db: Queryable,
  wallet: WalletKey,
  reference: Reference,
): Promise<ListedOrder | null> {
  const [row] = await db.query<BulkOrderRow & { openLines: number }>(findByReference, [walletIdOf(wallet), reference]);
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
  `select ${orderColumns},
          open_lines as "openLines"
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
  const rows = await db.query<BulkOrderRow & { openLines: number }>(listNewest, values);
  return rows.map((row) => ({ ...row, wallet }));
}

const listAlike = statement(
  "list_alike_bulk_orders",
  `select reference
     from bulk_orders
    where wallet_id = $1
      and id >= $2
      and category = $3
      and lines = $4
      and amount = $5
      and reference <> $6
    order by id desc
    limit $7`,
);

/** Other orders since, newest first, of as many lines for as much: their lines may be the same. */
export async function listAlikeOrders(
  db: Queryable,
  wallet: WalletKey,
  order: Pick<BulkOrder, "category" | "lines" | "amount" | "reference">,
  { sinceId, limit }: { readonly sinceId: PurchaseId; readonly limit: number },
): Promise<Reference[]> {
  const { category, lines, amount, reference } = order;
  const values = [walletIdOf(wallet), sinceId, category, lines, amount, reference, limit];
  return (await db.query<{ reference: Reference }>(listAlike, values)).map((row) => row.reference);
}

/** What a line buys, and for whom. */
export interface LineFacts {
  readonly productId: ProductId;
  readonly customerRef: string | null;
  readonly amount: Kobo;
}

const listFacts = statement(
  "list_bulk_line_facts",
  `select product_id as "productId",
          customer_ref as "customerRef",
          unit_amount * quantity as amount
     from purchases
    where wallet_id = $1 and bulk_reference = $2`,
);

/** Of all lines: at most ten thousand. */
export function listLineFacts(db: Queryable, wallet: WalletKey, reference: Reference): Promise<LineFacts[]> {
  return db.query<LineFacts>(listFacts, [walletIdOf(wallet), reference]);
}

export interface PlaceRow {
  readonly outcome: "placed" | "known" | "purchase" | "late" | "taken" | "insufficient" | "over_limit";
  /** Lines, from 0, whose references are used already. */
  readonly takenLines: readonly number[] | null;
  /** Balance before the order when placed, else the wallet's balance. */
  readonly balance: Kobo;
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

/** A page of an order's lines, in the order they were sent. */
export async function listBulkLines(
  db: Queryable,
  { wallet, reference }: BulkOrder,
  status: PurchaseStatus | null,
  page: Page,
): Promise<Purchase[]> {
  const offset = (page.page - 1) * page.perPage;
  const values = [walletIdOf(wallet), reference, status, page.perPage, offset];
  const rows = await db.query<PurchaseRow>(listLines, values);
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
