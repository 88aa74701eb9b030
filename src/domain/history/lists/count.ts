import type { Clock } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type PurchaseId, type WalletId } from "../../../kernel/ids.ts";
import { readDatabaseClock } from "../../../platform/clock-skew.ts";
import type { Database } from "../../../platform/database/database.ts";
import { listUncountedWallets, updatePurchaseCounts } from "./count-queries.ts";

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
