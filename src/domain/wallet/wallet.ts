import { assert } from "../../kernel/assert.ts";
import type { MerchantId, WalletKey } from "../../kernel/ids.ts";
import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { modes } from "../../kernel/mode.ts";
import type { Kobo } from "../../kernel/money.ts";
import { formatNaira, kobo, subtract, zeroKobo } from "../../kernel/money.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import { findWallet, insertEntry, insertTopUps, insertWallets, lockWallets, type Posted, payDebts } from "./queries.ts";

/** The balance that a sandbox wallet starts with, and is reset to: 100,000 naira. */
export const sandboxStartingBalance = kobo(10_000_000n);

/** Opens a live and a sandbox wallet for each new merchant, the latter funded. */
export async function openWallets(tx: Tx, merchants: readonly { readonly merchantId: MerchantId }[]): Promise<void> {
  await insertWallets(
    tx,
    merchants.flatMap((merchant) => modes.map((mode) => ({ ...merchant, mode }))),
  );
  const sandbox = merchants.map((merchant): WalletKey => ({ ...merchant, mode: "test" }));
  await creditWallets(tx, sandbox, { amount: sandboxStartingBalance, reason: "Sandbox starting balance" });
}

/** Tops up many wallets with the same amount. Locks them in key order. */
export async function creditWallets(
  tx: Tx,
  wallets: readonly WalletKey[],
  topUp: { readonly amount: Kobo; readonly reason: string },
): Promise<void> {
  if (wallets.length === 0) return;
  await lockWallets(tx, wallets);
  await insertTopUps(
    tx,
    wallets.map((wallet) => ({ wallet, amount: topUp.amount })),
    topUp.reason,
  );
}

const reasonMax = 200;

/** The reason of a booking for the wallet statement, with secrets masked. @throws Refusal VALIDATION_ERROR */
export function statementReason(text: string): string {
  const reason = maskSecrets(text.trim());
  if (reason !== "" && reason.length <= reasonMax) return reason;
  throw refuseField("VALIDATION_ERROR", "reason", `Must have 1 to ${reasonMax} characters: the statement shows it.`);
}

/**
 * Credits or (with a negative amount) debits a wallet and books the entry; a credit first pays what the wallet owes, and
 * the balance is what is left then. Locks the wallet.
 * Not safe to repeat: each call is a movement of its own.
 * @throws Refusal VALIDATION_ERROR when a debit exceeds the balance
 */
export async function creditWallet(
  tx: Tx,
  credit: {
    readonly wallet: WalletKey;
    readonly amount: Kobo;
    readonly kind: "top_up" | "adjustment";
    readonly reason: string;
  },
): Promise<Posted> {
  try {
    const posted = await insertEntry(tx, { ...credit, delta: credit.amount });
    assert(posted !== null, "every merchant has its wallets");
    const paid = credit.amount > zeroKobo ? await payDebts(tx, [credit.wallet]) : 0n;
    return { ...posted, balance: kobo(posted.balance - paid) };
  } catch (error) {
    if (violatedConstraint(error) !== "wallets_balance_check") throw error;
    throw refuseField("VALIDATION_ERROR", "amount", `The wallet holds less than ${formatNaira(kobo(-credit.amount))}.`);
  }
}

/**
 * Brings a sandbox wallet back to its starting balance with one adjustment, and none where it stands there already.
 * Locks the wallet. Safe to repeat.
 */
export async function resetSandboxWallet(tx: Tx, wallet: WalletKey): Promise<{ readonly balance: Kobo }> {
  assert(wallet.mode === "test", "only a sandbox wallet is reset");
  await lockWallets(tx, [wallet]);
  const before = await findWallet(tx, wallet);
  assert(before !== null, "every merchant has its wallets");
  const delta = subtract(sandboxStartingBalance, before.balance);
  if (delta !== zeroKobo) await insertEntry(tx, { wallet, kind: "sandbox_reset", delta, reason: "sandbox reset" });
  return { balance: sandboxStartingBalance };
}
