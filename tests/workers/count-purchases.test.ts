import { expect, test } from "vitest";
import { insertPurchases } from "../../src/domain/purchases/queries.ts";
import { insertWallets } from "../../src/domain/wallet/queries.ts";
import { firstPurchaseIdAt, type PurchaseId } from "../../src/kernel/ids.ts";
import { type Database, statement } from "../../src/platform/database/database.ts";
import type { Logger } from "../../src/platform/telemetry/log.ts";
import { purchaseCounting } from "../../src/workers/purges.ts";
import { startWatches } from "../../src/workers/watch.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { newPurchase, walletKey } from "../support/wallet.ts";

const hourMs = 3_600_000;
/** More than two looks through the index find. */
const merchants = 450;
/** More than one look finds have a purchase that is just ending. */
const ending = 250;
// In the order of their keys.
const wallets = Array.from({ length: merchants }, (_, n) => walletKey(merchants - n, "test"));

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 3, plans: "ordinary" }));
await database.transaction((tx) => insertWallets(tx, wallets));
await fresh.pool.query("update wallets set balance = 1000000");

/** The counter's own statements, and how often it visited each merchant's wallet. */
function watched() {
  const visits = new Map<number, number>();
  const watching: Database = {
    ...database,
    query: (sql, values) => {
      const walletId = Number(values?.[0]);
      if (sql.name === "count_purchases") visits.set(walletId, (visits.get(walletId) ?? 0) + 1);
      return database.query(sql, values);
    },
  };
  return { watching, visits };
}

test("a round visits every wallet once, also behind hundreds that have nothing to count just now", async () => {
  const now = Date.now();
  const bought = wallets.map((wallet, n) => {
    const id = (firstPurchaseIdAt(now - hourMs) + BigInt(n)) as PurchaseId;
    const vended = n < ending ? null : { providerReference: null, fulfilment: null };
    return newPurchase(wallet, "one", { id, vended });
  });
  await insertPurchases(database, bought, "2026-11-20");
  const { watching, visits } = watched();
  const failures: unknown[] = [];
  const log = { error: (entry: unknown) => failures.push(entry) } as unknown as Logger;
  await database.transaction(async (tx) => {
    // The settling process holds these rows; the counter stops before them and finds the same wallets again.
    await tx.query(statement("claim_ending", "select purchase_id from inflight for update"));
    const loop = startWatches([purchaseCounting], { database: watching, clock: { now: () => now }, log });
    await expect.poll(() => visits.size).toBe(merchants);
    // The next round would begin at once, did the loop not rest.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await loop.stop();
  });
  expect([...visits.values()].filter((count) => count !== 1)).toEqual([]);
  expect(failures).toEqual([]);
  const counted = "select sum(purchases)::integer as counted from purchase_counts where day = -1";
  expect((await fresh.pool.query(counted)).rows).toEqual([{ counted: merchants - ending }]);
});
