import { assert } from "../../../kernel/assert.ts";
import type { Clock, Instant, WallTime } from "../../../kernel/clock.ts";
import { type PurchaseId, type Reference, type WalletId, walletIdOf, walletName } from "../../../kernel/ids.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { Refusal } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { dailyLimitExceeded } from "../../merchants/limits/limits.ts";
import { findWallet } from "../../wallet/queries.ts";
import type { FindByReference } from "../find.ts";
import { acceptedPurchase, type Purchase, type PurchaseTerms } from "../purchase.ts";
import { type Buy, findOriginal, type OrderServices, orderFor } from "./buy.ts";
import { type BuyUnnamed, type Guard, openBuyGuarded, openBuyUnnamed } from "./guard.ts";
import type { GuardedPurchase } from "./guard-queries.ts";
import { termsOf } from "./prepare-purchase.ts";

export interface PredictServices extends OrderServices {
  /** Is only read. */
  readonly database: Queryable;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly findByReference: FindByReference;
  readonly mintPurchaseId: () => PurchaseId;
  readonly mintReference: () => Reference;
}

/** Purchases, and places of the duplicate guards, that are remembered at a time; the oldest ones make room. */
const rememberedMax = 50_000;

/**
 * The two ways to buy, by the steps of a real purchase as far as they only read: nothing is charged, stored or vended,
 * and each answer is the purchase as it would be right after the charge, pending. References, the duplicate guards and
 * what a day's limit has left are remembered in this process alone. The balance refuses nothing.
 * @throws Refusal as buying does, but for the balance
 */
export function openPredict(services: PredictServices): { readonly buy: Buy; readonly buyUnnamed: BuyUnnamed } {
  const { catalogue, clock, mintReference } = services;
  const remembered = openMemory<Purchase>();
  const spending = openSpending(services);
  const guard = openMemoryGuard(clock);
  const findByReference: FindByReference = Object.assign(
    async (key: Parameters<FindByReference>[0]) =>
      remembered.find(`${walletName(key.wallet)} ${key.reference}`) ?? services.findByReference(key),
    { idle: () => services.findByReference.idle() },
  );

  const predict: Buy = inTurn(async (command) => {
    const original = await findOriginal({ catalogue, findByReference }, command);
    if (original !== null) return original;
    const order = await orderFor(services, command);
    const terms = termsOf(order, services.mintPurchaseId());
    spending.count(terms, command.principal.limits);
    const wallet = await findWallet(services.database, terms.wallet);
    assert(wallet !== null, "every merchant has its wallets");
    const charge = { number: 0n, balanceBefore: wallet.balance, purchasedAt: clock.now(), vended: null };
    const purchase = acceptedPurchase(terms, charge);
    remembered.keep(`${walletName(terms.wallet)} ${terms.reference}`, purchase);
    return { purchase, soldProduct: order.priced.soldProduct, replayed: false };
  });
  const buy = openBuyGuarded({ buy: predict, guard, catalogue, findByReference });
  return { buy, buyUnnamed: openBuyUnnamed({ buy, guard, mintReference }) };
}

/** One after the other under each reference, as the second of two at one time finds what the first one bought. */
function inTurn(predict: Buy): Buy {
  const turns = new Map<string, Promise<unknown>>();
  return async (command) => {
    const name = `${walletIdOf(command.principal)} ${command.request.reference}`;
    const before = turns.get(name) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => predict(command));
    turns.set(name, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(name) === turn) turns.delete(name);
    }
  };
}

/** What each wallet would have spent today, by the purchases that were predicted. */
function openSpending({ clock, wallTime }: Pick<PredictServices, "clock" | "wallTime">) {
  const spentOn = new Map<WalletId, { readonly day: string; readonly spent: Kobo }>();
  return {
    /** @throws Refusal DAILY_LIMIT_EXCEEDED, as the charge of a real purchase is refused */
    count({ wallet, total }: PurchaseTerms, limits: Parameters<typeof dailyLimitExceeded>[0] | null): void {
      const now = clock.now();
      const day = wallTime.dayOf(now).date;
      const kept = spentOn.get(walletIdOf(wallet));
      const before = kept?.day === day ? kept.spent : zeroKobo;
      const spent = add(before, total);
      if (limits !== null && spent > limits.perDay) throw dailyLimitExceeded(limits, before, { now, zone: wallTime });
      spentOn.set(walletIdOf(wallet), { day, spent });
    },
  };
}

/** The duplicate guards' places, in memory. */
function openMemoryGuard(clock: Clock): Guard {
  const places = openMemory<{ readonly reference: Reference; readonly until: Instant }>();
  const nameOf = ({ wallet, fingerprint }: GuardedPurchase) => `${walletName(wallet)} ${fingerprint}`;
  return {
    async take(purchase, windowSeconds) {
      const now = clock.now();
      const place = places.find(nameOf(purchase));
      if (place !== undefined && place.until > now) return place.reference;
      places.keep(nameOf(purchase), { reference: purchase.reference, until: now + windowSeconds * 1_000 });
      return null;
    },
    async buyIn(purchase, _freesFailed, buy) {
      try {
        return await buy();
      } catch (error) {
        if (error instanceof Refusal) places.forget(nameOf(purchase));
        throw error;
      }
    },
    idle: async () => {},
  };
}

function openMemory<Value>() {
  const values = new Map<string, Value>();
  return {
    find: (name: string) => values.get(name),
    keep(name: string, value: Value): void {
      values.delete(name);
      values.set(name, value);
      for (const oldest of values.keys()) {
        if (values.size <= rememberedMax) break;
        values.delete(oldest);
      }
    },
    forget: (name: string) => void values.delete(name),
  };
}
