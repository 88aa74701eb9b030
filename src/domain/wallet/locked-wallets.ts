import { rest } from "../../platform/pacing.ts";

const pauseMsMin = 10;
const pauseMsMax = 100;

/** Calls whose wallet somebody else may hold for longer than a moment. */
export interface LockedWallets {
  /**
   * Sends a call, and again after each pause in which its wallet was held, together with all that wait for that wallet,
   * under one name.
   * @returns what the last try came to: passed by where the wallet was held for too long
   */
  sendPast<Result>(
    wallet: string,
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

  function pause(wallet: string, ms: number): Promise<void> {
    const present = pauses.get(wallet);
    if (present !== undefined) return present;
    const begun = rest(ms).then(() => void pauses.delete(wallet));
    pauses.set(wallet, begun);
    return begun;
  }

  return {
    async sendPast(wallet, send, isPassedBy) {
      if (pauses.size > 0) await pauses.get(wallet);
      let result = await send();
      for (let waitedMs = 0; isPassedBy(result); result = await send()) {
        if (waitedMs > waitMsMax) return result;
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
