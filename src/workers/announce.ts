import { announceCompletion, type CompletionServices, findCompleted } from "../domain/bulk-orders/announce.ts";
import { announceCatalogue, hasPendingCatalogueChanges } from "../domain/webhooks/events/catalogue-updated.ts";
import { announceLowBalance, findLowWallets } from "../domain/webhooks/events/low-balance.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** Half of it is what such an event waits; a look that finds nothing costs three index lookups. */
const pollMs = 250;
const perLook = 100;

/** Something that happened and was marked in its own commit; `tell` owes the event for it. */
type Mark = () => Promise<unknown>;

/**
 * Owes the events whose bodies need more than the commit that caused them knows: an order's completion, a wallet's fall
 * below its threshold, a change of the catalogue. That commit leaves a mark, so that none is forgotten. Runs until
 * stopped.
 */
export function startAnnouncing(options: {
  readonly services: CompletionServices;
  readonly log: Logger;
  /** Events may be owed since just now. */
  readonly onOwed: () => void;
}): WorkLoop {
  const { services, log, onOwed } = options;
  return startWorkLoop<readonly Mark[]>({
    async claim() {
      const orders = await findCompleted(services, perLook);
      const wallets = await findLowWallets(services, perLook);
      const marks: Mark[] = [
        ...orders.map((order) => () => announceCompletion(services, order)),
        ...wallets.map((wallet) => () => announceLowBalance(services, wallet)),
      ];
      // A page at a time: thousands of merchants keep nobody else waiting.
      if (await hasPendingCatalogueChanges(services)) marks.push(() => announceCatalogue(services));
      return marks.length === 0 ? [] : [marks];
    },
    async act(marks) {
      const failures: unknown[] = [];
      for (const tell of marks) await tell().catch((error: unknown) => failures.push(error));
      onOwed();
      // One that fails is no reason to keep the others waiting; the loop then pauses before the next look.
      if (failures.length > 0) throw failures[0];
    },
    concurrencyMax: 1,
    pollMs,
    onError: (error) => log.error({ event: "webhooks.announcing_failed", error: String(error) }),
  });
}
