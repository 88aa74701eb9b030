import type { Clock } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type PurchaseId, type WalletId, type WalletKey } from "../../../kernel/ids.ts";
import { offsetMax, type Page, type PageMeta, pageMeta } from "../../../kernel/page.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { readDatabaseClock } from "../../../platform/clock-skew.ts";
import type { Database, Queryable } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { findPurchase, findPurchasesByReference } from "../../purchases/queries.ts";
import { findWallet } from "../../wallet/queries.ts";
import { type AmountFilter, countPurchasesOfAmount, listPurchasesOfAmount } from "./amount-queries.ts";
import { countPurchasesByFacts, lastId, listUncountedWallets, updatePurchaseCounts } from "./count-queries.ts";
import {
  type BulkFilter,
  type Count,
  countCustomerPurchases,
  countPurchasesOfBulk,
  type ListPage,
  listCustomerPurchases,
  listPendingPurchases,
  listPurchases,
  listPurchasesByFacts,
  listPurchasesOfBulk,
  type PurchaseFilter,
} from "./list-queries.ts";
import { partsAmong } from "./seek.ts";
import { countSoughtPurchases, findOldestOfNewest, listSoughtPurchases, type SoughtFilter } from "./sought-queries.ts";

export const noFilter: PurchaseFilter = {
  status: null,
  productIds: null,
  phone: null,
  customerRef: null,
  reference: null,
  id: null,
  channel: null,
  bulkReference: null,
  sought: null,
  amount: null,
  fromId: null,
  beforeId: null,
};

/** A page, and how far what is not counted in advance is counted, a customer's purchases: null is to the end. */
type CountedPage = Page & { readonly countMax?: number | undefined };

/**
 * One page of a wallet's purchases, newest first, with the total: exact but for a customer with `countMax` purchases or
 * more, whose total is that. Whatever is asked for, the most selective filter
 * decides what is read, and the others are compared with that: one purchase by its name, the lines of a bulk order, a
 * customer's purchases; else what is counted in advance says how far to read.
 * @throws Refusal INVALID_PAGE beyond `offsetMax` rows
 */
export async function listPage(
  database: Database,
  wallet: WalletKey,
  filter: PurchaseFilter,
  page: CountedPage,
): Promise<{ readonly purchases: readonly Purchase[]; readonly meta: PageMeta; readonly isTotalLeast: boolean }> {
  if ((page.page - 1) * page.perPage > offsetMax) {
    const message = `Must not begin after row ${offsetMax}; narrow the list with from and to.`;
    throw refuseField("INVALID_PAGE", "page", message);
  }
  const [total, purchases] = await readPage(database, wallet, filter, page);
  const isTotalLeast = isCountedByReading(filter) && total === page.countMax;
  return { purchases, meta: pageMeta(page, total, offsetMax), isTotalLeast };
}

async function readPage(
  database: Database,
  wallet: WalletKey,
  filter: PurchaseFilter,
  page: CountedPage,
): Promise<readonly [number, readonly Purchase[]]> {
  if (namesOne(filter)) {
    const purchase = await findTheOne(database, wallet, filter);
    const isShown = purchase !== null && page.page === 1;
    return [purchase === null ? 0 : 1, isShown ? [purchase] : []];
  }
  const bounded = isOfAmount(filter) ? await amongNewest(database, wallet, filter) : filter;
  return Promise.all([
    countOf(database, wallet, bounded, page.countMax ?? null),
    listOf(database, wallet, bounded, page),
  ]);
}

/** Read at once by `streamPurchases`: a few milliseconds of the process. */
const purchasesPerRead = 100;

/**
 * Every purchase that fits, newest first, some at a time: each read begins below the last one's ids, so that none comes
 * twice and what is bought meanwhile stays out. Between two reads nothing is held of the database, however slowly the
 * purchases are taken.
 */
export async function* streamPurchases(
  database: Database,
  wallet: WalletKey,
  filter: PurchaseFilter,
): AsyncGenerator<readonly Purchase[]> {
  if (namesOne(filter)) {
    const purchase = await findTheOne(database, wallet, filter);
    if (purchase !== null) yield [purchase];
    return;
  }
  const first = { page: 1, perPage: purchasesPerRead };
  // Of a range of amounts all are read, not the newest alone.
  const read = { ...filter, amount: null };
  let purchases = await listOf(database, wallet, read, first);
  while (purchases.length > 0) {
    const fitting = purchases.filter((purchase) => fitsAmount(purchase, filter));
    if (fitting.length > 0) yield fitting;
    const last = purchases.at(-1);
    if (last === undefined || purchases.length < purchasesPerRead) return;
    purchases = await listOf(database, wallet, { ...read, beforeId: last.id }, first);
  }
}

function namesOne({ id, reference }: PurchaseFilter): boolean {
  return id !== null || reference !== null;
}

const countOf: Count<PurchaseFilter> = (database, wallet, filter, countMax) => {
  if (isOfAmount(filter)) return countPurchasesOfAmount(database, wallet, filter, countMax);
  if (isSought(filter)) return countSoughtPurchases(database, wallet, filter, countMax);
  if (isOfBulk(filter)) return countPurchasesOfBulk(database, wallet, filter, countMax);
  if (isOfCustomer(filter)) return countCustomerPurchases(database, wallet, filter, countMax);
  return totalOf(database, wallet, filter);
};

const listOf: ListPage<PurchaseFilter> = (database, wallet, filter, page) => {
  if (isOfAmount(filter)) return listPurchasesOfAmount(database, wallet, filter, page);
  if (isSought(filter)) return listSoughtPurchases(database, wallet, filter, page);
  if (isOfBulk(filter)) return listPurchasesOfBulk(database, wallet, filter, page);
  if (isOfCustomer(filter)) return listCustomerPurchases(database, wallet, filter, page);
  return listByFacts(database, wallet, filter, page);
};

/** The purchase of the id or the reference, when every other filter fits it, too. */
async function findTheOne(database: Database, wallet: WalletKey, filter: PurchaseFilter): Promise<Purchase | null> {
  const { id, reference } = filter;
  const byId = id === null ? null : await findPurchase(database, wallet, id);
  if (id !== null) return byId !== null && fits(byId, filter) ? byId : null;
  const [named = null] = reference === null ? [] : await findPurchasesByReference(database, [{ wallet, reference }]);
  return named !== null && fits(named, filter) ? named : null;
}

function fits(purchase: Purchase, filter: PurchaseFilter): boolean {
  const { status, productIds, phone, customerRef, reference, channel, bulkReference, fromId, beforeId } = filter;
  return (
    (status === null || purchase.status === status) &&
    (productIds === null || productIds.includes(purchase.productId)) &&
    (phone === null || purchase.phone === phone) &&
    (customerRef === null || purchase.customerRef === customerRef) &&
    (reference === null || purchase.reference === reference) &&
    (channel === null || purchase.channel === channel) &&
    (bulkReference === null || purchase.bulk?.reference === bulkReference) &&
    fitsAmount(purchase, filter) &&
    (fromId === null || purchase.id >= fromId) &&
    (beforeId === null || purchase.id < beforeId)
  );
}

function fitsAmount({ total }: Purchase, { amount }: PurchaseFilter): boolean {
  return amount === null || (total >= (amount.from ?? 0n) && total <= (amount.to ?? lastId));
}

/** The same of the newest purchases of its time alone, so that a bounded number is read. */
async function amongNewest(database: Database, wallet: WalletKey, filter: AmountFilter): Promise<AmountFilter> {
  const { fromId, beforeId } = filter;
  const oldest = await findOldestOfNewest(database, wallet, { beforeId, count: partsAmong });
  return oldest === null || (fromId !== null && fromId > oldest) ? filter : { ...filter, fromId: oldest };
}

function isOfAmount(filter: PurchaseFilter): filter is AmountFilter {
  return filter.amount !== null;
}

function isSought(filter: PurchaseFilter): filter is SoughtFilter {
  return filter.sought !== null;
}

function isOfBulk(filter: PurchaseFilter): filter is BulkFilter {
  return filter.bulkReference !== null;
}

function isCountedByReading(filter: PurchaseFilter): boolean {
  return !namesOne(filter) && !isOfAmount(filter) && (isSought(filter) || (!isOfBulk(filter) && isOfCustomer(filter)));
}

function isOfCustomer({ customerRef, phone }: PurchaseFilter): boolean {
  return customerRef !== null || phone !== null;
}

/** The wallet's row keeps the total of all; status, product, channel and time are counted in advance. */
async function totalOf(database: Queryable, wallet: WalletKey, filter: PurchaseFilter): Promise<number> {
  if (Object.values(filter).some((value) => value !== null)) return countPurchasesByFacts(database, wallet, filter);
  return Number((await findWallet(database, wallet))?.purchaseCount ?? 0n);
}

const listByFacts: ListPage<PurchaseFilter> = (database, wallet, filter, page) => {
  const { status, productIds, channel } = filter;
  if (status === "pending") return listPendingPurchases(database, wallet, filter, page);
  if (status === null && productIds === null && channel === null) return listPurchases(database, wallet, filter, page);
  return listPurchasesByFacts(database, wallet, filter, page);
};

interface CountServices {
  readonly database: Database;
  readonly clock: Clock;
}

/** Purchases younger than this are not counted yet: a purchase waits no longer than this for its commit. */
const countLagMs = 30_000;
/** Short enough that the wallet's purchases, which wait for its lock meanwhile, do not notice. */
const rowsPerCommit = 2_000;

/**
 * Below this no purchase gets its id any more. By the clock that is behind, ours or the database's: what is counted is
 * closed for good, so one clock that is ahead must not close the time that is still to come.
 */
async function countableBefore({ database, clock }: CountServices): Promise<PurchaseId> {
  const now = Math.min(clock.now(), await readDatabaseClock(database));
  return firstPurchaseIdAt(now - countLagMs);
}

/** Wallets with purchases that can be counted now. */
export interface Uncounted {
  readonly wallets: readonly WalletId[];
  readonly beforeId: PurchaseId;
}

/** The next ones after `after`. */
export async function findUncounted(services: CountServices, after: WalletId, limit: number): Promise<Uncounted> {
  const beforeId = await countableBefore(services);
  return { wallets: await listUncountedWallets(services.database, { after, beforeId, limit }), beforeId };
}

/** Counts what can be counted of these, a few thousand a commit. Safe to repeat, and beside others that do the same. */
export async function countWallets({ database }: CountServices, { wallets, beforeId }: Uncounted): Promise<void> {
  for (const wallet of wallets) {
    while ((await updatePurchaseCounts(database, wallet, beforeId, rowsPerCommit)) === rowsPerCommit);
  }
}
