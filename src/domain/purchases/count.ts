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

/** The next wallets after `after` with purchases that can be counted now. */
export function findUncounted(
  { database, clock }: CountServices,
  after: WalletKey,
  limit: number,
): Promise<readonly WalletKey[]> {
  return listUncountedWallets(database, { after, beforeId: countableBefore(clock), limit });
}

/** Counts what can be counted of one wallet, a few thousand a commit. Safe to repeat, and beside others that do the same. */
export async function countWallet({ database, clock }: CountServices, wallet: WalletKey): Promise<void> {
  const beforeId = countableBefore(clock);
  while ((await updatePurchaseCounts(database, wallet, beforeId, rowsPerCommit)) === rowsPerCommit);
}
