import type { Logger } from "../../src/platform/telemetry/log.ts";
import { type Metrics, openMetrics } from "../../src/platform/telemetry/metrics.ts";
import { type Job, startWatches } from "../../src/workers/watch.ts";

/** Starts a watch that looks every few milliseconds, with metrics of its own unless it is given some. */
export function startWatch<Services extends { readonly log: Logger }>(
  watch: Job<Services & { readonly metrics: Metrics }>,
  services: Services,
  metrics = openMetrics(watch.metrics ?? []),
) {
  const { stop } = startWatches([{ ...watch, everyMs: 5 }], { ...services, metrics });
  return { metrics, stop };
}
