import { parseStoredReference, type TransactionIds, type WalletKey } from "../../kernel/ids.ts";
import type { Batcher } from "../../platform/database/batcher.ts";
import { batcher } from "../../platform/database/batcher.ts";
import { type Database, forReaders } from "../../platform/database/database.ts";
import type { Purchase } from "./purchase.ts";
import type { ReferenceKey } from "./queries.ts";
import { findPurchase, findPurchasesByReference } from "./queries.ts";

/** The purchase that a reference names, as it is now; null when there is none. */
export type FindByReference = Batcher<ReferenceKey, Purchase | null>;

/**
 * Reads by reference, many in one round trip (measured: twice as many a second as one by one). Always from the
 * primary: a replay must see what was just committed.
 */
export function openFindByReference(database: Database, onBatch?: (size: number) => void): FindByReference {
  const reads = forReaders(database);
  return batcher({
    run: (keys: readonly ReferenceKey[]) => findPurchasesByReference(reads, keys),
    sizeMax: 128,
    waitingMax: 20_000,
    onBatch,
  });
}

/**
 * Finds by the merchant's reference or by our transaction id; null when neither names a purchase of the wallet. The
 * reference wins: of old a merchant could call a purchase by another's transaction id, and asks for it by that name.
 */
export async function findNamed(
  services: {
    readonly database: Database;
    readonly findByReference: FindByReference;
    readonly transactionIds: TransactionIds;
  },
  wallet: WalletKey,
  name: string,
): Promise<Purchase | null> {
  const reference = parseStoredReference(name);
  // Every transaction id could be such a reference.
  if (reference === null) return null;
  const byReference = services.findByReference({ wallet, reference });
  const id = services.transactionIds.parse(name, wallet.mode);
  if (id === null) return byReference;
  // Both at one time: who asks by transaction id waits for one round trip, as by reference.
  const [named, identified] = await Promise.all([byReference, findPurchase(services.database, wallet, id)]);
  return named ?? identified;
}
