import type { Clock } from "../../kernel/clock.ts";
import { measureClockSkew } from "../../platform/clock-skew.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Metric } from "../../platform/telemetry/metrics.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";
import type { Watching } from "./watching.ts";

const pollMs = 60_000;
/**
 * Synchronised clocks are some milliseconds apart. At 30 s purchases are refused: their ids, which begin with the time,
 * lie below what another process has counted already.
 */
const skewMsMax = 2_000;
const advice = "This process's clock is not the database's: synchronise both machines' clocks (NTP).";

export const clockMetrics: readonly Metric[] = [
  {
    name: "dispense_clock_skew_seconds",
    kind: "gauge",
    help: "How far this process's clock is ahead of the database's; below zero where it is behind.",
  },
];

/**
 * Compares this process's clock with the database's each minute, until stopped. Each process says its own; while it is
 * off, the log says so with every look.
 */
export function startWatchingClock(
  options: Watching<{ readonly database: Database; readonly clock: Clock }>,
): WorkLoop {
  const { services, metrics, log } = options;
  return startWatch({
    async look() {
      const { skewMs, sureMs } = await measureClockSkew(services.database, services.clock);
      const skewSeconds = skewMs / 1_000;
      metrics.set("dispense_clock_skew_seconds", skewSeconds);
      if (sureMs > skewMsMax) log.error({ event: "clock.skewed", skewSeconds }, advice);
    },
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "clock.watch_failed", error: String(error) }),
  });
}
