import { countOnce, findUncounted } from "../domain/purchases/count.ts";
import type { Clock } from "../kernel/clock.ts";
import { bucketCount, type WalletKey } from "../kernel/ids.ts";
import type { Database } from "../platform/database.ts";
import type { Logger } from "../platform/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** Lists read what is not counted yet, so a minute's purchases may wait. */
const pollMs = 20_000;
/** Two commits at a time leave the machine to the purchases. */
const concurrencyMax = 2;

/** Keeps the counts of purchases up to half a minute ago, until stopped. */
export function startCountingPurchases(options: {
  readonly services: { readonly database: Database; readonly clock: Clock };
  readonly log: Logger;
}): WorkLoop {
  const { services, log } = options;
  const buckets = Array.from({ length: bucketCount }, (_, bucket) => bucket);
  return startWorkLoop<WalletKey>({
    claim: (limit) => findUncounted(services, limit, buckets),
    async act(wallet) {
      await countOnce(services, wallet);
    },
    concurrencyMax,
    pollMs,
    onError: (error, wallet) =>
      log.error({ event: "purchases.count_failed", merchantId: wallet?.merchantId ?? null, error: String(error) }),
  });
}
