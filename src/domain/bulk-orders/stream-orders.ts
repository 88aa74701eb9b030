import type { WalletKey } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import { type ListedOrder, listBulkOrders } from "./queries.ts";

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
