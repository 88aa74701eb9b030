import { dayMs, type Instant } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type MerchantId, type PurchaseId, type TransactionIds } from "../../../kernel/ids.ts";
import { type Mode, modes } from "../../../kernel/mode.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { readNumber } from "../../../kernel/phone.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { isTimedOut } from "../../../platform/database/database-errors.ts";
import { connectorKinds } from "../../../providers/registry.ts";
import type { Purchase, PurchaseStatus } from "../../purchases/purchase.ts";
import { parseSupplierReference } from "../../resolution/requery/requery-supplier.ts";
import { listFound, listNamedBySupplier, type SearchFilter, type SearchPath } from "./search-queries.ts";
import { countFound, nothingFound, type SearchSums } from "./search-sum-queries.ts";

/** The filters of a search, as the operator typed them. Null leaves a filter out. */
export interface Search {
  readonly mode: Mode;
  /** The merchant's own name for the purchase. */
  readonly reference: string | null;
  /** `TXN…` or `SBX…`, which tells the mode as well. */
  readonly transactionId: string | null;
  /** The number that was bought for, or the phone that came with it. */
  readonly customer: string | null;
  /** Our name for an attempt at its supplier, or the supplier's own. */
  readonly supplierReference: string | null;
  readonly merchantId: MerchantId | null;
  readonly supplier: string | null;
  readonly status: PurchaseStatus | null;
  readonly amount: Kobo | null;
  /** Of pending ones: those that wait for their supplier, or for a person. */
  readonly waitsFor?: "supplier" | "person" | null;
  /** Made at this moment or later; null: as far back as is usual. */
  readonly from: Instant | null;
  /** Made before. */
  readonly before: Instant | null;
  /** Where the page before ended. */
  readonly beforeId?: PurchaseId | null;
}

export interface SearchServices {
  readonly database: Queryable;
  readonly transactionIds: TransactionIds;
  readonly clock: { now(): Instant };
}

export interface Found {
  /** Newest first. */
  readonly purchases: readonly Purchase[];
  /** There are older ones than these. */
  readonly hasMore: boolean;
  /** Where a time was searched and none was given: from when on. Null where all of the past was. */
  readonly searchedFrom: Instant | null;
}

/** The differences between modes: sandbox purchases have no supplier, and no index of ids beyond their wallets'. */
const reach: Readonly<Record<Mode, { readonly hasSuppliers: boolean; readonly everybody: SearchPath }>> = {
  live: { hasSuppliers: true, everybody: "everybody" },
  test: { hasSuppliers: false, everybody: "wallet" },
};

/** Without a key that an index leads to, a search reads every purchase of its time: so many days, unless told otherwise. */
export const usualDays = 7;
/** And never more than this. */
export const daysMax = 100;

/**
 * Finds purchases of one mode, the newest first. By reference, transaction id, our name at the supplier, customer, and of
 * what is pending, all of the past is searched; by anything else, a time.
 * @throws Refusal VALIDATION_ERROR for a time that is too long, or takes too long to read
 */
export async function searchPurchases(services: SearchServices, search: Search, limit: number): Promise<Found> {
  const { found, searchedFrom } = await readFound(services, search, { limit: limit + 1, read: listFound });
  const purchases = found ?? [];
  return { purchases: distinct(purchases).slice(0, limit), hasMore: purchases.length > limit, searchedFrom };
}

/** How many a search finds and for how much: of the newest `max`, where there are more. @throws as `searchPurchases` */
export async function sumPurchases(services: SearchServices, search: Search, max: number): Promise<SearchSums> {
  return (await readFound(services, search, { limit: max, read: countFound })).found ?? nothingFound;
}

const purchasesPerRead = 500;

/** All that a search finds, newest first, some at a time: so many at most, and about one read more. @throws as it */
export async function* streamSearch(services: SearchServices, search: Search, max: number) {
  let beforeId: PurchaseId | null = null;
  for (let read = 0; read < max; read += purchasesPerRead) {
    const found: Found = await searchPurchases(services, { ...search, beforeId }, purchasesPerRead);
    if (found.purchases.length > 0) yield found.purchases;
    beforeId = found.purchases.at(-1)?.id ?? null;
    if (!found.hasMore || beforeId === null) return;
  }
}

interface Reading<T> {
  readonly limit: number;
  readonly read: (db: Queryable, path: SearchPath, filter: SearchFilter, limit: number) => Promise<T>;
}

/** Reads what a search leads to; null where nothing can be found. */
async function readFound<T extends readonly unknown[] | SearchSums>(
  services: SearchServices,
  search: Search,
  { limit, read }: Reading<T>,
): Promise<{ readonly found: T | null; readonly searchedFrom: Instant | null }> {
  const named = idsNamed(services.transactionIds, search);
  if (named?.length === 0) return { found: null, searchedFrom: null };
  const isKeyed = named !== null || search.reference !== null || search.customer !== null;
  const isBounded = !isKeyed && (search.status !== "pending" || search.supplierReference !== null);
  const range = rangeOf(services.clock.now(), search, isBounded);
  const searchedFrom = isBounded && search.from === null ? range.from : null;
  try {
    const filter = await filterOf(services, search, { named, range, limit });
    if (filter === null) return { found: null, searchedFrom };
    const found = await read(services.database, pathOf(search, filter), filter, limit);
    if (filter.reference === null || ("count" in found ? found.count : found.length) > 0)
      return { found, searchedFrom };
    // A bulk order's, whose lines have an index by wallet.
    const ofBulk = { ...filter, reference: null, bulkReference: filter.reference };
    return { found: await read(services.database, "wallet", ofBulk, limit), searchedFrom };
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    throw refuse("VALIDATION_ERROR", {
      message: "That takes too long to read: search a shorter time, or one merchant.",
    });
  }
}

/** Ids that the search names by themselves; none where they can't be ours, null where it names no id. */
function idsNamed(transactionIds: TransactionIds, search: Search): readonly PurchaseId[] | null {
  if (search.transactionId !== null) {
    const id = transactionIds.parse(search.transactionId, search.mode);
    return id === null ? [] : [id];
  }
  if (search.supplierReference === null || !reach[search.mode].hasSuppliers) return null;
  const ids = ownNames(transactionIds, search.supplierReference);
  return ids.length === 0 ? null : ids;
}

/** The purchases whose attempt we call so at a supplier of any kind. */
function ownNames(transactionIds: TransactionIds, name: string): readonly PurchaseId[] {
  const spellings = [name, ...connectorKinds.map(({ names }) => names?.here(name) ?? null)];
  const ids = spellings.map((text) => (text === null ? null : parseSupplierReference(transactionIds, text)?.id));
  return [...new Set(ids.filter((id) => id !== null && id !== undefined))];
}

interface Range {
  readonly from: Instant;
  readonly before: Instant;
}

function rangeOf(now: Instant, { from, before }: Search, isBounded: boolean): Range {
  // A clock that is ahead has made purchases of the next minutes.
  const end = before ?? now + dayMs;
  const usual = isBounded ? Math.min(now, end) - usualDays * dayMs : 0;
  const range = { from: from ?? usual, before: end };
  if (isBounded && Math.min(now, end) - range.from > daysMax * dayMs) {
    const message = `Search at most ${daysMax} days at once, or by reference, transaction id or customer number.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
  return range;
}

/** Null where nothing can be found. */
async function filterOf(
  { database }: SearchServices,
  search: Search,
  { named, range, limit }: { named: readonly PurchaseId[] | null; readonly range: Range; readonly limit: number },
): Promise<SearchFilter | null> {
  const { mode, merchantId, status, supplier, amount, reference, supplierReference, customer } = search;
  const end = firstPurchaseIdAt(range.before);
  const isLater = search.beforeId != null && search.beforeId < end;
  const ids = { fromId: firstPurchaseIdAt(range.from), beforeId: isLater ? search.beforeId : end };
  const isTheirs = supplierReference !== null && named === null;
  const { hasSuppliers } = reach[mode];
  // A purchase may have been called so by a supplier that it was tried at before.
  const found = isTheirs && hasSuppliers ? await listNamedBySupplier(database, supplierReference, ids, limit) : named;
  if (found?.length === 0) return null;
  return {
    ...{ mode, merchantId, status, supplier, amount, reference, bulkReference: null, ...ids },
    customers: customer === null ? null : [...new Set([customer, readNumber(customer)])],
    ids: found,
    providerReference: isTheirs && !hasSuppliers ? supplierReference : null,
    waitsFor: search.waitsFor ?? null,
  };
}

function pathOf({ mode, status }: Search, { ids, reference, customers, merchantId }: SearchFilter): SearchPath {
  if (reference !== null) return "everybody";
  if (ids !== null) return reach[mode].everybody;
  if (customers !== null) return "customer";
  if (status === "pending") return "pending";
  return merchantId === null ? reach[mode].everybody : "wallet";
}

/** A number in two spellings may find a purchase twice, and a reference may be a customer's number as well. */
export function distinct(purchases: readonly Purchase[]): readonly Purchase[] {
  return [...new Map(purchases.map((purchase) => [`${purchase.wallet.mode} ${purchase.id}`, purchase])).values()];
}

/** Which mode a transaction id is of; null for what is none of ours. */
export function modeOfTransactionId(transactionIds: TransactionIds, text: string): Mode | null {
  return modes.find((mode) => transactionIds.parse(text, mode) !== null) ?? null;
}

/**
 * The purchases that any name leads to: transaction id, our name at a supplier, the merchant's reference, what the
 * supplier calls it (of the last days, or since `from`). The first of these that finds any decides.
 */
export async function findByAnyName(
  services: SearchServices,
  name: string,
  narrowed: Pick<Search, "mode" | "merchantId" | "from">,
): Promise<readonly Purchase[]> {
  const mode = modeOfTransactionId(services.transactionIds, name);
  const searches: readonly Search[] = [
    ...(mode === null ? [] : [{ ...everything, ...narrowed, mode, from: null, transactionId: name }]),
    { ...everything, ...narrowed, from: null, reference: name },
    { ...everything, ...narrowed, supplierReference: name },
  ];
  for (const search of searches) {
    const { purchases } = await searchPurchases(services, search, namedMax);
    if (purchases.length > 0) return purchases;
  }
  return [];
}

const namedMax = 20;

/** A search without a filter. */
export const everything: Search = {
  ...{ mode: "live", reference: null, transactionId: null, customer: null, supplierReference: null, merchantId: null },
  ...{ supplier: null, status: null, amount: null, from: null, before: null },
};
