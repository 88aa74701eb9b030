import { findPurgeableLogs, purgeLogOnce } from "../domain/request-log/purge.ts";
import type { OldLog } from "../domain/request-log/purge-queries.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** Old requests are in nobody's way. */
const pollMsUsual = 600_000;

/** Deletes from the request log what is older than 30 days, until stopped. */
export function startPurgingRequestLog(options: {
  readonly services: { readonly database: Database; readonly clock: Clock };
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  const { services, log, pollMs = pollMsUsual } = options;
  return startWorkLoop<OldLog>({
    claim: (limit) => findPurgeableLogs(services, limit),
    async act(old) {
      const purged = await purgeLogOnce(services, old);
      log.info({ event: "request_log.purged", merchantId: old.merchantId, mode: old.mode, requests: purged });
    },
    // One log at a time, a thousand rows at once: the loop claims again at once while there is more.
    concurrencyMax: 1,
    pollMs,
    onError: (error, old) =>
      log.error({ event: "request_log.purge_failed", merchantId: old?.merchantId ?? null, error: String(error) }),
  });
}
