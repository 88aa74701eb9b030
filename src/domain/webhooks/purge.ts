import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database.ts";
import { beforeAllLogs, deleteAttempts, listLogs } from "./purge-queries.ts";

const dayMs = 86_400_000;
const logsAtOnce = 500;
const attemptsAtOnce = 2_000;

/** Deletes what the logs hold from more than so many days ago, one log after the other. Safe to repeat. @returns how many attempts went */
export async function purgeLogs(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  keptDays: number,
): Promise<number> {
  const before = clock.now() - keptDays * dayMs;
  let purged = 0;
  let logs = await listLogs(database, beforeAllLogs, logsAtOnce);
  while (logs.length > 0) {
    for (const log of logs) {
      let gone = 0;
      do {
        gone = await deleteAttempts(database, log, before, attemptsAtOnce);
        purged += gone;
      } while (gone === attemptsAtOnce);
    }
    logs = await listLogs(database, logs.at(-1) ?? beforeAllLogs, logsAtOnce);
  }
  return purged;
}
