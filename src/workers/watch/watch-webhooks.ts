import { judgeFailingEndpoints } from "../../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { purgeLogs } from "../../domain/webhooks/log/purge.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";

/** Endpoints are judged after failing for days, and logs deleted after a month: every ten minutes is plenty. */
const pollMs = 600_000;

/** Judges endpoints that do nothing but fail, and deletes what the delivery logs have kept long enough, until stopped. */
export function startWatchingWebhooks(options: {
  readonly services: { readonly database: Database; readonly clock: Clock };
  readonly log: Logger;
  readonly keptDays: number;
}): WorkLoop {
  const { services, log, keptDays } = options;
  return startWatch({
    async look() {
      await judgeFailingEndpoints({ ...services, log });
      const purged = await purgeLogs(services, keptDays);
      if (purged > 0) log.info({ event: "webhook.log_purged", attempts: purged });
    },
    pollMs,
    onError: (error) => log.error({ event: "webhook.watch_failed", error: String(error) }),
  });
}
