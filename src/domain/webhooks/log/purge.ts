import type { Clock } from "../../../kernel/clock.ts";
import type { Database } from "../../../platform/database/database.ts";
import { deliveryIdBefore } from "../events/event.ts";
import { beforeAllLogs, deleteAttempts, deleteBodies, listLogs } from "./purge-queries.ts";

const dayMs = 86_400_000;
const logsAtOnce = 500;
const atOnce = 2_000;

/**
 * Deletes what the logs hold from more than so many days ago, one log after the other, of those that hold any: attempts, and bodies with their
 * last attempt, or by their own age where none was made. Safe to repeat. @returns how many attempts went
 */
export async function purgeLogs(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  keptDays: number,
): Promise<number> {
  const before = clock.now() - keptDays * dayMs;
  const bodiesBefore = deliveryIdBefore(before);
  const page = { attempts: before, bodies: bodiesBefore, limit: logsAtOnce };
  let purged = 0;
  let logs = await listLogs(database, beforeAllLogs, page);
  while (logs.length > 0) {
    for (const { walletId, isDue } of logs) {
      if (!isDue) continue;
      let gone = 0;
      do {
        gone = await deleteAttempts(database, walletId, before, atOnce);
        purged += gone;
      } while (gone === atOnce);
      while ((await deleteBodies(database, walletId, bodiesBefore, atOnce)) === atOnce);
    }
    logs = await listLogs(database, logs.at(-1)?.walletId ?? beforeAllLogs, page);
  }
  return purged;
}
