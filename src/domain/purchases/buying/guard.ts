import { type Reference, walletName } from "../../../kernel/ids.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { batcher } from "../../../platform/database/batcher.ts";
import type { Database } from "../../../platform/database/database.ts";
import { refuseWhenAway } from "../../../platform/database/refuse-when-away.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { FindByReference } from "../find.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { Bought, Buy, BuyCommand, PurchaseRequest } from "./buy.ts";
import {
  claimGuardedPurchases,
  deleteGuardedPurchase,
  findGuardedReference,
  type GuardedPurchase,
} from "./guard-queries.ts";
import { type PricedIntent, priceIntent } from "./prepare-purchase.ts";

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
  async function buyGuarded(command: BuyCommand, duplicateGuardSeconds: number): Promise<Bought> {
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
  }

  return (command) => {
    const { duplicateGuardSeconds } = command.principal;
    return duplicateGuardSeconds === null ? services.buy(command) : buyGuarded(command, duplicateGuardSeconds);
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
    // The same claim, sent twice.
    if (holder !== null && holder !== reference) throw refuseRepeated();
    return guard.buyIn(guarded, false, () => buy({ ...command, request: { ...command.request, reference } }));
  };
}

function refuseRepeated(): Refusal {
  return refuse("DUPLICATE_TRANSACTION", {
    message: `The same was asked for less than ${repeatWindowSeconds} seconds ago.`,
  });
}
