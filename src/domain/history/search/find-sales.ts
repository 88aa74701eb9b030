import type { Instant } from "../../../kernel/clock.ts";
import { type PurchaseId, purchaseTime, type WalletKey } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";
import { findNamed } from "../../purchases/find.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { listPage, noFilter } from "../lists/list.ts";
import { partOf, partsAmong, seek } from "../lists/seek.ts";
import { findOldestOfNewest } from "../lists/sought-queries.ts";

/** What a merchant's own search found among the purchases of one wallet. */
export interface FoundSales {
  /** Newest first. */
  readonly purchases: readonly Purchase[];
  /** There are more than these. */
  readonly hasMore: boolean;
  /** Part of a number was looked for back to this purchase alone, as there are older ones; null: in all there are. */
  readonly searchedFrom: { readonly id: PurchaseId; readonly at: Instant } | null;
}

/**
 * Finds by whatever is typed: reference, transaction id, bulk order, a number in any spelling, or part of one. Nothing leads
 * to a part but reading, so it is looked for among so many purchases before `beforeId`; null: the newest.
 */
export async function findSales(
  services: Parameters<typeof findNamed>[0],
  wallet: WalletKey,
  text: string,
  { beforeId, limit }: { readonly beforeId: PurchaseId | null; readonly limit: number },
): Promise<FoundSales> {
  const { database } = services;
  const [named, filter, oldest] = await Promise.all([
    beforeId === null ? findNamed(services, wallet, text) : null,
    seek(services, wallet, text, { fromId: null, beforeId }),
    partOf(text) === null ? null : oldestSought(database, wallet, beforeId),
  ]);
  const page = { page: 1, perPage: limit + 1, countMax: limit + 1 };
  const { purchases } = await listPage(database, wallet, { ...noFilter, ...filter, beforeId }, page);
  // A reference may look like another purchase's transaction id, and leads to its own.
  const isNew = named !== null && purchases.every(({ id }) => id !== named.id);
  const found = isNew ? [named, ...purchases] : purchases;
  return { purchases: found.slice(0, limit), hasMore: found.length > limit, searchedFrom: oldest };
}

/** The oldest purchase in which a part is looked for; null where there is none before it. */
async function oldestSought(database: Database, wallet: WalletKey, beforeId: PurchaseId | null) {
  const id = await findOldestOfNewest(database, wallet, { beforeId, count: partsAmong });
  return id === null ? null : { id, at: purchaseTime(id) };
}
