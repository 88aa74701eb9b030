import type { Clock } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type MerchantId } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";
import { deleteOldPurchases, listWalletsWithOldPurchases } from "./queries.ts";

/** The specification's retention of sandbox transactions. */
const sandboxRetentionMs = 30 * 86_400_000;

/** Short enough that purchases of the wallet, which wait for its lock meanwhile, do not notice. */
const rowsPerCommit = 1_000;

interface PurgeServices {
  readonly database: Database;
  readonly clock: Clock;
}

function retainedFrom(clock: Clock) {
  return firstPurchaseIdAt(clock.now() - sandboxRetentionMs);
}

/** Merchants with sandbox purchases older than 30 days. */
export function findPurgeable({ database, clock }: PurgeServices, limit: number): Promise<MerchantId[]> {
  return listWalletsWithOldPurchases(database, retainedFrom(clock), limit);
}

/** Deletes the oldest thousand of a merchant's outlived sandbox purchases. Safe to repeat. @returns how many */
export function purgeOnce({ database, clock }: PurgeServices, merchantId: MerchantId): Promise<number> {
  return deleteOldPurchases(database, merchantId, retainedFrom(clock), rowsPerCommit);
}
