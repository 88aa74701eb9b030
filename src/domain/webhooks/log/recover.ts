import type { Instant } from "../../../kernel/clock.ts";
import { type WalletKey, walletName } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { rateWindow } from "../../../platform/rate-limit/request-leases.ts";
import { deliveryIdBefore, deliveryTime } from "../events/event.ts";
import { recoverFailed } from "./delivery-queries.ts";
import { requireOn } from "./outbox.ts";

/** One statement looks at so many deliveries: some tens of milliseconds. */
const perLook = 1_000;
/** One call sends at most so many again, and looks at so many: a second or two. */
const recoveredMax = 10_000;
const lookedMax = 100_000;

export interface Recovery {
  /** Deliveries that are due again. */
  readonly recovered: number;
  /** From when to go on where a call's bounds were reached; null when everything was looked at. */
  readonly nextSince: Instant | null;
}

/**
 * Owes every delivery whose event happened since then, and that was never delivered, one more attempt: at once, with the
 * same id and body, to the present URL of its endpoint, and in turn with the merchant's other events. Of one endpoint, or
 * of all (null). What fails again goes on with what is left of its schedule. Page by page, each a commit of its own. Safe
 * to repeat: what is due already is left alone.
 * @throws Refusal DELIVERY_NOT_RESENDABLE when no webhook is set, or it is switched off
 */
export async function recoverSince(
  database: Database,
  wallet: WalletKey,
  requested: { readonly since: Instant; readonly endpointNumber: number | null },
  bounds = { perLook, recoveredMax, lookedMax },
): Promise<Recovery> {
  const { since, endpointNumber } = requested;
  await requireOn(database, wallet, endpointNumber);
  let after = deliveryIdBefore(since);
  let recovered = 0;
  for (let looked = 0; looked < bounds.lookedMax && recovered < bounds.recoveredMax; looked += bounds.perLook) {
    const page = await recoverFailed(database, wallet, endpointNumber, { after, limit: bounds.perLook });
    recovered += page.recovered;
    if (page.lastId === null || page.looked < bounds.perLook) return { recovered, nextSince: null };
    after = page.lastId;
  }
  return { recovered, nextSince: deliveryTime(after) };
}

/** For one merchant and mode, in this process: a recovery may read 100,000 deliveries, which takes seconds. */
const recoveriesPerMinute = 6;

/** Counts a recovery of a wallet, whoever asks for it. @throws Refusal RATE_LIMITED */
export type LimitRecovery = (wallet: WalletKey) => void;

export function recoveryLimit(monotonicMs: () => number): LimitRecovery {
  const recoveries = rateWindow({ limit: recoveriesPerMinute, windowMs: 60_000, namesMax: 10_000, monotonicMs });
  return (wallet) => {
    if (recoveries.count(walletName(wallet))) return;
    throw refuse("RATE_LIMITED", {
      message: `At most ${recoveriesPerMinute} recoveries a minute are carried out.`,
      meta: { limit: "recoveries" },
      retryAfterSeconds: recoveries.resetSeconds(),
    });
  };
}
