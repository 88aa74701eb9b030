import { listUnannouncedOrders } from "../../domain/bulk-orders/queries.ts";
import { countCallbackQuestionsDue } from "../../domain/resolution/callbacks/callback-queries.ts";
import { findOverdueSeconds } from "../../domain/resolution/requery/pending-queries.ts";
import { listLowWallets } from "../../domain/wallet/queries.ts";
import { findWebhookOverdueSeconds } from "../../domain/webhooks/delivery/overdue-queries.ts";
import { hasPendingCatalogueChanges } from "../../domain/webhooks/events/catalogue-updated.ts";
import type { Database } from "../../platform/database/database.ts";
import { gauges } from "../../platform/telemetry/metrics.ts";
import { isOurTurn } from "../../platform/work-loop.ts";
import type { Job, Reporting } from "../watch.ts";

/** Counting more than this would cost more than it tells. */
const dueMax = 1_000;

/** Due work that waits longer than this means that no worker is running, or that none keeps up. */
const overdueSecondsMax = 120;
/** Said again each minute, by one process. */
const turnSeconds = 55;

const metrics = gauges(["kind"], {
  dispense_oldest_due_seconds: "For how long the oldest purchase or delivery waits for a worker.",
  dispense_due: `What workers should be at now besides purchases and deliveries, by kind; counted up to ${dueMax}.`,
});

/**
 * How many callbacks and announcements of all wait for a worker, and for how long purchases and deliveries do: every process
 * that sells says so where no worker has come.
 */
export const dueWorkWatch: Job<Reporting & { readonly database: Database }> = {
  name: "due_work",
  everyMs: 15_000,
  metrics,
  open(services) {
    const { database, metrics } = services;
    const report = (kind: string, due: number) => metrics.set("dispense_due", due, { kind });
    return async () => {
      await reportOverdue(services);
      report("callback_question", await countCallbackQuestionsDue(database, dueMax));
      report("bulk_completed", (await listUnannouncedOrders(database, dueMax)).length);
      report("low_balance", (await listLowWallets(database, dueMax)).length);
      report("catalogue_updated", (await hasPendingCatalogueChanges(services)) ? 1 : 0);
    };
  },
};

async function reportOverdue({ database, metrics, log }: Reporting & { readonly database: Database }): Promise<void> {
  const purchase = Math.round(await findOverdueSeconds(database));
  const delivery = Math.round(await findWebhookOverdueSeconds(database));
  metrics.set("dispense_oldest_due_seconds", purchase, { kind: "purchase" });
  metrics.set("dispense_oldest_due_seconds", delivery, { kind: "delivery" });
  if (Math.max(purchase, delivery) <= overdueSecondsMax) return;
  if (!(await isOurTurn(database, "work.overdue", turnSeconds))) return;
  log.error({ event: "work.overdue", purchaseSeconds: purchase, deliverySeconds: delivery });
}
