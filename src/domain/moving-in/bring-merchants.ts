import type { Clock } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../platform/database/database.ts";
import { readCatalogue } from "../catalogue/catalogue.ts";
import { isSamePrice, type PriceLine } from "../catalogue/price-changes/price-lines.ts";
import { setPricesWithin } from "../catalogue/price-changes/set-prices.ts";
import type { Price } from "../catalogue/pricing.ts";
import { grouped } from "../catalogue/snapshot.ts";
import { type MerchantSettings, updateSettingsOfAll } from "../merchants/queries.ts";
import { registerOlder } from "../merchants/registration.ts";
import type { CarriedOut, Portions } from "../staff/change-kinds.ts";
import { openWallets } from "../wallet/wallet.ts";
import { findMove, type MoveId, type MoveIn, updateMovePriceChange } from "./move-in-queries.ts";
import { listMerchantsWithEmails, listMovePrices, type MoveLine } from "./move-line-queries.ts";
import { portionsOf } from "./planned.ts";

export interface MoveServices {
  readonly database: Database;
  readonly clock: Clock;
}

/** @throws Refusal NOT_FOUND */
export async function findExistingMove(database: Queryable, id: MoveId): Promise<MoveIn> {
  const move = await findMove(database, id);
  if (move === null) throw refuse("NOT_FOUND", { message: `There is no move ${id}.` });
  return move;
}

/** Merchants that are switched or taken back at the press of a button; more of them by a worker. */
const atOnceMax = 200;

/**
 * Carries a change of many merchants out as one portion, all or nothing: killed in the middle, it begins again. Half a move
 * could be neither finished nor taken back, as the merchants of the other half sell meanwhile.
 */
export function allAtOnce(carryOut: CarriedOut["carryOut"]): Portions {
  return {
    isLong: ({ merchants }) => Number(merchants) > atOnceMax,
    async carryOutNext(database, asking, _before, approvedBy) {
      const all = Number(asking.fields.merchants);
      return { progress: { done: all, all, counts: {} }, outcome: await carryOut(database, asking, approvedBy) };
    },
  };
}

export function hasChanged() {
  return refuse("VALIDATION_ERROR", {
    message: "A merchant, a token or this move came in since the plan was made. Nothing was moved: plan again.",
  });
}

/** A merchant of a move that is here. */
export type Brought<Merchant> = Merchant & { readonly merchantId: MerchantId };

/**
 * Registers merchants, with their wallets, tiers and numbers of networks, in their order. One that was blocked is suspended.
 * None gets a balance, a key or live access. @throws Refusal where one is a merchant by now
 */
export async function bringMerchants<Merchant extends Pick<MoveLine, "email" | "name" | "blockedBy" | "priceTier">>(
  tx: Tx,
  services: MoveServices,
  { networks }: Pick<MoveIn, "networks">,
  merchants: readonly Merchant[],
): Promise<Brought<Merchant>[]> {
  const brought: Brought<Merchant>[] = [];
  const movedBack = await findMovedBack(tx, merchants);
  for (const some of portionsOf(merchants)) {
    const named = some.map((merchant) => ({ ...merchant, merchantId: movedBack.get(merchant.email) ?? null }));
    const ids = await registerOlder(tx, services, named);
    const added = ids.filter((_id, at) => named[at]?.merchantId === null);
    await openWallets(
      tx,
      added.map((merchantId) => ({ merchantId })),
    );
    some.forEach((merchant, at) => {
      brought.push({ ...merchant, merchantId: ids[at] as MerchantId });
    });
  }
  await settleAlike(tx, brought, ({ blockedBy, priceTier }) => ({
    status: blockedBy === null ? "active" : "suspended",
    suspended_because: blockedBy === null ? null : blockedReason(blockedBy),
    price_tier: priceTier,
    legacy_data_networks: networks,
    legacy_airtime_networks: networks,
  }));
  return brought;
}

/** How the reason begins that the merchant of a blocked user is suspended for. */
export const blockedReasonStart = "Blocked in the older script";

export function blockedReason(blockedBy: string): string {
  return `${blockedReasonStart} (${blockedBy})`.slice(0, 200);
}

/** Merchants that a move has left which was taken back, by their emails. @throws Refusal where one is a merchant by now */
async function findMovedBack(
  tx: Tx,
  merchants: readonly Pick<MoveLine, "email">[],
): Promise<ReadonlyMap<string, MerchantId>> {
  const emails = merchants.map(({ email }) => email);
  const present = await listMerchantsWithEmails(tx, emails);
  if (present.some(({ isMovedBack }) => !isMovedBack)) throw hasChanged();
  return new Map(present.map(({ email, merchantId }) => [email, merchantId]));
}

/** Gives merchants their settings: those that are alike in one statement. */
export async function settleAlike<Merchant extends { readonly merchantId: MerchantId }>(
  tx: Tx,
  merchants: readonly Merchant[],
  settingsOf: (merchant: Merchant) => MerchantSettings,
): Promise<void> {
  const alike = grouped(merchants, (merchant) => JSON.stringify(settingsOf(merchant)));
  for (const [settings, group] of alike) {
    const ids = group.map(({ merchantId }) => merchantId);
    for (const some of portionsOf(ids)) await updateSettingsOfAll(tx, some, JSON.parse(settings));
  }
}

/** Sets the tiers' prices that are others now, as one change. The fee of each stays as it is. */
export async function setMovedPrices(tx: Tx, id: MoveId, madeBy: string): Promise<void> {
  const planned = await listMovePrices(tx, id);
  if (planned.length === 0) return;
  const catalogue = await readCatalogue(tx);
  const lines = planned.flatMap(({ productId, tier, price }): PriceLine[] => {
    const scope = { of: "tier", tier } as const;
    const before = catalogue.ownPrice(productId, scope);
    const fee = (before ?? catalogue.ownPrice(productId, { of: "everyone" }))?.fee ?? null;
    const after: Price = { kind: "fixed", kobo: price, fee };
    return isSamePrice(before, after) ? [] : [{ productId, scope, before, after }];
  });
  if (lines.length === 0) return;
  const change = { madeBy, reason: `Move ${id} from an older script`, undoes: null };
  await updateMovePriceChange(tx, id, await setPricesWithin(tx, lines, change));
}
