import type { VendRequest } from "../../../categories/supplier-request.ts";
import type { Metric, Metrics } from "../../../platform/telemetry/metrics.ts";
import type { VendOutcome } from "../../../providers/contract.ts";
import type { Router } from "../../../providers/router.ts";
import type { RouteCounts } from "./route-counts.ts";

const answerSeconds = "dispense_supplier_answer_seconds";

export const supplierMetrics: readonly Metric[] = [
  {
    name: answerSeconds,
    kind: "histogram",
    help: "Seconds until a supplier answered a vend or a requery, by outcome: vended, declined or unknown.",
    labels: ["supplier", "question", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
  },
];

/** Measures how long live suppliers take and what they answer, and counts what they are sent. Without the simulator. */
export function measuredRouter(
  router: Router,
  services: {
    readonly metrics: Metrics;
    readonly monotonicMs: () => number;
    readonly counts: Pick<RouteCounts, "sent" | "answered">;
  },
): Router {
  const { metrics, monotonicMs, counts } = services;

  async function ask(question: "vend" | "requery", supplier: string, request: VendRequest): Promise<VendOutcome> {
    const startedMs = monotonicMs();
    const attempt = question === "vend" ? counts.sent(supplier, request) : null;
    const outcome = await router[question](supplier, request);
    const tookMs = monotonicMs() - startedMs;
    metrics.observe(answerSeconds, tookMs / 1_000, { supplier, question, outcome: outcome.kind });
    if (attempt !== null) counts.answered(attempt, { kind: outcome.kind, tookMs });
    return outcome;
  }

  return {
    ...router,
    vend: (supplier, request) => (supplier === null ? router.vend(null, request) : ask("vend", supplier, request)),
    requery: (supplier, request) =>
      supplier === null ? router.requery(null, request) : ask("requery", supplier, request),
  };
}
