import { insertProcessAlert } from "../../domain/alerts/alert-queries.ts";
import { countPendingBefore, type PendingCount } from "../../domain/resolution/requery/pending-queries.ts";
import type { RefundWatch } from "../../domain/resolution/watch-refunds.ts";
import type { Clock } from "../../kernel/clock.ts";
import { firstPurchaseIdAt } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import { gauges, type Metric } from "../../platform/telemetry/metrics.ts";
import type { Job, Reporting } from "../watch.ts";

/** Anything that is pending for so long is worth a look. */
const pendingLateMs = 3_600_000;

const refundMetrics: readonly Metric[] = [
  {
    name: "dispense_refunds_late",
    kind: "gauge",
    help: "Failed airtime and data purchases whose refund has not been committed for 30 s in this process.",
    together: "sum",
  },
];

interface RefundServices extends Reporting {
  readonly database: Database;
  readonly refunds: Pick<RefundWatch, "late">;
}

/** Refunds of this process that are late: a figure, and an error in the log with every look. */
export const refundsWatch: Job<RefundServices> = {
  name: "refunds",
  everyMs: 15_000,
  metrics: refundMetrics,
  open: (services) => () => reportRefunds(services).then(() => undefined),
};

async function reportRefunds({ database, refunds, metrics, log }: RefundServices): Promise<void> {
  const late = refunds.late().length;
  metrics.set("dispense_refunds_late", late);
  if (late === 0) return;
  log.error({ event: "refund.late", purchases: late });
  const sentence = `${late === 1 ? "1 refund is" : `${late} refunds are`} late: the database doesn’t take them.`;
  await insertProcessAlert(database, { name: "refunds", sentence });
}

const metrics: readonly Metric[] = [
  ...gauges(["step"], {
    dispense_pending_over_an_hour: "Live purchases that have been pending for over an hour, by step.",
    dispense_pending: "Live purchases that are pending, by step.",
    dispense_pending_due: "Of them, those that a worker should be at now, by step.",
  }),
  ...gauges([], { dispense_in_review: "Live purchases that wait for a person." }),
];

interface PendingServices extends Reporting {
  readonly database: Database;
  readonly clock: Clock;
}

/** Purchases that are pending. Where one is for over an hour, the log says so with every look. */
export const pendingWatch: Job<PendingServices> = {
  name: "pending",
  everyMs: 15_000,
  metrics,
  open:
    ({ database, clock, metrics, log }) =>
    async () =>
      reportPending(
        { metrics, log },
        await countPendingBefore(database, firstPurchaseIdAt(clock.now() - pendingLateMs)),
      ),
};

const steps: readonly PendingCount["step"][] = ["queued", "dispatch", "requery", "reroute", "review"];

function reportPending({ metrics, log }: Reporting, counts: readonly PendingCount[]): undefined {
  for (const step of steps) {
    const count = counts.find((each) => each.step === step);
    metrics.set("dispense_pending", count?.all ?? 0, { step });
    metrics.set("dispense_pending_due", count?.due ?? 0, { step });
    metrics.set("dispense_pending_over_an_hour", count?.late ?? 0, { step });
    if (step === "review") metrics.set("dispense_in_review", count?.all ?? 0);
  }
  for (const count of counts.filter(({ late }) => late > 0)) {
    const oldest = count.oldestId === null ? null : count.oldestId.toString();
    log.error({ event: "pending.over_an_hour", step: count.step, purchases: count.late, oldestPurchaseId: oldest });
  }
}
