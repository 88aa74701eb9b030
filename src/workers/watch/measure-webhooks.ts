import type { Deliver, Outcome } from "../../domain/webhooks/delivery/deliver.ts";
import {
  countDue,
  countPostponed,
  countTroubled,
  findWebhookOverdueSeconds,
} from "../../domain/webhooks/delivery/overdue-queries.ts";
import { deliveryTime } from "../../domain/webhooks/events/event.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database/database.ts";
import { gauges, type Metric, type Metrics } from "../../platform/telemetry/metrics.ts";
import type { Job, Reporting } from "../watch.ts";

/** Counting more than this would cost more than it tells. */
const dueMax = 100_000;

const webhookMetrics: readonly Metric[] = [
  {
    name: "dispense_webhook_attempts_total",
    kind: "counter",
    labels: ["outcome"],
    help: "Attempts to deliver, by outcome: successful, http_error (an answer that is no 2xx), or why there was none.",
  },
  {
    name: "dispense_webhook_first_attempt_seconds",
    kind: "histogram",
    help: "Seconds from an event to the request of its first attempt.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
  },
  ...gauges([], {
    dispense_webhook_due: `Deliveries that are owed an attempt now, in all processes; counted up to ${dueMax}.`,
    dispense_webhook_oldest_due_seconds: "How long the oldest due delivery waits that nobody serves.",
    dispense_webhook_postponed: `Deliveries that wait as their endpoint is left alone or keeps others waiting; counted up to ${dueMax}.`,
    dispense_webhook_breakers_open: "Endpoints that are left alone for a while.",
  }),
  ...gauges(["reason"], {
    dispense_webhook_endpoints_disabled: "Endpoints that are switched off, by reason: merchant, gone (410) or failing.",
  }),
  { name: "dispense_webhook_in_flight", kind: "gauge", help: "Requests under way.", together: "sum" },
];

/** Counts attempts and their outcomes, and measures how long first ones were waited for. */
export function measured(deliver: Deliver, services: { readonly metrics: Metrics; readonly clock: Clock }): Deliver {
  const { metrics, clock } = services;
  let inFlight = 0;
  const begun = (by: 1 | -1) => {
    inFlight += by;
    metrics.set("dispense_webhook_in_flight", inFlight);
  };
  return async (claim, endpoint) => {
    if (claim.attempt === 1) {
      const waitedMs = Math.max(0, clock.now() - deliveryTime(claim.deliveryId));
      metrics.observe("dispense_webhook_first_attempt_seconds", waitedMs / 1_000);
    }
    begun(1);
    const outcome = await deliver(claim, endpoint).finally(() => begun(-1));
    metrics.count("dispense_webhook_attempts_total", { outcome: labelOf(outcome) });
    return outcome;
  };
}

function labelOf({ successful, error }: Outcome): string {
  return successful ? "successful" : (error ?? "http_error");
}

/** What is due, held back and switched off in all processes. */
export const webhookFigures: Job<Reporting & { readonly database: Database }> = {
  name: "webhook_figures",
  everyMs: 15_000,
  metrics: webhookMetrics,
  open:
    ({ database, metrics }) =>
    async () => {
      metrics.set("dispense_webhook_due", await countDue(database, dueMax));
      metrics.set("dispense_webhook_postponed", await countPostponed(database, dueMax));
      metrics.set("dispense_webhook_oldest_due_seconds", await findWebhookOverdueSeconds(database));
      const { breakersOpen, disabled } = await countTroubled(database);
      metrics.set("dispense_webhook_breakers_open", breakersOpen);
      for (const { reason, count } of disabled) metrics.set("dispense_webhook_endpoints_disabled", count, { reason });
    },
};
