import type { PurchaseKey } from "../../domain/buying/legacy-queries.ts";
import type { Purchase } from "../../domain/purchases/purchase.ts";
import { walletName } from "../../kernel/ids.ts";
import type { Metric, Metrics } from "../../platform/telemetry/metrics.ts";

/** Where requests wait for the end of a purchase that is pending. No database connection is held for it. */
export interface EndedPurchases {
  /** The purchase as it ended; as it was where `over` comes first, or where too many wait already. */
  awaitEnd(purchase: Purchase, over: Promise<void>): Promise<Purchase>;
  /** Called with every purchase that ends in this process. */
  ended(purchase: Purchase): void;
  /** Resolves when no look at the database is under way. */
  idle(): Promise<void>;
}

/** How long the end of a purchase is not noticed that another process, or an operator, brought about. */
const usualPollMs = 500;
/** The connections that a process takes bound it as well: who waits costs a few kilobytes. */
const waitingMax = 5_000;
const lookMax = 500;

export const heldMetrics: readonly Metric[] = [
  {
    name: "dispense_legacy_held_answers",
    kind: "gauge",
    help: "Answers of the legacy endpoints that wait for the end of their purchase.",
  },
];

export interface EndedPurchasesOptions {
  /** Reads which of these purchases have ended. */
  readonly listEnded: (keys: readonly PurchaseKey[]) => Promise<readonly Purchase[]>;
  readonly pollMs?: number;
  readonly metrics: Metrics;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly purchase: Purchase;
  readonly goOn: (purchase: Purchase) => void;
}

/** Hears of ends in this process at once. For all others it looks now and then, one statement for all who wait. */
export function openEndedPurchases(options: EndedPurchasesOptions): EndedPurchases {
  const { listEnded, pollMs = usualPollMs, metrics, onError } = options;
  const waiting = new Map<string, Set<Waiting>>();
  let count = 0;
  let isLooking = false;
  let look: Promise<void> = Promise.resolve();

  function change(by: 1 | -1): void {
    count += by;
    metrics.set("dispense_legacy_held_answers", count);
  }

  function ended(purchase: Purchase): void {
    for (const { goOn } of waiting.get(nameOf(purchase)) ?? []) goOn(purchase);
  }

  async function lookNow(): Promise<void> {
    const keys = [...waiting.values()].flatMap((those) => [...those].slice(0, 1).map(({ purchase }) => purchase));
    try {
      for (let at = 0; at < keys.length; at += lookMax) {
        for (const purchase of await listEnded(keys.slice(at, at + lookMax))) ended(purchase);
      }
    } catch (error) {
      onError(error);
    }
    isLooking = false;
    if (waiting.size > 0) lookLater();
  }

  function lookLater(): void {
    if (isLooking) return;
    isLooking = true;
    setTimeout(() => {
      look = lookNow();
    }, pollMs);
  }

  function awaitEnd(purchase: Purchase, over: Promise<void>): Promise<Purchase> {
    if (count >= waitingMax) return Promise.resolve(purchase);
    return new Promise((resolve) => {
      const name = nameOf(purchase);
      const those = waiting.get(name) ?? new Set();
      const one: Waiting = {
        purchase,
        goOn(known) {
          if (!those.delete(one)) return;
          if (those.size === 0) waiting.delete(name);
          change(-1);
          resolve(known);
        },
      };
      waiting.set(name, those.add(one));
      change(1);
      void over.then(() => one.goOn(purchase));
      lookLater();
    });
  }

  return { awaitEnd, ended, idle: () => look };
}

function nameOf({ wallet, id }: Purchase): string {
  return `${walletName(wallet)} ${id}`;
}
