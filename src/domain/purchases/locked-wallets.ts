import { type WalletKey, walletName } from "../../kernel/ids.ts";
import { Overloaded } from "../../platform/database/batcher.ts";
import { rest } from "../../platform/pacing.ts";

const pauseMsMin = 10;
const pauseMsMax = 100;

/** Calls whose wallet somebody else may hold for longer than a moment. */
export interface LockedWallets {
  /**
   * Sends a call, and again after each pause in which its wallet was held, together with all that wait for that wallet.
   * @throws Overloaded where it was held for too long: nothing was done
   */
  sendPast<Result>(
    wallet: WalletKey,
    send: () => Promise<Result>,
    isPassedBy: (result: Result) => boolean,
  ): Promise<Result>;
  /** Resolves when no call waits for its wallet. */
  idle(): Promise<void>;
}

/**
 * Keeps what needs a held wallet out of the batches between two tries: each try costs everybody in its batch a moment
 * (`wait_for_wallets`), however many calls it is for.
 */
export function openLockedWallets(waitMsMax: number): LockedWallets {
  const pauses = new Map<string, Promise<void>>();
  let waiting = 0;

  function pause(wallet: WalletKey, ms: number): Promise<void> {
    const name = walletName(wallet);
    const present = pauses.get(name);
    if (present !== undefined) return present;
    const begun = rest(ms).then(() => void pauses.delete(name));
    pauses.set(name, begun);
    return begun;
  }

  return {
    async sendPast(wallet, send, isPassedBy) {
      if (pauses.size > 0) await pauses.get(walletName(wallet));
      let result = await send();
      for (let waitedMs = 0; isPassedBy(result); result = await send()) {
        if (waitedMs > waitMsMax) throw new Overloaded("somebody else holds the wallet");
        const ms = Math.max(pauseMsMin, Math.min(pauseMsMax, waitedMs));
        waiting += 1;
        await pause(wallet, ms);
        waiting -= 1;
        waitedMs += ms;
      }
      return result;
    },
    async idle() {
      while (waiting > 0) await rest(pauseMsMin);
    },
  };
}
