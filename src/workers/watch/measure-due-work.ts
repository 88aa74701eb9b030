import { findCompleted } from "../../domain/bulk-orders/announce.ts";
import { findWebhookOverdueSeconds } from "../../domain/delivery/overdue-queries.ts";
import { countCallbackQuestionsDue } from "../../domain/resolution/callbacks/callback-queries.ts";
import { findOverdueSeconds } from "../../domain/resolution/requery/pending-queries.ts";
import { hasPendingCatalogueChanges } from "../../domain/webhooks/events/catalogue-updated.ts";
import { findLowWallets } from "../../domain/webhooks/events/low-balance.ts";
import type { Database } from "../../platform/database/database.ts";
import { isOurTurn } from "../../platform/our-turn.ts";
import type { Metric } from "../../platform/telemetry/metrics.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";
import type { Watching } from "./watching.ts";

const usualPollMs = 15_000;
/** Counting more than this would cost more than it tells. */
const dueMax = 1_000;

/** Due work that waits longer than this means that no worker is running, or that none keeps up. */
const overdueSecondsMax = 120;
/** Said again each minute, by one process. */
const turnSeconds = 55;

export const dueWorkMetrics: readonly Metric[] = [
  {
    name: "dispense_oldest_due_seconds",
    kind: "gauge",
    labels: ["kind"],
    help: "For how long the oldest purchase or delivery waits for a worker.",
  },
  {
    name: "dispense_due",
    kind: "gauge",
    labels: ["kind"],
    help: `What workers should be at now besides purchases and deliveries, by kind; counted up to ${dueMax}.`,
  },
];

/**
 * Looks every 15 s, in every process, how many callbacks and announcements of all wait for a worker, until stopped, and for
 * how long purchases and deliveries do: whoever sells says so where no worker has come.
 */
export function startMeasuringDueWork(options: Watching<{ readonly database: Database }>): WorkLoop {
  const { services, metrics, log, pollMs = usualPollMs } = options;
  const tell = (kind: string, due: number) => metrics.set("dispense_due", due, { kind });

  async function tellOverdue(): Promise<void> {
    const purchase = Math.round(await findOverdueSeconds(services.database));
    const delivery = Math.round(await findWebhookOverdueSeconds(services.database));
    metrics.set("dispense_oldest_due_seconds", purchase, { kind: "purchase" });
    metrics.set("dispense_oldest_due_seconds", delivery, { kind: "delivery" });
    if (Math.max(purchase, delivery) <= overdueSecondsMax) return;
    if (!(await isOurTurn(services.database, "work.overdue", turnSeconds))) return;
    log.error({ event: "work.overdue", purchaseSeconds: purchase, deliverySeconds: delivery });
  }

  return startWatch({
    async look() {
      await tellOverdue();
      tell("callback_question", await countCallbackQuestionsDue(services.database, dueMax));
      tell("bulk_completed", (await findCompleted(services, dueMax)).length);
      tell("low_balance", (await findLowWallets(services, dueMax)).length);
      tell("catalogue_updated", (await hasPendingCatalogueChanges(services)) ? 1 : 0);
    },
    pollMs,
    onError: (error) => log.error({ event: "due_work.measure_failed", error: String(error) }),
  });
}
