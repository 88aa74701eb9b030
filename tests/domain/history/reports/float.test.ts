import { expect, test } from "vitest";
import { sumFloat } from "../../../../src/domain/history/reports/queries.ts";
import { insertPurchases } from "../../../../src/domain/purchases/queries.ts";
import { creditWallet } from "../../../../src/domain/wallet/wallet.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { closing } from "../../../support/closing.ts";
import { freshDatabase } from "../../../support/database.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { fundedWallet, newPurchase, walletKey } from "../../../support/wallet.ts";

const open = (connectionsMax: number) =>
  openDatabase(openPool({ connectionString: fresh.url, connectionsMax, applicationName: "test", plans: "ordinary" }));

const fresh = closing(await freshDatabase());
/** One connection, whose reads are counted. */
const database = closing(open(1));

/** As if suppliers had vended them. */
const endAll = () =>
  fresh.pool.query(`
    with ended as (delete from inflight returning purchase_id)
    update purchases set status = 'successful', completed_at = now() where id in (select purchase_id from ended)`);

test("wallets, and what is in flight at each supplier, are told apart by mode, without what has ended", async () => {
  const [ada, obi] = [
    await fundedWallet(database, walletKey(1), 100_000n),
    await fundedWallet(database, walletKey(2), 0n),
  ];
  const sandbox = await fundedWallet(database, walletKey(1, "test"), 70_000n);
  await insertPurchases(database, [newPurchase(ada, "ended")], "2026-11-23");
  await endAll();
  await insertPurchases(
    database,
    [
      newPurchase(ada, "one", { supplier: "first" }),
      newPurchase(ada, "two", { supplier: "second", total: kobo(5_000n) }),
      newPurchase(ada, "three", { supplier: "second", step: "queued" }),
      newPurchase(sandbox, "tried", { total: kobo(1_000n) }),
    ],
    "2026-11-23",
  );
  const live = await sumFloat(database, "live");
  expect([live.wallets, live.inFlight]).toEqual([
    { count: 1n, amount: 65_000n },
    [
      { supplier: "first", purchases: 1n, amount: 10_000n },
      { supplier: "second", purchases: 2n, amount: 15_000n },
    ],
  ]);
  expect(Math.abs(live.at - Date.now())).toBeLessThan(60_000);
  const tried = await sumFloat(database, "test");
  expect([tried.wallets, tried.inFlight]).toEqual([
    { count: 1n, amount: 69_000n },
    [{ supplier: null, purchases: 1n, amount: 1_000n }],
  ]);
  await database.transaction((tx) =>
    creditWallet(tx, { wallet: obi, amount: kobo(7n), kind: "top_up", reason: "test" }),
  );
  expect((await sumFloat(database, "live")).wallets).toEqual({ count: 2n, amount: 65_007n });
});

test("wallets and what is in flight are of one moment: what is bought meanwhile changes no sum of both", async () => {
  const buyers = open(4);
  const readers = open(2);
  const total = async () => {
    const { wallets, inFlight } = await sumFloat(readers, "live");
    return inFlight.reduce((sum, { amount }) => sum + amount, wallets.amount as bigint);
  };
  const wallets = await Promise.all([11, 12, 13, 14].map((id) => fundedWallet(buyers, walletKey(id), 10_000_000n)));
  const before = await total();
  let bought = 0;
  const buying = Promise.all(
    wallets.map(async (wallet) => {
      for (let nth = 0; nth < 150; nth++) {
        await insertPurchases(buyers, [newPurchase(wallet, `meanwhile-${nth}`)], "2026-11-23");
        bought++;
      }
    }),
  );
  const totals = new Set<bigint>();
  let reads = 0;
  for (; bought < 600; reads++) totals.add(await total());
  await buying;
  expect(reads).toBeGreaterThan(10);
  expect([...totals]).toEqual([before]);
  await Promise.all([buyers.close(), readers.close()]);
});

test("no purchase that has ended is read, however many there are", async () => {
  await endAll();
  const wallet = await fundedWallet(database, walletKey(21), 1_000_000_000n);
  const many = Array.from({ length: 5_000 }, (_, nth) => newPurchase(wallet, `many-${nth}`));
  await insertPurchases(database, many, "2026-11-23");
  await endAll();
  const pending = Array.from({ length: 20 }, (_, nth) => newPurchase(wallet, `pending-${nth}`));
  await insertPurchases(database, pending, "2026-11-23");
  const scans = async () => {
    // Ending them read the table as well, and its connection may tell so later.
    await fresh.pool.query("select pg_stat_force_next_flush()");
    const text = "select seq_scan from pg_stat_user_tables where relname = 'purchases'";
    return (await fresh.pool.query(text)).rows[0].seq_scan;
  };
  for (const when of ["before", "after"]) {
    if (when === "after") await fresh.pool.query("analyze");
    const scansBefore = await scans();
    const read = await rowsRead(database, "purchases", async () => {
      expect((await sumFloat(database, "live")).inFlight).toMatchObject([{ purchases: 20n }]);
    });
    expect(read, `${when} the first analyze`).toBeLessThanOrEqual(20);
    expect(await scans(), `${when} the first analyze`).toBe(scansBefore);
  }
});
