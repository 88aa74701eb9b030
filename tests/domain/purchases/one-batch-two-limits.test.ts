import { expect, test } from "vitest";
import { insertPurchases } from "../../../src/domain/purchases/queries.ts";
import { findWallet } from "../../../src/domain/wallet/queries.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";

// A merchant whose tier is raised has, for a moment, requests under the old and the new day's limit in one batch. One
// that fitted alone but not behind its neighbours took an entry's number with it, and with the gap in the numbers every
// later purchase of the wallet ran into its own entry.

const { database } = closing(await ownDatabase());
test("a purchase that has to wait for the next batch leaves no gap in the wallet's entries", async () => {
  const wallet = await fundedWallet(database, walletKey(1), 1_000_000n);
  const limited = (reference: string, dayLimit: bigint) => newPurchase(wallet, reference, { dayLimit: kobo(dayLimit) });
  const batch = [limited("first", 15_000n), limited("old-limit", 15_000n), limited("new-limit", 90_000n)];
  const rows = await insertPurchases(database, batch, "2026-11-20");
  expect(rows.map((row) => row.outcome)).toEqual(["accepted", "retry", "retry"]);

  const again = await insertPurchases(database, batch.slice(1), "2026-11-20");
  expect(again.map((row) => row.outcome)).toEqual(["over_limit", "accepted"]);
  const later = await insertPurchases(database, [newPurchase(wallet, "later")], "2026-11-20");
  expect(later.map((row) => [row.outcome, row.number, row.balance])).toEqual([["accepted", 3n, 980_000n]]);
  expect((await findWallet(database, wallet))?.balance).toBe(970_000n);
  expect((await checkLedger(database)).filter((check) => check.broken.length > 0)).toEqual([]);
});
