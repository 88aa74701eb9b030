import type { Clock, Instant } from "../../kernel/clock.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { FinalOutcome, Purchase } from "../purchases/purchase.ts";
import type { Lease, Settle } from "../purchases/settle.ts";

/** A failed purchase whose refund is not committed yet. */
export interface PendingRefund {
  readonly category: string;
  /** When its supplier declined it. */
  readonly receivedAt: Instant;
}

export interface RefundWatch {
  readonly settle: Settle;
  /** The purchases whose refund is now later than promised. */
  late(): readonly PendingRefund[];
}

/** A failed airtime or data purchase is refunded within this time. */
const lateAfterMs = 30_000;
const promptCategories: ReadonlySet<string> = new Set(["airtime", "data"]);

/**
 * Watches the time from a supplier's refusal of airtime or data to the commit that refunds it. Failure and refund are
 * one commit, so only a database that does not answer can delay it; the purchase then stays pending and is requeried.
 */
export function watchRefunds(
  settle: Settle,
  services: {
    readonly clock: Clock;
    readonly log: Logger;
    readonly categoryOf: (productId: ProductId) => string | null;
  },
): RefundWatch {
  const { clock, log } = services;
  const pending = new Set<PendingRefund>();

  async function refund(purchase: Purchase, outcome: FinalOutcome, lease: Lease): Promise<Purchase> {
    const one = { category: services.categoryOf(purchase.productId) ?? "", receivedAt: clock.now() };
    if (!promptCategories.has(one.category)) return settle(purchase, outcome, lease);
    pending.add(one);
    try {
      return await settle(purchase, outcome, lease);
    } finally {
      pending.delete(one);
      const waitedMs = clock.now() - one.receivedAt;
      // A watch that looks from time to time may have missed it.
      if (waitedMs > lateAfterMs) log.error({ event: "refund.late", category: one.category, waitedMs });
    }
  }

  const watched = (purchase: Purchase, outcome: FinalOutcome, lease: Lease) =>
    (outcome.status === "failed" ? refund : settle)(purchase, outcome, lease);
  return {
    settle: Object.assign(watched, { together: settle.together, idle: () => settle.idle() }),
    late: () => [...pending].filter(({ receivedAt }) => clock.now() - receivedAt > lateAfterMs),
  };
}
