import { expect, test } from "vitest";
import { countWallets } from "../../src/domain/history/lists/list.ts";
import { firstPurchaseIdAt, walletIdOf } from "../../src/kernel/ids.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

const dayMs = 86_400_000;
/** Since it was midday in Lagos: by this clock it is that still, and no day ends while the file runs. */
const sinceMiddayMs = (Date.now() - 11 * 3_600_000) % dayMs;
const clock = { aheadMs: 0, now: () => Date.now() - sinceMiddayMs + clock.aheadMs };
const service = closing(await startConsole({ clock }));
const { app } = service;
const failing = "08031230002";
const [twoDays, threeDays, lastWeek] = [
  await app.createMerchant(),
  await app.createMerchant(),
  await app.createMerchant(),
];
const { testKey } = app.merchant;

/** So long ago, the longest first, as ids never go back: to whom, for how many naira, and to which number. */
const sales: readonly (readonly [number, string, number, string?])[] = [
  [7 * dayMs + 1_000, lastWeek.testKey, 50],
  [3 * dayMs, testKey, 150],
  [2 * dayMs, testKey, 250],
  [2 * dayMs, threeDays.testKey, 100],
  [2 * dayMs, lastWeek.testKey, 100],
  [dayMs, testKey, 350, failing],
  [dayMs, twoDays.testKey, 100],
  [dayMs, threeDays.testKey, 100],
  [0, testKey, 450],
  [0, testKey, 550, failing],
  [0, twoDays.testKey, 100],
  [0, threeDays.testKey, 100],
  [0, lastWeek.testKey, 100],
];
// Which day a purchase belongs to, its id says: by the clock of that day.
for (const [at, [agoMs, key, amount, phone = "08031234567"]] of sales.entries()) {
  clock.aheadMs = -agoMs;
  const body = { reference: `airtime-${at}`, network: "MTN", amount: String(amount), phone };
  const { body: made } = await app.call(key, "/airtime/purchase", { body });
  expect(made.status, made.code).toBe(phone === failing ? "failed" : "successful");
}
clock.aheadMs = 0;
const viewer = await service.member("viewer");

/** Each day's delivered and failed naira, recounted from the ledger. */
async function recounted(): Promise<string[][]> {
  const { rows } = await service.app.fresh.pool.query(
    `select to_char(date '2020-01-01' + purchase_day(e.purchase_id), 'FMDD Mon') as day,
            to_char(sum(-e.delta) filter (where p.status = 'successful') / 100.0, 'FM999,999,990.00') as sold,
            to_char(sum(-e.delta) filter (where p.status = 'failed') / 100.0, 'FM999,999,990.00') as failed
       from ledger_entries e
       join purchases p on p.wallet_id = e.wallet_id and p.id = e.purchase_id
      where e.kind = 'purchase' and e.wallet_id = $1
      group by purchase_day(e.purchase_id)
      order by purchase_day(e.purchase_id)`,
    [-app.merchant.id],
  );
  return rows.map(({ day, sold, failed }) => [day, `₦${sold ?? "0.00"}`, `₦${failed ?? "0.00"}`]);
}

const numbersIn = (text: string) => /<table class="plain">([\s\S]*?)<\/table>/.exec(text)?.[1] ?? "";

/** The days of the chart's table that have something. */
async function drawn(): Promise<string[][]> {
  const { text } = await viewer.get("/test/overview?sales=days");
  return [...numbersIn(text).matchAll(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/g)]
    .map(([, day = "", cells = ""]) => [day, ...[...cells.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell = ""]) => cell)])
    .filter(([, ...cells]) => cells.some((cell) => cell !== "₦0.00"));
}

test("the overview draws the naira of each day as the ledger has them, before they are counted and after", async () => {
  const expected = await recounted();
  expect(expected).toHaveLength(4);
  expect(await drawn()).toEqual(expected);
  const { database } = service.app.services;
  const { id: merchantId } = service.app.merchant;
  const beforeId = firstPurchaseIdAt(clock.now() + dayMs);
  await countWallets({ database, clock }, { wallets: [walletIdOf({ merchantId, mode: "test" })], beforeId });
  const counted = "select sum(purchases)::integer as counted from purchase_counts where day = -1";
  expect((await service.app.fresh.pool.query(counted)).rows).toEqual([{ counted: 5 }]);
  expect(await drawn()).toEqual(expected);
});

test("nothing is drawn and no pace is told before three days with sales", async () => {
  for (const [shop, isDrawn] of [
    [twoDays, false],
    [threeDays, true],
  ] as const) {
    const owner = await service.member("owner", shop.id);
    const { text } = await owner.get("/test/overview");
    const found = ['class="chart"', "at this pace", "Top products, last 7 days"].map((part) => text.includes(part));
    expect(found).toEqual([isDrawn, isDrawn, isDrawn]);
    expect(text).not.toContain("on last ");
    const [, best = ""] = /href="([^"]*product=\d+)"/.exec(text) ?? [];
    expect(best !== "").toBe(isDrawn);
    // The figure leads to the sales that it counts.
    if (isDrawn) expect((await owner.get(best.replaceAll("&amp;", "&"))).text).toContain("3 sales match");
  }
});

test("sales are compared with the same weekday last week at the same time, by figure and by hour", async () => {
  const owner = await service.member("owner", lastWeek.id);
  const { text } = await owner.get("/test/overview");
  const weekday = new Date(clock.now() + 3_600_000).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  const compared = new RegExp(`<span class="delta good">.*?(\\d+)%</span> *on last ${weekday} at \\d\\d:\\d\\d`);
  expect(compared.exec(text)?.[1]).toBe("100");
  expect(text).toMatch(/<a href="\/test\/overview\?sales=days">30 days</);
  const cells = [...numbersIn(text).matchAll(/<td class="end">([^<]*)</g)].map(([, cell]) => cell);
  expect(cells.filter((cell) => cell !== "₦0.00" && cell !== "–")).toEqual(["₦48.40"]);
});

test("the other mode's sales and another merchant's are in no figure", async () => {
  const shop = await app.createMerchant();
  const owner = await service.member("owner", shop.id);
  const { text } = await owner.get("/live/overview");
  expect(text).not.toContain("Sold today");
  expect(text).not.toContain('class="chart"');
  expect((await viewer.get("/live/overview")).text).toContain("No sales yet");
});
