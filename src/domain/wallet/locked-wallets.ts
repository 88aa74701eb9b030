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
  const locked = new Map<string, LockedWallet>();
  let waiting = 0;

  /** Joins the wallet's present pause, or begins one that is twice as long as its last one. */
  function pause(wallet: string): LockedWallet {
    const known = locked.get(wallet);
    if (known !== undefined && known.pause !== null) return known;
    const ms = Math.max(pauseMsMin, Math.min(pauseMsMax, 2 * (known?.ms ?? 0)));
    const over = () => {
      present.pause = null;
    };
    const present: LockedWallet = { ms, pause: rest(ms).then(over) };
    locked.set(wallet, present);
    return present;
  }

  return {
    async sendPast(wallet, send, isPassedBy) {
      if (locked.size > 0) await locked.get(wallet)?.pause;
      let result = await send();
      for (let waitedMs = 0; isPassedBy(result); result = await send()) {
        if (waitedMs > waitMsMax) return result;
        const present = pause(wallet);
        waiting += 1;
        await present.pause;
        waiting -= 1;
        waitedMs += present.ms;
      }
      if (locked.size > 0) locked.delete(wallet);
      return result;
    },
    async idle() {
      while (waiting > 0) await rest(pauseMsMin);
    },
  };
}

/** A wallet that was held when it was tried last. */
interface LockedWallet {
  /** How long its last pause is, or was. */
  readonly ms: number;
  /** Null between two pauses, while it is tried. */
  pause: Promise<void> | null;
}
