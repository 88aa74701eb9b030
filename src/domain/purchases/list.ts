import type { WalletKey } from "../../kernel/ids.ts";
import type { Page, PageMeta } from "../../kernel/page.ts";
import { offsetMax, pageMeta } from "../../kernel/page.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database.ts";
import { findWallet } from "../wallet/queries.ts";
import { countPurchasesByFacts, findPageStart } from "./count-queries.ts";
import type { PurchaseFilter } from "./list-queries.ts";
import { countPurchases, listPendingPurchases, listPurchases } from "./list-queries.ts";
import type { Purchase } from "./purchase.ts";

export const noFilter: PurchaseFilter = {
  status: null,
  productIds: null,
  phone: null,
  customerRef: null,
  reference: null,
  id: null,
  channel: null,
  bulkReference: null,
  fromId: null,
  beforeId: null,
};

/**
 * One page of a wallet's purchases, newest first, with the exact total. The wallet's row keeps the total of all; status,
 * product and time are counted in advance; any other filter is counted by reading what it leaves.
 * @throws Refusal INVALID_PAGE beyond `offsetMax` rows
 */
export async function listPage(
  database: Database,
  wallet: WalletKey,
  filter: PurchaseFilter,
  page: Page,
): Promise<{ readonly purchases: readonly Purchase[]; readonly meta: PageMeta }> {
  if ((page.page - 1) * page.perPage > offsetMax) {
    const message = `Lists can be paged through their first ${offsetMax} rows; narrow them with from and to.`;
    throw refuseField("INVALID_PAGE", "page", message);
  }
  if (!isOfFacts(filter)) {
    const [total, purchases] = await Promise.all([
      countPurchases(database, wallet, filter),
      listPurchases(database, wallet, filter, page),
    ]);
    return { purchases, meta: pageMeta(page, total) };
  }
  const [total, purchases] = await Promise.all([
    totalOf(database, wallet, filter),
    listByFacts(database, wallet, filter, page),
  ]);
  return { purchases, meta: pageMeta(page, total) };
}

/** Whether only status, product and time are asked for. */
function isOfFacts({ phone, customerRef, reference, id, channel, bulkReference }: PurchaseFilter): boolean {
  return [phone, customerRef, reference, id, channel, bulkReference].every((value) => value === null);
}

async function totalOf(database: Database, wallet: WalletKey, filter: PurchaseFilter): Promise<number> {
  if (Object.values(filter).some((value) => value !== null)) return countPurchasesByFacts(database, wallet, filter);
  return Number((await findWallet(database, wallet))?.purchaseCount ?? 0n);
}

/** Reads no further down than the counts say is necessary: a rare status may lie months apart. */
async function listByFacts(
  database: Database,
  wallet: WalletKey,
  filter: PurchaseFilter,
  page: Page,
): Promise<Purchase[]> {
  if (filter.status === "pending") return listPendingPurchases(database, wallet, filter, page);
  if (filter.status === null && filter.productIds === null) return listPurchases(database, wallet, filter, page);
  const start = await findPageStart(database, wallet, filter, page.page * page.perPage);
  const { fromId } = filter;
  const from = start === null || (fromId !== null && fromId > start) ? fromId : start;
  return listPurchases(database, wallet, { ...filter, fromId: from }, page);
}
