import { findCompleted } from "../../domain/bulk-orders/announce.ts";
import { countCallbackQuestionsDue } from "../../domain/resolution/callbacks/callback-queries.ts";
import { hasPendingCatalogueChanges } from "../../domain/webhooks/events/catalogue-updated.ts";
import { findLowWallets } from "../../domain/webhooks/events/low-balance.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Metric } from "../../platform/telemetry/metrics.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";
import type { Watching } from "./watching.ts";

const usualPollMs = 15_000;
/** Counting more than this would cost more than it tells. */
const dueMax = 1_000;

export const dueWorkMetrics: readonly Metric[] = [
  {
    name: "dispense_due",
    kind: "gauge",
    labels: ["kind"],
    help: `What workers should be at now besides purchases and deliveries, by kind; counted up to ${dueMax}.`,
  },
];

/** Looks every 15 s how many callbacks and announcements of all processes wait for a worker, until stopped. */
export function startMeasuringDueWork(options: Watching<{ readonly database: Database }>): WorkLoop {
  const { services, metrics, log, pollMs = usualPollMs } = options;
  const tell = (kind: string, due: number) => metrics.set("dispense_due", due, { kind });
  return startWatch({
    async look() {
      tell("callback_question", await countCallbackQuestionsDue(services.database, dueMax));
      tell("bulk_completed", (await findCompleted(services, dueMax)).length);
      tell("low_balance", (await findLowWallets(services, dueMax)).length);
      tell("catalogue_updated", (await hasPendingCatalogueChanges(services)) ? 1 : 0);
    },
    pollMs,
    onError: (error) => log.error({ event: "due_work.measure_failed", error: String(error) }),
  });
}
