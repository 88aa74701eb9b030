import type { Json, JsonObject } from "../../../kernel/json.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { refuseWhenAway } from "../../../platform/database/refuse-when-away.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { FindByReference } from "../find.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { Buy, BuyCommand } from "./buy.ts";
import type { Guard } from "./guard.ts";
import type { GuardedPurchase } from "./guard-queries.ts";
import { type PricedIntent, priceIntent } from "./prepare-purchase.ts";

interface GuardServices {
  readonly buy: Buy;
  readonly guard: Guard;
  readonly catalogue: Catalogue;
  readonly findByReference: FindByReference;
}

/**
 * Buys as `buy` does, and for merchants with the duplicate guard refuses what they bought within its window: the same
 * product, customer and amount under another reference (`guardedFacts`). A replay is one first of all. What created
 * nothing, or failed in its own answer, gives the place free at once; what was left pending holds it, whatever becomes
 * of it. Bulk orders are not guarded: they name their lines themselves.
 * @throws Refusal DUPLICATE_TRANSACTION, MAINTENANCE and those of `buy`
 */
export function openBuyGuarded(services: GuardServices): Buy {
  return async function buyGuarded(command) {
    const { duplicateGuardSeconds } = command.principal;
    if (duplicateGuardSeconds === null) return services.buy(command);
    const guarded = await guardedBy(services, command).catch(refuseWhenAway);
    // Not to be had as it is: `buy` says why, or finds what the reference bought before.
    if (guarded === null) return services.buy(command);
    // A place that a replay took would begin its window anew.
    if (await isBought(services, guarded)) return services.buy(command);
    const holder = await services.guard.take(guarded, duplicateGuardSeconds);
    if (holder === null) return services.guard.buyIn(guarded, true, () => services.buy(command));
    // Under this very reference, or bought by another request in between: `buy` tells what became of it.
    if (holder === guarded.reference || (await isBought(services, guarded))) return services.buy(command);
    throw refuse("DUPLICATE_TRANSACTION", {
      message: "The same was bought for the same customer a moment ago, under another reference.",
      meta: { original_reference: holder },
    });
  };
}

async function guardedBy(services: GuardServices, command: BuyCommand): Promise<GuardedPurchase | null> {
  const { principal, category, request } = command;
  const catalogue = await services.catalogue.current();
  let priced: PricedIntent;
  try {
    priced = priceIntent(catalogue, principal, category, request.requested);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
  const { merchantId, mode } = principal;
  const fingerprint = fingerprintOf(category.slug, guardedFacts(priced));
  return { wallet: { merchantId, mode }, fingerprint, reference: request.reference };
}

/** Details that say whom a purchase is for, or what is said to them; the others spell product and amount, or decorate. */
const distinctDetails = ["email", "message", "profile_code", "recipient_email", "recipients", "sender_id"] as const;

/**
 * The fields that make two purchases the same to the guard, however they were spelled. Where product, number and amount
 * are enough, nothing is added to them, so that places which an earlier version took still hold.
 */
function guardedFacts({ requested, soldProduct, price }: PricedIntent): JsonObject {
  const facts: Record<string, Json> = {
    product_id: soldProduct.product.id,
    customer: requested.customerRef,
    amount: price.amount.toString(),
  };
  if (requested.quantity > 1) facts.quantity = requested.quantity;
  for (const name of distinctDetails) {
    const reported = requested.details[name] ?? null;
    if (reported !== null) facts[name] = reported;
  }
  return facts;
}

/** Whether the reference names a purchase. @throws Refusal MAINTENANCE */
async function isBought({ findByReference }: GuardServices, { wallet, reference }: GuardedPurchase): Promise<boolean> {
  return (await findByReference({ wallet, reference }).catch(refuseWhenAway)) !== null;
}
