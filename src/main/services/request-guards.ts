import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { openBulkBudget } from "../../domain/bulk-orders/budget.ts";
import type { BulkLimits } from "../../domain/bulk-orders/bulk-order.ts";
import { openKeyUses } from "../../domain/merchants/keyring.ts";
import { openRequestLog } from "../../domain/request-log/request-log.ts";
import { openAnswerWatch } from "../../http/answer-watch.ts";
import { failuresPerMinuteMax } from "../../http/plugins/authenticate.ts";
import { openVisitors } from "../../http/try-it/try-it.ts";
import { requestsInWork } from "../../http/waiting.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { AddressRange } from "../../platform/address.ts";
import type { Database } from "../../platform/database/database.ts";
import { openRateLimit } from "../../platform/rate-limit/rate-limit.ts";
import { rateWindow } from "../../platform/rate-limit/request-leases.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { openSecurityEvents } from "../../platform/telemetry/security-events.ts";

const monotonicMs = () => performance.now();

/** What limits and watches the requests of clients. */
export function openRequestGuards(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly proxies: readonly AddressRange[];
  readonly rateLimitPerMinute: number;
  readonly bulkLimits: BulkLimits;
}) {
  const { database, clock, wallTime, log, metrics, proxies } = options;
  const { registry } = metrics;
  const security = openSecurityEvents({ log, registry });
  const keyUses = openKeyUses({ database, clock });
  const rateLimit = openRateLimit({ database, limit: options.rateLimitPerMinute, monotonicMs });
  const requestLog = openRequestLog({ database, clock, wallTime, randomness: randomBytes, metrics });
  return {
    security,
    requestLog,
    keyUses,
    rateLimit,
    bulkBudget: openBulkBudget({ database, limits: options.bulkLimits, monotonicMs }),
    inWork: requestsInWork(),
    visitors: openVisitors(randomBytes),
    answers: openAnswerWatch({ registry, security, proxies, requestLog }),
    failures: rateWindow({ limit: failuresPerMinuteMax, windowMs: 60_000, namesMax: 20_000, monotonicMs }),
    async close() {
      security.report();
      await withinASecond(requestLog.flush()).catch((error: unknown) =>
        log.warn({ event: "request_log.not_written", error: String(error) }),
      );
      await keyUses
        .flush()
        .catch((error: unknown) => log.warn({ event: "key_uses.write_failed", error: String(error) }));
      await rateLimit
        .stop()
        .catch((error: unknown) => log.warn({ event: "rate_limit.not_returned", error: String(error) }));
    },
  };
}

/** The last second's requests are not worth a longer stop. */
async function withinASecond(writing: Promise<void>): Promise<void> {
  await Promise.race([writing, delay(1_000, undefined, { ref: false })]);
}
