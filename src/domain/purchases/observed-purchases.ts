import { Refusal } from "../../kernel/problems.ts";
import type { Metric, Metrics } from "../../platform/metrics.ts";
import type { Bought, Buy, BuyCommand } from "./buy.ts";
import type { EndedPurchase } from "./purchase.ts";

const answeredTotal = "dispense_purchases_total";
const endedTotal = "dispense_purchases_ended_total";

export const purchaseMetrics: readonly Metric[] = [
  {
    name: answeredTotal,
    kind: "counter",
    help: "Answers to purchase requests: successful, failed, pending, replayed, refused, or fault (ours). Without bulk lines.",
    labels: ["outcome", "category", "mode"],
  },
  {
    name: endedTotal,
    kind: "counter",
    help: "Purchases that ended after they had been pending: successful or failed. With bulk lines.",
    labels: ["outcome", "category", "mode"],
  },
];

/** What a purchase request came to. */
type Outcome = "successful" | "failed" | "pending" | "replayed" | "refused" | "fault";

/** Counts what purchase requests come to. */
export function observedBuy(buy: Buy, { metrics }: { readonly metrics: Metrics }): Buy {
  function tell({ category, principal }: BuyCommand, outcome: Outcome): void {
    metrics.count(answeredTotal, { outcome, category: category.slug, mode: principal.mode });
  }

  return async function observed(command) {
    let bought: Bought;
    try {
      bought = await buy(command);
    } catch (error) {
      tell(command, error instanceof Refusal ? "refused" : "fault");
      throw error;
    }
    tell(command, bought.replayed ? "replayed" : bought.purchase.status);
    return bought;
  };
}

/** Counts the ends that pending purchases come to. */
export function countEnds(metrics: Metrics, categoryOf: (end: EndedPurchase) => string | null) {
  return (end: EndedPurchase): void => {
    const labels = { outcome: end.status, category: categoryOf(end) ?? "unknown", mode: end.wallet.mode };
    metrics.count(endedTotal, labels);
  };
}
