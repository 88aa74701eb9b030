import type { Clock } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import { Refusal } from "../../../kernel/problems.ts";
import type { WideLine, WideLog } from "../../../platform/telemetry/log.ts";
import type { Metric, Metrics } from "../../../platform/telemetry/metrics.ts";
import { formatApiKeyId, formatMerchantId } from "../../merchants/merchant.ts";
import type { EndedPurchase } from "../purchase.ts";
import type { Bought, BuyCommand } from "./buy.ts";

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

export interface Observers {
  readonly metrics: Metrics;
  /** Absent: no lines are written. */
  readonly wide?: WideLog | undefined;
  readonly clock: Clock;
  readonly transactionIds: TransactionIds;
}

/** What is told of a command, whatever it names the customer and itself by. */
type Observed = Pick<BuyCommand, "principal" | "category" | "channel">;

/**
 * Counts what purchase requests come to, and writes one line for each. Around all that may refuse one: what refuses before
 * an observed `buy` is called would be missing.
 */
export function observedBuy<Command extends Observed>(
  buy: (command: Command) => Promise<Bought>,
  observers: Observers,
): (command: Command) => Promise<Bought> {
  const { metrics, wide, clock, transactionIds } = observers;

  function recordResult(command: Observed, bought: Bought, startedAt: number): void {
    const { purchase, replayed } = bought;
    const { mode } = purchase.wallet;
    const outcome = replayed ? "replayed" : purchase.status;
    metrics.count(answeredTotal, { outcome, category: command.category.slug, mode });
    if (wide?.takes(outcome === "failed" || outcome === "pending") !== true) return;
    const transactionId = transactionIds.format(purchase.id, mode);
    wide.write(boughtLine(command, bought, { outcome, transactionId, tookMs: clock.now() - startedAt }));
  }

  function recordRefusal(command: Observed, error: unknown, startedAt: number): void {
    const code = error instanceof Refusal ? error.code : null;
    const outcome = code === null ? "fault" : "refused";
    metrics.count(answeredTotal, { outcome, category: command.category.slug, mode: command.principal.mode });
    if (wide?.takes(code === null) !== true) return;
    const { channel } = command;
    const tookMs = clock.now() - startedAt;
    wide.write(buyingLine(command, { event: "purchase", outcome, errorCode: code, channel, tookMs }));
  }

  return async function observed(command) {
    const startedAt = clock.now();
    let bought: Bought;
    try {
      bought = await buy(command);
    } catch (error) {
      recordRefusal(command, error, startedAt);
      throw error;
    }
    recordResult(command, bought, startedAt);
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

/**
 * The wide line of a request to buy something: these facts, and who asked and for what. Completed by assignment, as a
 * spread of so many facts takes long.
 */
export function buyingLine(
  { principal, category }: Pick<BuyCommand, "principal" | "category">,
  facts: WideLine,
): WideLine {
  return Object.assign(facts, {
    merchantId: formatMerchantId(principal.merchantId),
    // Null: a member bought it in the console.
    keyId: principal.keyId === null ? null : formatApiKeyId(principal.keyId),
    mode: principal.mode,
    category: category.slug,
  });
}

/** The wide line of a request that has a purchase for its answer. */
export function boughtLine(
  command: Pick<BuyCommand, "principal" | "category">,
  { purchase, took }: Bought,
  facts: { readonly outcome: string; readonly transactionId: string; readonly tookMs: number },
): WideLine {
  return buyingLine(command, {
    event: "purchase",
    outcome: facts.outcome,
    errorCode: purchase.errorCode,
    transactionId: facts.transactionId,
    productId: purchase.productId,
    channel: purchase.channel,
    supplier: purchase.supplier,
    attempts: purchase.attempt,
    prepareMs: took?.prepareMs ?? null,
    chargeMs: took?.chargeMs ?? null,
    supplyMs: took?.supplyMs ?? null,
    tookMs: facts.tookMs,
  });
}
