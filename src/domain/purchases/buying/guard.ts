import { type Reference, walletName } from "../../../kernel/ids.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { batcher } from "../../../platform/database/batcher.ts";
import type { Database } from "../../../platform/database/database.ts";
import { refuseWhenAway } from "../../../platform/database/refuse-when-away.ts";
import type { Bought } from "./buy.ts";
import {
  claimGuardedPurchases,
  deleteGuardedPurchase,
  findGuardedReference,
  type GuardedPurchase,
} from "./guard-queries.ts";

/** Refuses what was bought within a window: each purchase has one place, which one reference holds at a time. */
export interface Guard {
  /**
   * Takes the purchase's place. @returns the reference that has it where it was taken already, this one or another; null
   * where it was not @throws Refusal MAINTENANCE
   */
  take(purchase: GuardedPurchase, windowSeconds: number): Promise<Reference | null>;
  /**
   * Buys in the place that was taken. A refusal, which created nothing, gives it free at once, as does a failure where
   * `freesFailed`; a fault leaves it held, as nobody knows what became of it.
   */
  buyIn(purchase: GuardedPurchase, freesFailed: boolean, buy: () => Promise<Bought>): Promise<Bought>;
  idle(): Promise<void>;
}

const batchMax = 128;
const waitingMax = 20_000;
/** How often a place may come free under our eyes and be taken by somebody faster. */
const claimsMax = 5;

export function openGuard(database: Database): Guard {
  const claim = batcher<GuardedPurchase & { readonly windowSeconds: number }, boolean>({
    run: (purchases) => claimGuardedPurchases(database, purchases),
    sizeMax: batchMax,
    waitingMax,
    keyOf: ({ wallet, fingerprint }) => `${walletName(wallet)} ${fingerprint}`,
  });

  return {
    async take(purchase, windowSeconds) {
      for (let claims = 0; claims < claimsMax; claims++) {
        if (await claim({ ...purchase, windowSeconds }).catch(refuseWhenAway)) return null;
        // What came free after the claim is claimed again: two could buy without a place.
        const holder = await findGuardedReference(database, purchase).catch(refuseWhenAway);
        if (holder !== null) return holder;
      }
      throw refuse("MAINTENANCE", { retryAfterSeconds: 1 });
    },
    async buyIn(purchase, freesFailed, buy) {
      // Should this fail as well, the window ends by itself.
      const giveFree = () => deleteGuardedPurchase(database, purchase).catch(() => undefined);
      try {
        const bought = await buy();
        if (freesFailed && bought.purchase.status === "failed") await giveFree();
        return bought;
      } catch (error) {
        if (error instanceof Refusal) await giveFree();
        throw error;
      }
    },
    idle: () => claim.idle(),
  };
}
