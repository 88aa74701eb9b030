import { countWallets, findUncounted } from "../domain/history/lists/count.ts";
import { beforeAllWallets } from "../domain/history/lists/count-queries.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Watch } from "./watch.ts";

/** Wallets found by one look through the index. */
const walletsPerLook = 200;

/**
 * Keeps the counts of purchases up to half a minute ago. A round visits each wallet once, in the order of the keys and one
 * after the other, which leaves the machine to the purchases; then it rests. Lists read what is not counted yet.
 */
export const purchaseCounting: Watch<{ readonly database: Database; readonly clock: Clock }> = {
  name: "purchase_counts",
  everyMs: 20_000,
  open(services) {
    let after = beforeAllWallets;
    return async () => {
      const found = await findUncounted(services, after, walletsPerLook);
      const last = found.wallets.length < walletsPerLook ? undefined : found.wallets.at(-1);
      after = last ?? beforeAllWallets;
      await countWallets(services, found);
      return last === undefined ? undefined : "more";
    };
  },
};
