import { expect, test } from "vitest";
import { countWallets } from "../../src/domain/history/lists/list.ts";
import { firstPurchaseIdAt, walletIdOf } from "../../src/kernel/ids.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

const dayMs = 86_400_000;
const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };

const service = closing(await startConsole({ clock }));
const { app } = service;
// Which day a purchase belongs to, its id says: by the clock of that day.
for (const [at, [daysAgo, phone]] of (
  [
    [3, "08031234567"],
    [1, "08031230002"],
    [0, "08031234568"],
    [0, "08031230002"],
  ] as const
).entries()) {
  clock.aheadMs = -daysAgo * dayMs;
  const body = { reference: `airtime-${at}`, network: "MTN", amount: String(150 + at * 100), phone };
  expect((await app.call(app.merchant.testKey, "/airtime/purchase", { body })).status).toBeLessThan(500);
}
const viewer = await service.member("viewer");

/** Each day's delivered and failed naira, recounted from the ledger. */
async function recounted(): Promise<string[][]> {
  const { rows } = await service.app.fresh.pool.query(
    `select to_char(date '2020-01-01' + purchase_day(e.purchase_id), 'FMDD Mon') as day,
            to_char(sum(-e.delta) filter (where p.status = 'successful') / 100.0, 'FM999,999,990.00') as sold,
            to_char(sum(-e.delta) filter (where p.status = 'failed') / 100.0, 'FM999,999,990.00') as failed
       from ledger_entries e
       join purchases p on p.wallet_id = e.wallet_id and p.id = e.purchase_id
      where e.kind = 'purchase' and e.wallet_id < 0
      group by purchase_day(e.purchase_id)
      order by purchase_day(e.purchase_id)`,
  );
  return rows.map(({ day, sold, failed }) => [day, `₦${sold ?? "0.00"}`, `₦${failed ?? "0.00"}`]);
}

/** The days of the chart's table that have something. */
async function drawn(address = "/test/overview"): Promise<string[][]> {
  const { text } = await viewer.get(address);
  const table = /<table class="plain">([\s\S]*?)<\/table>/.exec(text)?.[1] ?? "";
  return [...table.matchAll(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/g)]
    .map(([, day = "", cells = ""]) => [day, ...[...cells.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell = ""]) => cell)])
    .filter(([, ...cells]) => cells.some((cell) => !/^(₦0\.00|0)$/.test(cell)));
}

test("the overview draws the naira of each day as the ledger has them, before they are counted and after", async () => {
  const expected = await recounted();
  expect(expected).toHaveLength(3);
  expect(await drawn()).toEqual(expected);
  const { database } = service.app.services;
  const { id: merchantId } = service.app.merchant;
  const beforeId = firstPurchaseIdAt(Date.now() + dayMs);
  await countWallets({ database, clock }, { wallets: [walletIdOf({ merchantId, mode: "test" })], beforeId });
  const counted = "select sum(purchases)::integer as counted from purchase_counts where day = -1";
  expect((await service.app.fresh.pool.query(counted)).rows).toEqual([{ counted: 4 }]);
  expect(await drawn()).toEqual(expected);
});

test("a link switches between naira and number, and says which one is shown", async () => {
  const naira = (await viewer.get("/test/overview")).text;
  expect(naira).toContain("Naira a day over 30 days");
  expect(naira).toMatch(/<a href="\/test\/overview" aria-current="true">Naira</);
  const number = (await viewer.get("/test/overview?sales=number")).text;
  expect(number).toContain("Purchases a day over 30 days");
  expect(number).toMatch(/<a href="\/test\/overview\?sales=number" aria-current="true">Number</);
  expect((await drawn("/test/overview?sales=number")).map(([, ...cells]) => cells)).toEqual([
    ["1", "0"],
    ["0", "1"],
    ["1", "1"],
  ]);
});
