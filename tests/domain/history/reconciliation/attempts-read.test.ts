import { expect, test } from "vitest";
import { listAttemptsAt } from "../../../../src/domain/history/reconciliation/attempt-queries.ts";
import { insertPurchases } from "../../../../src/domain/purchases/queries.ts";
import { firstPurchaseIdAt, purchaseIdMinter } from "../../../../src/kernel/ids.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { fundedWallet, newPurchase, walletKey } from "../../../support/wallet.ts";

const start = Date.UTC(2026, 0, 1);
const count = 5_000;

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "ordinary" }));
const wallet = await fundedWallet(database, walletKey(1, "live"), 10_000_000_000n);
const made = (nth: number) => purchaseIdMinter({ now: () => start + nth }, 1)();
const purchases = Array.from({ length: count }, (_, nth) => newPurchase(wallet, `r-${nth}`, { id: made(nth) }));
await insertPurchases(database, purchases, "2026-01-01");
await fresh.pool.query(
  `insert into vend_attempts (wallet_id, purchase_id, attempt, supplier, supplier_reference, verdict, evidence)
   select wallet_id, id, 1, supplier, reference, 'vended', '' from purchases`,
);

test("a page of a supplier's attempts is read without those of the pages before and behind it", async () => {
  const before = firstPurchaseIdAt(start + count);
  const page = { from: firstPurchaseIdAt(start + 4_000), before, supplier: "test-supplier", limit: 100 };
  // Without statistics PostgreSQL 15 sorts the time's attempts for each page; autovacuum makes them within a minute.
  await fresh.pool.query("analyze");
  const read = await rowsRead(database, "vend_attempts", async () => {
    expect(await listAttemptsAt(database, page)).toHaveLength(100);
  });
  expect(read).toBeLessThan(200);
});
