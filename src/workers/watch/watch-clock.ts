import type { Clock } from "../../kernel/clock.ts";
import { measureClockSkew } from "../../platform/clock-skew.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Metric } from "../../platform/telemetry/metrics.ts";
import type { Reporting, Watch } from "../watch.ts";

/**
 * Synchronised clocks are some milliseconds apart. At 30 s purchases are refused: their ids, which begin with the time,
 * lie below what another process has counted already.
 */
const skewMsMax = 2_000;
const advice = "This process's clock is not the database's: synchronise both machines' clocks (NTP).";

const metrics: readonly Metric[] = [
  {
    name: "dispense_clock_skew_seconds",
    kind: "gauge",
    help: "How far this process's clock is ahead of the database's; below zero where it is behind.",
  },
];

/** This process's clock beside the database's. While it is off, each process logs its own with every look. */
export const clockWatch: Watch<Reporting & { readonly database: Database; readonly clock: Clock }> = {
  name: "clock",
  everyMs: 60_000,
  metrics,
  open:
    ({ database, clock, metrics, log }) =>
    async () => {
      const { skewMs, sureMs } = await measureClockSkew(database, clock);
      const skewSeconds = skewMs / 1_000;
      metrics.set("dispense_clock_skew_seconds", skewSeconds);
      if (sureMs > skewMsMax) log.error({ event: "clock.skewed", skewSeconds }, advice);
    },
};
