import { type WalletKey, walletName } from "../../kernel/ids.ts";
import { Overloaded } from "../../platform/database/batcher.ts";
import { CommitUnknown, isConnectionLost } from "../../platform/database/database-errors.ts";
import { rest } from "../../platform/pacing.ts";

const pauseMsMin = 10;
const pauseMsMax = 100;

/** Calls whose wallet somebody else may hold for longer than a moment. */
export interface LockedWallets {
  /**
   * Sends a call, and again after each pause in which its wallet was held, together with all that wait for that wallet.
   * @returns what the last try came to: passed by where the wallet was held for too long
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

/**
 * What can be said of calls that were given up behind their wallet. One that was sent before, over a connection that was
 * lost, may be the very one that holds the wallet: its commit waits for a standby.
 */
export function openLostCalls<Call extends object>(refusal: () => Overloaded | null = () => null) {
  const lost = new WeakSet<Call>();
  return {
    /**
     * Remembers the calls where their connection is lost over them. They go out again until that is known; others, which
     * waited meanwhile, don't begin then. @throws the error
     */
    async watch<Result>(calls: readonly Call[], send: () => Promise<Result>): Promise<Result> {
      const refused = calls.some((call) => lost.has(call)) ? null : refusal();
      if (refused !== null) throw refused;
      try {
        return await send();
      } catch (error) {
        if (isConnectionLost(error)) for (const call of calls) lost.add(call);
        throw error;
      }
    },
    /** The error of a call that is given up: whether it was carried out is open, or certainly nothing was done. */
    givenUp(call: Call): CommitUnknown | Overloaded {
      const sentence = "somebody else holds the wallet";
      return lost.has(call) ? new CommitUnknown(sentence, { cause: null }) : new Overloaded(sentence);
    },
  };
}
