import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant, WallTime } from "../../kernel/clock.ts";
import { formatTransactionId } from "../../kernel/ids.ts";
import type { Batcher } from "../../platform/batcher.ts";
import { batcher } from "../../platform/batcher.ts";
import type { Database } from "../../platform/database.ts";
import type { FinalOutcome, Purchase } from "./purchase.ts";
import { ended } from "./purchase.ts";
import type { Settlement } from "./queries.ts";
import { findPurchase, updateSettled } from "./queries.ts";

export interface Settle {
  /**
   * Ends a pending purchase, refunding it when it failed. `epoch` is the lease under which the caller acts.
   * Answers the purchase as it stands afterwards: where somebody else was first, or the lease was lost, that may be
   * another end than the one given, or none yet.
   */
  (purchase: Purchase, outcome: FinalOutcome, lease: Lease): Promise<Purchase>;
  /** The same for a caller who does not need to know how the purchase stands afterwards. */
  end(purchase: PendingPurchase, outcome: FinalOutcome, lease: Lease): Promise<void>;
  idle(): Promise<void>;
}

/** What it takes to name a pending purchase and its present attempt. */
export type PendingPurchase = Pick<Purchase, "wallet" | "id" | "attempt">;

export interface Lease {
  /** 0 for the request that made the purchase; null for a caller without a lease. */
  readonly epoch: number | null;
  /** What the supplier said, redacted: kept for the operator. */
  readonly evidence: string | null;
}

/** Our name for the purchase's present attempt at its supplier. */
export function supplierReferenceOf(purchase: PendingPurchase): string {
  return `${formatTransactionId(purchase.id, purchase.wallet.mode)}-${purchase.attempt}`;
}

/**
 * C2, the only door to a final status: the request itself, requery, callback and review all end here, so that a
 * refund or an event cannot be forgotten. Many in one commit. Locks inflight rows, then wallets of failed purchases,
 * both in key order. Safe to repeat: the second to come finds the door shut.
 */
export function openSettle(options: { database: Database; clock: Clock; wallTime: WallTime }): Settle {
  const { database, clock, wallTime } = options;
  const batched: Batcher<Settlement, Instant | null> = batcher({
    async run(items) {
      const rows = await updateSettled(database, items, wallTime.dayOf(clock.now()));
      const completedAt: (Instant | null)[] = items.map(() => null);
      for (const row of rows) completedAt[Number(row.ordinal) - 1] = row.completedAt;
      return completedAt;
    },
    sizeMax: 128,
    waitingMax: 20_000,
    keyOf: ({ wallet, id }) => `${wallet.merchantId} ${wallet.mode} ${id}`,
  });

  function send(purchase: PendingPurchase, outcome: FinalOutcome, lease: Lease): Promise<Instant | null> {
    return batched({
      wallet: purchase.wallet,
      id: purchase.id,
      epoch: lease.epoch,
      status: outcome.status,
      errorCode: outcome.status === "failed" ? outcome.errorCode : null,
      providerReference: outcome.status === "successful" ? outcome.providerReference : null,
      fulfilment: outcome.status === "successful" ? outcome.fulfilment : null,
      supplierReference: supplierReferenceOf(purchase),
      evidence: lease.evidence,
      attempt: purchase.attempt,
    });
  }

  async function settle(purchase: Purchase, outcome: FinalOutcome, lease: Lease): Promise<Purchase> {
    const completedAt = await send(purchase, outcome, lease);
    if (completedAt !== null) return ended(purchase, outcome, completedAt);
    const stored = await findPurchase(database, purchase.wallet, purchase.id);
    assert(stored !== null, "a purchase that was accepted stays stored");
    return stored;
  }

  return Object.assign(settle, {
    end: async (purchase: PendingPurchase, outcome: FinalOutcome, lease: Lease) =>
      void (await send(purchase, outcome, lease)),
    idle: () => batched.idle(),
  });
}
