import { countPendingBefore, type PendingCount } from "../domain/purchases/pending-queries.ts";
import type { RefundWatch } from "../domain/purchases/watch-refunds.ts";
import type { Clock } from "../kernel/clock.ts";
import { firstPurchaseIdAt } from "../kernel/ids.ts";
import type { Database } from "../platform/database.ts";
import type { Logger } from "../platform/log.ts";
import type { Metric, Metrics } from "../platform/metrics.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

const pollMs = 15_000;
/** Anything that is pending for so long is worth a look. */
const pendingLateMs = 3_600_000;

export const pendingMetrics: readonly Metric[] = [
  {
    name: "dispense_refunds_late",
    kind: "gauge",
    help: "Failed airtime and data purchases whose refund has not been committed for 30 s in this process.",
  },
  {
    name: "dispense_pending_over_an_hour",
    kind: "gauge",
    help: "Live purchases that have been pending for over an hour, by step.",
  },
  { name: "dispense_in_review", kind: "gauge", help: "Live purchases that wait for a person." },
];

/**
 * Looks every 15 s for refunds that are late and purchases that have been pending for over an hour, until stopped. Each
 * finding is an error in the log and a figure in the metrics; while it lasts, the log says so with every look.
 */
export function startWatchingPending(options: {
  readonly services: { readonly database: Database; readonly clock: Clock };
  readonly refunds: Pick<RefundWatch, "late">;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  const { services, log } = options;
  return startWorkLoop<never>({
    async claim() {
      tellRefunds(options);
      const before = firstPurchaseIdAt(services.clock.now() - pendingLateMs);
      tellPending(options, await countPendingBefore(services.database, before));
      return [];
    },
    act: async () => {},
    concurrencyMax: 1,
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "pending.watch_failed", error: String(error) }),
  });
}

type Telling = Pick<Parameters<typeof startWatchingPending>[0], "refunds" | "metrics" | "log">;

function tellRefunds({ refunds, metrics, log }: Telling): void {
  const late = refunds.late().length;
  metrics.set("dispense_refunds_late", late);
  if (late > 0) log.error({ event: "refund.late", purchases: late });
}

const steps: readonly PendingCount["step"][] = ["queued", "dispatch", "requery", "reroute", "review"];

function tellPending({ metrics, log }: Telling, counts: readonly PendingCount[]): void {
  for (const step of steps) {
    const count = counts.find((each) => each.step === step);
    metrics.set("dispense_pending_over_an_hour", count?.late ?? 0, { step });
    if (step === "review") metrics.set("dispense_in_review", count?.all ?? 0);
    if (count === undefined || count.late === 0) continue;
    const oldest = count.oldestId === null ? null : count.oldestId.toString();
    log.error({ event: "pending.over_an_hour", step, purchases: count.late, oldestPurchaseId: oldest });
  }
}
