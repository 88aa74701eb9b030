import type { Instant } from "../../../kernel/clock.ts";
import type { Purchase } from "../../purchases/purchase.ts";

/** A live purchase that is not settled in its own request is asked about within seconds, then ever less often. */
function livePendingSeconds(ageMs: number): number {
  if (ageMs < 60_000) return 10;
  return ageMs < 300_000 ? 60 : 300;
}

/**
 * In how many seconds, from 1, a client should look at a pending purchase again. In sandbox that is when it resolves.
 */
export function nextCheckSeconds(purchase: Purchase, now: Instant, sandboxPendingSeconds: number): number {
  if (purchase.wallet.mode === "live") return livePendingSeconds(now - purchase.purchasedAt);
  const dueMs = purchase.purchasedAt + sandboxPendingSeconds * 1_000;
  return Math.max(1, Math.ceil((dueMs - now) / 1_000));
}
