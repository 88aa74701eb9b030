import { expect, test } from "vitest";
import { partsAmong } from "../../../../src/domain/history/lists/seek.ts";
import { findSales } from "../../../../src/domain/history/search/find-sales.ts";
import { openFindByReference } from "../../../../src/domain/purchases/find.ts";
import { firstPurchaseIdAt, walletIdOf } from "../../../../src/kernel/ids.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { testTransactionIds } from "../../../support/transaction-ids.ts";
import { fundedWallet, walletKey } from "../../../support/wallet.ts";

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "ordinary" }));
const services = { database, transactionIds: testTransactionIds, findByReference: openFindByReference(database) };
const [shop, neighbour] = [walletKey(1, "live"), walletKey(2, "live")];
const start = Date.UTC(2026, 0, 1);
const rows = 2 * partsAmong + 100;

for (const wallet of [shop, neighbour]) await fundedWallet(database, wallet, 1_000_000_000n);
// Each second one is the neighbour's. Of every 10,000 one has 4321 at its end, and the very first one 998877.
await fresh.pool.query(
  `insert into purchases (wallet_id, id, reference, number, fingerprint, channel, status, product_id,
                          customer_ref, phone, quantity, unit_amount, face_amount, fee, total, balance_before,
                          supplier, purchased_at, completed_at, limit_day)
   select case when n % 2 = 0 then $1::integer else $2 end, $4::bigint + n::bigint * (1 << 22) * 1000, 'sale-' || n, n,
          '00000000-0000-0000-0000-000000000000', 'api', 'successful', 1002, made.phone, made.phone, 1, 10000, 10000, 0,
          10000, 1000000, 'first', now(), now(), '2026-01-01'
     from generate_series(1, $3::integer) n
    cross join lateral (
            select case when n <= 2 then '08030998877' when n % 10000 in (0, 1) then '08031114321' else '08030000000' end as phone
          ) made`,
  [walletIdOf(shop), walletIdOf(neighbour), 2 * rows, firstPurchaseIdAt(start)],
);
await fresh.pool.query("analyze purchases");

test("the last digits are looked for among the newest, it is said back to when, and the search goes on from there", async () => {
  const first = await findSales(services, shop, "998877", { beforeId: null, limit: 20 });
  expect([first.purchases, first.searchedFrom?.at]).toEqual([[], start + (2 * rows - 2 * partsAmong + 2) * 1_000]);
  const second = await findSales(services, shop, "998877", { beforeId: first.searchedFrom?.id ?? null, limit: 20 });
  expect([second.purchases, second.searchedFrom === null]).toEqual([[], false]);
  const third = await findSales(services, shop, "998877", { beforeId: second.searchedFrom?.id ?? null, limit: 20 });
  expect([third.purchases.map(({ reference }) => reference), third.searchedFrom]).toEqual([["sale-2"], null]);
});

test("the newest are shown, others are said to be there, and none is another merchant's", async () => {
  const found = await findSales(services, shop, "4321", { beforeId: null, limit: 3 });
  expect(found.purchases.map(({ reference }) => reference)).toEqual(["sale-80000", "sale-70000", "sale-60000"]);
  expect(found.hasMore).toBe(true);
});

test("a whole number, a reference and an id are looked for in all of the past, and read little of it", async () => {
  const id = testTransactionIds.format((firstPurchaseIdAt(start) + 2n * (1n << 22n) * 1000n) as never, "live");
  for (const text of ["08030998877", "sale-2", id]) {
    const read = await rowsRead(database, "purchases", async () => {
      const { purchases, searchedFrom } = await findSales(services, shop, text, { beforeId: null, limit: 20 });
      expect([text, purchases.map(({ reference }) => reference), searchedFrom]).toEqual([text, ["sale-2"], null]);
    });
    expect([text, read < 60]).toEqual([text, true]);
  }
  expect((await findSales(services, neighbour, "sale-2", { beforeId: null, limit: 20 })).purchases).toEqual([]);
});
