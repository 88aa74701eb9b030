import { countWallets, findUncounted, type Uncounted } from "../domain/transaction-lists/count.ts";
import { beforeAllWallets } from "../domain/transaction-lists/count-queries.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** Lists read what is not counted yet, so a minute's purchases may wait. */
const pollMs = 20_000;
/** Wallets found by one look through the index. */
const walletsPerLook = 200;

/**
 * Keeps the counts of purchases up to half a minute ago, until stopped. A round visits each wallet once, in the order
 * of the keys and one after the other, which leaves the machine to the purchases; then it rests.
 */
export function startCountingPurchases(options: {
  readonly services: { readonly database: Database; readonly clock: Clock };
  readonly log: Logger;
}): WorkLoop {
  const { services, log } = options;
  let after = beforeAllWallets;
  let isRoundOver = false;
  return startWorkLoop<Uncounted>({
    async claim() {
      if (isRoundOver) {
        isRoundOver = false;
        return [];
      }
      const found = await findUncounted(services, after, walletsPerLook);
      const { wallets } = found;
      isRoundOver = 0 < wallets.length && wallets.length < walletsPerLook;
      after = (isRoundOver ? undefined : wallets.at(-1)) ?? beforeAllWallets;
      return wallets.length === 0 ? [] : [found];
    },
    act: (found) => countWallets(services, found),
    concurrencyMax: 1,
    pollMs,
    onError: (error) => log.error({ event: "purchases.count_failed", error: String(error) }),
  });
}
