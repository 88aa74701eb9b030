import type { Logger } from "../../platform/telemetry/log.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";

/** What a watch needs: it looks by the services, and tells in metrics and log. */
export interface Watching<Services> {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Instead of its usual time between two looks, in tests. */
  readonly pollMs?: number;
}
