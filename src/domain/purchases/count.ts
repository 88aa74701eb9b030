import type { Clock } from "../../kernel/clock.ts";
import { firstPurchaseIdAt, type PurchaseId, type WalletKey } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database.ts";
import { listUncountedWallets, updatePurchaseCounts } from "./count-queries.ts";

interface CountServices {
  readonly database: Database;
  readonly clock: Clock;
}

/** Purchases younger than this are not counted yet: a purchase waits no longer than this for its commit. */
const countLagMs = 30_000;
/** Short enough that the wallet's purchases, which wait for its lock meanwhile, do not notice. */
const rowsPerCommit = 2_000;

function countableBefore(clock: Clock): PurchaseId {
  return firstPurchaseIdAt(clock.now() - countLagMs);
}

/** Wallets with purchases that can be counted now. */
export function findUncounted({ database, clock }: CountServices, limit: number, buckets: readonly number[]) {
  return listUncountedWallets(database, { buckets, beforeId: countableBefore(clock), limit });
}

/** Counts the next purchases of one wallet. Safe to repeat, and beside others that do the same. @returns how many */
export function countOnce({ database, clock }: CountServices, wallet: WalletKey): Promise<number> {
  return updatePurchaseCounts(database, wallet, countableBefore(clock), rowsPerCommit);
}
