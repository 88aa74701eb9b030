import type { WalletKey } from "../../kernel/ids.ts";
import type { Page, PageMeta } from "../../kernel/page.ts";
import { offsetMax, pageMeta } from "../../kernel/page.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database.ts";
import { findWallet } from "../wallet/queries.ts";
import type { PurchaseFilter } from "./list-queries.ts";
import { countPurchases, listPurchases } from "./list-queries.ts";
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
 * One page of a wallet's purchases, newest first, with the exact total. Without filters the total is the one that the
 * wallet's row keeps; with filters it is counted.
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
  const [total, purchases] = await Promise.all([
    totalOf(database, wallet, filter),
    listPurchases(database, wallet, filter, page),
  ]);
  return { purchases, meta: pageMeta(page, total) };
}

async function totalOf(database: Database, wallet: WalletKey, filter: PurchaseFilter): Promise<number> {
  if (Object.values(filter).some((value) => value !== null)) return countPurchases(database, wallet, filter);
  return Number((await findWallet(database, wallet))?.purchaseCount ?? 0n);
}
