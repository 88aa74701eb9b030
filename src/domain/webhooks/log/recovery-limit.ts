import { type WalletKey, walletName } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import { rateWindow } from "../../../platform/rate-limit/rate-window.ts";

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
