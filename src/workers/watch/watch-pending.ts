import { countPendingBefore, type PendingCount } from "../../domain/resolution/requery/pending-queries.ts";
import type { RefundWatch } from "../../domain/resolution/watch-refunds.ts";
import type { Clock } from "../../kernel/clock.ts";
import { firstPurchaseIdAt } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import { isOurTurn } from "../../platform/our-turn.ts";
import type { Metric } from "../../platform/telemetry/metrics.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";
import type { Watching } from "./watching.ts";

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
    labels: ["step"],
    help: "Live purchases that have been pending for over an hour, by step.",
  },
  { name: "dispense_pending", kind: "gauge", help: "Live purchases that are pending, by step.", labels: ["step"] },
  {
    name: "dispense_pending_due",
    kind: "gauge",
    help: "Of them, those that a worker should be at now, by step.",
    labels: ["step"],
  },
  { name: "dispense_in_review", kind: "gauge", help: "Live purchases that wait for a person." },
];

interface WatchingPending extends Watching<{ readonly database: Database; readonly clock: Clock }> {
  readonly refunds: Pick<RefundWatch, "late">;
}

/**
 * Looks every 15 s for refunds of this process that are late, and for purchases of all that have been pending for over
 * an hour, until stopped. Each finding is a figure in every process's metrics, and an error in the log of one process;
 * while it lasts, the log says so with every look.
 */
export function startWatchingPending(options: WatchingPending): WorkLoop {
  const { services, log } = options;
  return startWatch({
    async look() {
      tellRefunds(options);
      const before = firstPurchaseIdAt(services.clock.now() - pendingLateMs);
      await tellPending(options, await countPendingBefore(services.database, before));
    },
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "pending.watch_failed", error: String(error) }),
  });
}

function tellRefunds({ refunds, metrics, log }: WatchingPending): void {
  const late = refunds.late().length;
  metrics.set("dispense_refunds_late", late);
  if (late > 0) log.error({ event: "refund.late", purchases: late });
}

const steps: readonly PendingCount["step"][] = ["queued", "dispatch", "requery", "reroute", "review"];

/** A little less than the time between two looks, so that none is missed. */
const turnSeconds = 14;

async function tellPending(
  { services, metrics, log }: WatchingPending,
  counts: readonly PendingCount[],
): Promise<void> {
  for (const step of steps) {
    const count = counts.find((each) => each.step === step);
    metrics.set("dispense_pending", count?.all ?? 0, { step });
    metrics.set("dispense_pending_due", count?.due ?? 0, { step });
    metrics.set("dispense_pending_over_an_hour", count?.late ?? 0, { step });
    if (step === "review") metrics.set("dispense_in_review", count?.all ?? 0);
  }
  const late = counts.filter((count) => count.late > 0);
  if (late.length === 0 || !(await isOurTurn(services.database, "pending.over_an_hour", turnSeconds))) return;
  for (const count of late) {
    const oldest = count.oldestId === null ? null : count.oldestId.toString();
    log.error({ event: "pending.over_an_hour", step: count.step, purchases: count.late, oldestPurchaseId: oldest });
  }
}
