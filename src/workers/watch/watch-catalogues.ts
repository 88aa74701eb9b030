import { readFindings } from "../../domain/routing/supplier-catalogue/ask-differences.ts";
import type { ChangeKind } from "../../domain/routing/supplier-catalogue/compare.ts";
import type { StoredFindings } from "../../domain/routing/supplier-catalogue/queries.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Metric, Metrics } from "../../platform/telemetry/metrics.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";
import type { Watching } from "./watching.ts";

const pollMs = 15_000;

export const catalogueMetrics: readonly Metric[] = [
  {
    name: "dispense_supplier_catalogue_differences",
    kind: "gauge",
    labels: ["supplier", "change"],
    help: "Differences of an enabled supplier's list from our routes when it told it last: loses_money, value_changed, gone, cost_changed, new.",
  },
  {
    name: "dispense_supplier_catalogue_age_seconds",
    kind: "gauge",
    labels: ["supplier"],
    help: "How long ago a supplier told its whole list; it is asked each day.",
  },
];

/** Looks every 15 s at what was found in suppliers' lists, whichever process asked, until stopped. */
export function startWatchingCatalogues(options: Watching<{ readonly database: Database }>): WorkLoop {
  const { services, metrics, log } = options;
  return startWatch({
    async look() {
      for (const findings of await readFindings(services.database)) tell(metrics, findings);
    },
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "supplier.catalogue_watch_failed", error: String(error) }),
  });
}

function tell(metrics: Metrics, { supplier, state, ageSeconds, ...found }: StoredFindings): void {
  const counts: Readonly<Record<ChangeKind, number>> = {
    loses_money: found.losesMoney,
    value_changed: found.valueChanged,
    gone: found.gone,
    cost_changed: found.costChanged,
    new: found.newProducts,
  };
  for (const [change, count] of Object.entries(counts)) {
    const shown = state === "enabled" ? count : 0;
    metrics.set("dispense_supplier_catalogue_differences", shown, { supplier, change });
  }
  metrics.set("dispense_supplier_catalogue_age_seconds", ageSeconds, { supplier });
}
