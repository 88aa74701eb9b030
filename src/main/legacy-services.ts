import { listEndedPurchases } from "../domain/purchases/legacy-queries.ts";
import { type EndedPurchases, openEndedPurchases } from "../http/legacy/ended-purchases.ts";
import { type HeldAnswers, openHeldAnswers } from "../http/legacy/held-answers.ts";
import type { Database } from "../platform/database.ts";
import type { Logger } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics.ts";

export interface LegacyServices {
  readonly endedPurchases: EndedPurchases;
  readonly heldAnswers: HeldAnswers;
}

/** What older clients' answers wait by. `legacyHoldMs` absent: none waits. */
export function openLegacyServices(
  { log, legacyHoldMs = 0 }: { readonly log: Logger; readonly legacyHoldMs?: number },
  { database, metrics }: { readonly database: Database; readonly metrics: Metrics },
): LegacyServices {
  const onError = (error: unknown) => log.error({ event: "legacy.held_answer", error: String(error) });
  const listEnded: Parameters<typeof openEndedPurchases>[0]["listEnded"] = (keys) => listEndedPurchases(database, keys);
  const endedPurchases = openEndedPurchases({ listEnded, metrics, onError });
  return { endedPurchases, heldAnswers: openHeldAnswers({ ends: endedPurchases, holdMs: legacyHoldMs, onError }) };
}
