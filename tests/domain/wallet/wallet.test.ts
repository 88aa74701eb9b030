import { describe, expect, test } from "vitest";
import { updateLowBalanceAnnounced, updateLowBalanceThreshold } from "../../../src/domain/wallet/queries.ts";
import { creditWallet, resetSandboxWallet } from "../../../src/domain/wallet/wallet.ts";
import type { WalletKey } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { fundedWallet, walletKey } from "../../support/wallet.ts";

const { fresh, database } = closing(await ownDatabase());
test("a top-up moves money from funding, an adjustment from and to adjustments, and so does a reset", async () => {
  const wallet = await fundedWallet(database, walletKey(1, "test"), 50_000n);
  const credit = (amount: bigint) =>
    database.transaction((tx) =>
      creditWallet(tx, { wallet, amount: kobo(amount), kind: "adjustment", reason: "test" }),
    );
  await credit(300n);
  await credit(-200n);
  await database.transaction((tx) => resetSandboxWallet(tx, wallet));
  const { rows } = await fresh.pool.query(
    "select kind, debit_account, credit_account from ledger_entries where abs(wallet_id) = 1 order by seq",
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["top_up", "funding", "wallet"],
    ["adjustment", "adjustments", "wallet"],
    ["adjustment", "wallet", "adjustments"],
    ["sandbox_reset", "adjustments", "wallet"],
  ]);
});

test("a live wallet is never reset", async () => {
  const wallet = await fundedWallet(database, walletKey(2, "live"), 50_000n);
  await expect(database.transaction((tx) => resetSandboxWallet(tx, wallet))).rejects.toThrow("only a sandbox wallet");
});

describe("a fall below the merchant's threshold is marked", () => {
  const due = async (merchantId: number) =>
    (await fresh.pool.query("select low_balance_due from wallets where abs(wallet_id) = $1", [merchantId])).rows[0]
      .low_balance_due;
  async function walletWith(merchantId: number, balance: bigint, threshold: bigint) {
    const wallet = await fundedWallet(database, walletKey(merchantId, "test"), balance);
    await updateLowBalanceThreshold(database, wallet, kobo(threshold));
    return wallet;
  }
  const adjust = (wallet: WalletKey, amount: bigint) =>
    database.transaction((tx) =>
      creditWallet(tx, { wallet, amount: kobo(amount), kind: "adjustment", reason: "test" }),
    );

  test("when an operator takes money away, once a crossing", async () => {
    const wallet = await walletWith(11, 50_000n, 40_000n);
    await adjust(wallet, -10_000n);
    expect(await due(11)).toBe(false);
    await adjust(wallet, -1n);
    expect(await due(11)).toBe(true);
    await database.transaction((tx) => updateLowBalanceAnnounced(tx, wallet));
    await adjust(wallet, -1n);
    await adjust(wallet, 30_000n);
    expect(await due(11)).toBe(false);
    await adjust(wallet, -35_000n);
    expect(await due(11)).toBe(true);
  });

  test("when a reset brings the sandbox down to it", async () => {
    const wallet = await walletWith(12, 90_000_000n, 50_000_000n);
    await database.transaction((tx) => resetSandboxWallet(tx, wallet));
    expect(await due(12)).toBe(true);
  });

  test("and stays marked when money comes in before it was told", async () => {
    const wallet = await walletWith(13, 50_000n, 40_000n);
    await adjust(wallet, -20_000n);
    await adjust(wallet, 5_000n);
    expect(await due(13)).toBe(true);
  });
});

test("a fall below the threshold is told by one of those who see it", async () => {
  const wallet = await fundedWallet(database, walletKey(3), 50_000n);
  await fresh.pool.query(
    "update wallets set low_balance_due = true, low_balance_threshold = 60000 where abs(wallet_id) = 3",
  );
  const reply = await Promise.all(
    [1, 2].map(() => database.transaction((tx) => updateLowBalanceAnnounced(tx, wallet))),
  );
  expect(reply.filter((fallen) => fallen !== null)).toMatchObject([{ balance: 50_000n, lowBalanceThreshold: 60_000n }]);
});
