import { type Reference, walletName } from "../../kernel/ids.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import { type Batcher, batcher } from "../../platform/database/batcher.ts";
import type { Database } from "../../platform/database/database.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { fingerprintOf } from "../purchases/fingerprint.ts";
import type { Bought, Buy, BuyCommand, PurchaseRequest } from "./buy.ts";
import { claimLegacyRequests, deleteGuardedPurchase, type GuardedPurchase } from "./guard-queries.ts";

/** A purchase that the client gave no name. */
export interface UnnamedCommand extends Omit<BuyCommand, "request"> {
  readonly request: Omit<PurchaseRequest, "reference">;
}

export interface BuyUnnamed {
  (command: UnnamedCommand): Promise<Bought>;
  idle(): Promise<void>;
}

/** The contract's: the same again within this time is taken for a retry. */
const repeatWindowSeconds = 30;
const batchMax = 128;
const waitingMax = 20_000;

/**
 * Buys under a reference made here. The client can't tell a retry from a second purchase, so the same purchase again is
 * refused for 30 seconds, in every process of the deployment. A refusal that created nothing gives it free at once; a
 * fault leaves it held, as nobody knows what became of it.
 * @throws Refusal DUPLICATE_TRANSACTION, MAINTENANCE and those of `buy`
 */
export function openBuyUnnamed(services: {
  readonly buy: Buy;
  readonly database: Database;
  readonly mintReference: () => Reference;
}): BuyUnnamed {
  const { buy, database, mintReference } = services;
  const claim: Batcher<GuardedPurchase, boolean> = batcher({
    run: (requests) => claimLegacyRequests(database, requests, repeatWindowSeconds),
    sizeMax: batchMax,
    waitingMax,
    keyOf: ({ wallet, fingerprint }) => `${walletName(wallet)} ${fingerprint}`,
  });

  async function buyUnnamed(command: UnnamedCommand): Promise<Bought> {
    const { bucket, merchantId, mode } = command.principal;
    const reference = mintReference();
    // The mark keeps it apart from what merchants' own guard holds.
    const fingerprint = fingerprintOf(`unnamed ${command.category.slug}`, command.request.requested.intent);
    const request: GuardedPurchase = { wallet: { bucket, merchantId, mode }, fingerprint, reference };
    if (!(await claim(request).catch(refuseWhenAway))) throw refuseRepeated();
    try {
      return await buy({ ...command, request: { ...command.request, reference } });
    } catch (error) {
      // Should this fail as well, the window ends by itself.
      if (error instanceof Refusal) await deleteGuardedPurchase(database, request).catch(() => undefined);
      throw error;
    }
  }

  return Object.assign(buyUnnamed, { idle: () => claim.idle() });
}

function refuseRepeated(): Refusal {
  return refuse("DUPLICATE_TRANSACTION", {
    message: `The same was asked for less than ${repeatWindowSeconds} seconds ago.`,
  });
}
