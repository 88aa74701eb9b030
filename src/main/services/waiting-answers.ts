import { listEndedPurchases } from "../../domain/buying/legacy-queries.ts";
import { type EarlyAnswers, openEarlyAnswers } from "../../http/early-answers.ts";
import { type EndedPurchases, openEndedPurchases } from "../../http/legacy/ended-purchases.ts";
import { type HeldAnswers, openHeldAnswers } from "../../http/legacy/held-answers.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";

export interface WaitingAnswers {
  readonly earlyAnswers: EarlyAnswers;
  readonly endedPurchases: EndedPurchases;
  readonly heldAnswers: HeldAnswers;
}

/** Lets answers wait for suppliers. `legacyHoldMs`: how long legacy answers wait; absent: not at all. */
export function openWaitingAnswers(
  { log, legacyHoldMs = 0 }: { readonly log: Logger; readonly legacyHoldMs?: number },
  { database, metrics }: { readonly database: Database; readonly metrics: Metrics },
): WaitingAnswers {
  const onError = (error: unknown) => log.error({ event: "purchase.ended_after_answer", error: String(error) });
  const listEnded: Parameters<typeof openEndedPurchases>[0]["listEnded"] = (keys) => listEndedPurchases(database, keys);
  const endedPurchases = openEndedPurchases({ listEnded, metrics, onError });
  const earlyAnswers = openEarlyAnswers({ onError });
  const heldAnswers = openHeldAnswers({ ends: endedPurchases, earlyAnswers, holdMs: legacyHoldMs });
  return { earlyAnswers, endedPurchases, heldAnswers };
}
