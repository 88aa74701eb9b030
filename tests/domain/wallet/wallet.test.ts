import { afterAll, beforeAll, expect, test } from "vitest";
import { updateLowBalanceTold } from "../../../src/domain/wallet/queries.ts";
import { creditWallet, resetSandboxWallet } from "../../../src/domain/wallet/wallet.ts";
import { kobo } from "../../../src/kernel/money.ts";
import type { Database } from "../../../src/platform/database.ts";
import type { FreshDatabase } from "../../support/database.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { fundedWallet, walletKey } from "../../support/wallet.ts";

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
});
afterAll(() => drop());

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
    "select kind, debit_account, credit_account from ledger_entries where merchant_id = 1 order by seq",
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

test("a fall below the threshold is told by one of those who see it", async () => {
  const wallet = await fundedWallet(database, walletKey(3), 50_000n);
  await fresh.pool.query(
    "update wallets set low_balance_owed = true, low_balance_threshold = 60000 where merchant_id = 3",
  );
  const told = await Promise.all([1, 2].map(() => database.transaction((tx) => updateLowBalanceTold(tx, wallet))));
  expect(told.filter((fallen) => fallen !== null)).toMatchObject([{ balance: 50_000n, lowBalanceThreshold: 60_000n }]);
});
