import type { Reference } from "../../../kernel/ids.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { Bought, Buy, BuyCommand, PurchaseRequest } from "./buy.ts";
import type { Guard } from "./guard.ts";

/** A purchase that the client gave no name. */
export interface UnnamedCommand extends Omit<BuyCommand, "request"> {
  readonly request: Omit<PurchaseRequest, "reference">;
}

export type BuyUnnamed = (command: UnnamedCommand) => Promise<Bought>;

/** The contract's: the same again within this time is taken for a retry. */
const repeatWindowSeconds = 30;

/**
 * Buys under a reference made here. The client can't tell a retry from a second purchase, so the same purchase again is
 * refused for 30 seconds, in every process of the deployment, whether it failed or not.
 * @throws Refusal DUPLICATE_TRANSACTION, MAINTENANCE and those of `buy`
 */
export function openBuyUnnamed(services: {
  readonly buy: Buy;
  readonly guard: Guard;
  readonly mintReference: () => Reference;
}): BuyUnnamed {
  const { buy, guard, mintReference } = services;
  return async function buyUnnamed(command) {
    const { merchantId, mode } = command.principal;
    const reference = mintReference();
    // The mark keeps it apart from what merchants' own guard holds.
    const fingerprint = fingerprintOf(`unnamed ${command.category.slug}`, command.request.requested.intent);
    const guarded = { wallet: { merchantId, mode }, fingerprint, reference };
    const holder = await guard.take(guarded, repeatWindowSeconds);
    // Its own, where a claim was sent twice.
    if (holder !== null && holder !== reference) throw refuseRepeated();
    return guard.buyIn(guarded, false, () => buy({ ...command, request: { ...command.request, reference } }));
  };
}

function refuseRepeated(): Refusal {
  return refuse("DUPLICATE_TRANSACTION", {
    message: `The same was asked for less than ${repeatWindowSeconds} seconds ago.`,
  });
}
