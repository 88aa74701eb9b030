import type { Announcements } from "../../src/domain/purchases/announce.ts";
import { nothingSent, type PurchaseTerms } from "../../src/domain/purchases/purchase.ts";
import type { NewPurchase } from "../../src/domain/purchases/queries.ts";
import { insertWallets } from "../../src/domain/wallet/queries.ts";
import { creditWallet } from "../../src/domain/wallet/wallet.ts";
import type { MerchantId, ProductId, PurchaseId, Reference, WalletKey } from "../../src/kernel/ids.ts";
import { purchaseIdMinter } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { kobo } from "../../src/kernel/money.ts";
import type { Database } from "../../src/platform/database/database.ts";

export function walletKey(merchantId: number, mode: Mode = "live"): WalletKey {
  return { merchantId: merchantId as MerchantId, mode };
}

/** A wallet with so many kobo. */
export async function fundedWallet(database: Database, wallet: WalletKey, balance: bigint): Promise<WalletKey> {
  await database.transaction(async (tx) => {
    await insertWallets(tx, [wallet]);
    if (balance > 0n) await creditWallet(tx, { wallet, amount: kobo(balance), kind: "top_up", reason: "test" });
  });
  return wallet;
}

/** For tests in which nobody listens. */
export const noAnnouncements: Announcements = {
  preparePurchase: async () => [],
  repeatsSuccess: async () => false,
};

export const mintPurchaseId: () => PurchaseId = purchaseIdMinter({ now: () => Date.now() }, 7);

/** A purchase of 100 naira, unless told otherwise. */
export function newPurchase(
  wallet: WalletKey,
  reference: string,
  overrides: Partial<PurchaseTerms> & Partial<Omit<NewPurchase, "terms">> = {},
): NewPurchase {
  const {
    predicted = null,
    vended = null,
    step = "dispatch",
    dueSeconds = 60,
    dayLimit = null,
    cost = null,
    foreignCost = null,
    routeReason = null,
    ...terms
  } = overrides;
  return {
    terms: {
      wallet,
      id: mintPurchaseId(),
      reference: reference as Reference,
      fingerprint: "00000000-0000-0000-0000-000000000000",
      channel: "api",
      productId: 1 as ProductId,
      customerRef: "08031234567",
      phone: "08031234567",
      quantity: 1,
      unitAmount: kobo(10_000n),
      faceAmount: kobo(10_000n),
      fee: kobo(0n),
      total: kobo(10_000n),
      supplier: wallet.mode === "live" ? "test-supplier" : null,
      supplierCode: wallet.mode === "live" ? "TEST-1" : null,
      details: {},
      ...nothingSent,
      bulk: null,
      ...terms,
    },
    predicted,
    vended,
    step,
    dueSeconds,
    dayLimit,
    cost,
    foreignCost,
    routeReason,
  };
}
