import type { Clock, Instant } from "../../kernel/clock.ts";
import type { WalletId } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import { requestLogDays } from "./logged-request.ts";
import { deleteOldErrors, deleteOldRequests, listOldLogs } from "./queries.ts";

interface PurgeServices {
  readonly database: Database;
  readonly clock: Clock;
}

/** Short enough for the pages of the log that are read meanwhile. */
const rowsPerCommit = 1_000;

function keptFrom(clock: Clock): Instant {
  return clock.now() - requestLogDays * 86_400_000;
}

/** Merchants' logs that hold what is older than 30 days. */
export function findPurgeableLogs({ database, clock }: PurgeServices, limit: number): Promise<WalletId[]> {
  return listOldLogs(database, keptFrom(clock), limit);
}

/** Deletes the oldest thousand of a log's outlived requests and its outlived counts. Safe to repeat. @returns how many */
export async function purgeLogOnce({ database, clock }: PurgeServices, log: WalletId): Promise<number> {
  await deleteOldErrors(database, log, keptFrom(clock));
  return deleteOldRequests(database, log, keptFrom(clock), rowsPerCommit);
}
