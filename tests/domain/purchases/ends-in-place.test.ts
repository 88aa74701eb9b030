import { expect, test } from "vitest";
import { toppedUp as topup } from "../../../src/categories/fulfilment/fulfilment-fields.ts";
import { openAccept } from "../../../src/domain/purchases/accept.ts";
import { openSettle } from "../../../src/domain/purchases/settle.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { testTransactionIds } from "../../support/transaction-ids.ts";
import { fundedWallet, newPurchase, noAnnouncements, walletKey } from "../../support/wallet.ts";
import { testSecretBox } from "../../support/webhooks.ts";

const { fresh, database } = await ownDatabase();
closing(fresh); // the test closes the other itself
const updates = async (): Promise<{ all: number; inPlace: number }> => {
  const { rows } = await fresh.pool.query(
    `select n_tup_upd::int as "all", n_tup_hot_upd::int as "inPlace"
       from pg_stat_user_tables
      where relname = 'purchases'`,
  );
  return rows[0];
};

test("no index hears of the end of airtime or data: there is room for it beside its beginning, however many end together", async () => {
  const clock = { now: () => Date.now() };
  const zone = wallTime("Africa/Lagos");
  const accept = openAccept({ database, clock, wallTime: zone });
  const settle = openSettle({
    database,
    clock,
    announcements: noAnnouncements,
    secretBox: testSecretBox,
    transactionIds: testTransactionIds,
  });
  const wallet = await fundedWallet(database, walletKey(1, "live"), 100_000_000n);
  const accepted = await Promise.all(Array.from({ length: 400 }, (_, i) => accept(newPurchase(wallet, `order-${i}`))));
  const outcome = { status: "successful", providerReference: "4400112233", fulfilment: topup } as const;
  await Promise.all(
    accepted.map((each) => {
      if (each.kind !== "accepted") throw new Error(`not accepted: ${each.kind}`);
      return settle(each.purchase, outcome, { epoch: 0, evidence: null });
    }),
  );
  // A connection hands its counts in when it has had nothing to do for ten seconds, or when it ends.
  await database.close();
  await expect.poll(async () => (await updates()).all).toBe(400);
  expect((await updates()).inPlace).toBeGreaterThan(390);
});
