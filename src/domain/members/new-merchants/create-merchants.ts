import { assert } from "../../../kernel/assert.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { changeCatalogue } from "../../catalogue/changes/change.ts";
import { insertProductChanges } from "../../catalogue/changes/change-queries.ts";
import { setMerchantPriceTier } from "../../merchants/administration.ts";
import type { Randomness } from "../../merchants/key-format.ts";
import { findExistingMerchant } from "../../merchants/queries.ts";
import { type RegisteredMerchant, registerMerchants } from "../../merchants/registration.ts";
import { updateLowBalanceThreshold } from "../../wallet/queries.ts";
import { creditWallet, creditWallets, openWallets, statementReason } from "../../wallet/wallet.ts";
import { listRepricedProducts } from "../queries.ts";

interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

export interface MerchantRequest {
  readonly name: string;
  readonly email: string;
  /** How many; more than one are numbered by name, from 1. */
  readonly count: number;
  readonly approved: boolean;
  /** On top of an empty live wallet. */
  readonly credit: Kobo | null;
  /** On top of the sandbox's starting balance. */
  readonly testCredit: Kobo | null;
  readonly createdBy: string;
}

// One transaction each: small enough that a thousand show progress, large enough that a thousand take a second.
const setSize = 250;

/**
 * Creates merchants with their keys and both wallets, a set per transaction, and begins no more of them once it is
 * interrupted, nor before `onCreated` is done with the last: the sets handed to `onCreated` exist and no others, but for
 * one whose commit was not heard of because the connection broke. Not safe to repeat.
 * @throws Refusal VALIDATION_ERROR
 */
export async function createMerchants(
  services: Services,
  requested: MerchantRequest,
  onCreated: (merchants: readonly RegisteredMerchant[]) => unknown,
  interrupted?: AbortSignal,
): Promise<void> {
  for (let first = 1; first <= requested.count && interrupted?.aborted !== true; first += setSize) {
    const last = Math.min(first + setSize - 1, requested.count);
    await onCreated(await services.database.transaction((tx) => createSet(tx, services, requested, { first, last })));
  }
}

async function createSet(
  tx: Tx,
  services: Services,
  requested: MerchantRequest,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<RegisteredMerchant[]> {
  const merchants = Array.from({ length: last - first + 1 }, (_, index) => ({
    name: requested.count === 1 ? requested.name : `${requested.name} ${first + index}`,
    email: requested.email,
  }));
  const registered = await registerMerchants(tx, services, merchants, requested);
  const owners = registered.map(({ id }) => ({ merchantId: id }));
  await openWallets(tx, owners);
  const credits: readonly (readonly [Mode, Kobo | null])[] = [
    ["live", requested.credit],
    ["test", requested.testCredit],
  ];
  for (const [mode, amount] of credits) {
    if (amount === null) continue;
    const wallets = owners.map((owner) => ({ ...owner, mode }));
    await creditWallets(tx, wallets, { amount, reason: "credited at creation" });
  }
  return registered;
}

/**
 * Sets below which balance a merchant is told; null for never. It hears of the next fall, not of one that is past.
 * @throws Refusal NOT_FOUND
 */
export function setLowBalanceThreshold(
  { database }: { readonly database: Database },
  { merchantId, mode }: { readonly merchantId: MerchantId; readonly mode: Mode },
  threshold: Kobo | null,
): Promise<void> {
  return database.transaction(async (tx) => {
    await findExistingMerchant(tx, merchantId);
    const isSet = await updateLowBalanceThreshold(tx, { merchantId, mode }, threshold);
    assert(isSet, "a merchant has a wallet of each mode");
  });
}

/**
 * Has a merchant pay by another price list, which every process does within a second; what it bought keeps its price. It is
 * told of the products that cost it something else now. False when it was in that tier already. @throws Refusal NOT_FOUND
 */
export function setPriceTier(database: Database, merchantId: MerchantId, tier: number): Promise<boolean> {
  return changeCatalogue(database, async (tx) => {
    const previous = await setMerchantPriceTier(tx, merchantId, tier);
    if (previous === tier) return false;
    const repriced = await listRepricedProducts(tx, merchantId, { from: previous, to: tier });
    await insertProductChanges(tx, "price", repriced, { of: "merchant", merchantId });
    return true;
  });
}

/**
 * Books a top-up of a sandbox wallet or, with a negative amount, an adjustment of either wallet, and returns the new
 * balance. A live wallet is credited by `creditLiveWallet` alone. Locks the wallet. Not safe to repeat.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR without a reason, and when a debit exceeds the balance
 */
export async function creditMerchant(
  services: { readonly database: Database },
  credit: { readonly merchantId: MerchantId; readonly mode: Mode; readonly amount: Kobo; readonly reason: string },
): Promise<{ readonly balance: Kobo }> {
  const { merchantId, mode, amount } = credit;
  assert(mode === "test" || amount < 0n, "a live wallet is credited under its bank reference");
  const reason = statementReason(credit.reason);
  return services.database.transaction(async (tx) => {
    await findExistingMerchant(tx, merchantId);
    const kind = amount < 0n ? "adjustment" : "top_up";
    const { balance } = await creditWallet(tx, { wallet: { merchantId, mode }, amount, kind, reason });
    return { balance };
  });
}
