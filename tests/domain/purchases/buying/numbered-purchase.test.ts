import { expect, test } from "vitest";
import { findNumberedPurchase } from "../../../../src/domain/purchases/buying/legacy-queries.ts";
import { insertPurchases, type NewPurchase } from "../../../../src/domain/purchases/queries.ts";
import { updateSettled } from "../../../../src/domain/purchases/settle-queries.ts";
import { creditWallet } from "../../../../src/domain/wallet/wallet.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { fundedWallet, newPurchase, walletKey } from "../../../support/wallet.ts";

const day = "2026-11-20";
const wallet = walletKey(1, "live");
const [batches, perBatch] = [60, 50];
const bought: NewPurchase[] = [];

/** Top-ups and refunds lie between the purchases: of some batches all are refunded, of most every third is. */
const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "ordinary" }));
for (const each of [wallet, walletKey(2, "live"), walletKey(1, "test")]) {
  await fundedWallet(database, each, 10_000_000_000n);
  await insertPurchases(database, [newPurchase(each, "first", { channel: "legacy" })], day);
}
for (let batch = 0; batch < batches; batch++) {
  const purchases = Array.from({ length: perBatch }, (_, nth) => newPurchase(wallet, `${batch}-${nth}`));
  await insertPurchases(database, purchases, day);
  bought.push(...purchases);
  const refunded = purchases.filter((_, nth) => batch % 7 === 0 || nth % 3 === 0);
  await updateSettled(database, refunded.map(failed));
  await database.transaction((tx) => creditWallet(tx, { wallet, amount: kobo(1n), kind: "top_up", reason: "test" }));
}

function failed({ terms }: NewPurchase): Parameters<typeof updateSettled>[1][number] {
  const { id, reference } = terms;
  const said = { errorCode: "PROVIDER_DECLINED", supplierReference: "1", evidence: "no", providerReference: null };
  const rest = { fulfilment: null, bulkReference: null, completedAt: Date.now(), events: [], codes: [] };
  return { wallet, id, reference, epoch: 0, attempt: 1, status: "failed", ...said, ...rest };
}

test("a number finds the purchase that has it, whichever door that came by, and no other wallet's or purged one", async () => {
  for (const of of [walletKey(2, "live"), walletKey(1, "test")]) {
    expect(await findNumberedPurchase(database, of, 1n)).toMatchObject({ wallet: of, number: 1n });
    expect(await findNumberedPurchase(database, of, 2n)).toBeNull();
  }
  // A seventh of them; the first purchase of the wallet came before.
  for (let nth = 0; nth < bought.length; nth += 7) {
    const found = await findNumberedPurchase(database, wallet, BigInt(nth + 2));
    expect(found?.id, `number ${nth + 2}`).toBe(bought[nth]?.terms.id);
  }
  for (const none of [0n, BigInt(bought.length + 2), 999_999_999_999_999_999n]) {
    expect(await findNumberedPurchase(database, wallet, none)).toBeNull();
  }
  await fresh.pool.query("delete from purchases where wallet_id < 0");
  expect(await findNumberedPurchase(database, walletKey(1, "test"), 1n)).toBeNull();
});

test("a number is found among thousands by a few rows", async () => {
  // Without statistics PostgreSQL 15 sorts the wallet's entries; autovacuum makes them within a minute.
  await fresh.pool.query("analyze");
  for (const number of [1n, 2n, 700n, 2_900n]) {
    for (const [table, most] of [
      ["purchases", 40],
      ["ledger_entries", 200],
    ] as const) {
      const read = await rowsRead(database, table, async () => {
        expect(await findNumberedPurchase(database, wallet, number)).toMatchObject({ number });
      });
      expect(read, `${table} for ${number}`).toBeLessThan(most);
    }
  }
});
