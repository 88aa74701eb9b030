import { findPurgeable, purgeOnce } from "../domain/sandbox/purge.ts";
import type { OldWallet } from "../domain/sandbox/queries.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** Old purchases are in nobody's way: looking for them every ten minutes is plenty. */
const pollMs = 600_000;

/** Deletes sandbox purchases that are older than 30 days, until stopped. */
export function startPurgingSandbox(options: {
  readonly services: { readonly database: Database; readonly clock: Clock };
  readonly log: Logger;
}): WorkLoop {
  const { services, log } = options;
  return startWorkLoop<OldWallet>({
    claim: (limit) => findPurgeable(services, limit),
    async act(wallet) {
      const purged = await purgeOnce(services, wallet);
      log.info({ event: "sandbox.purged", merchantId: wallet.merchantId, purchases: purged });
    },
    // One wallet at a time, each to its end: the loop claims again at once while there is more.
    concurrencyMax: 1,
    pollMs,
    onError: (error, wallet) =>
      log.error({ event: "sandbox.purge_failed", merchantId: wallet?.merchantId ?? null, error: String(error) }),
  });
}
