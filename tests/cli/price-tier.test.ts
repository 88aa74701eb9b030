import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { untilFelt } from "../support/felt-change.ts";
import { operate } from "../support/operate.ts";

// Product 1002 is 640.00 to everybody, 1003 the merchant's own price.

let app: TestApp;
let merchant: string;
let references = 0;

beforeAll(async () => {
  app = await startApp();
  merchant = `mer_${app.merchant.id}`;
  await run("set-price", "1002", "620.00", "--tier", "2");
  await run("set-price", "1003", "1500.00", "--tier", "2");
  await run("set-price", "1003", "1400.00", "--merchant", merchant);
  await app.fresh.pool.query("delete from catalogue_changes");
});
afterAll(() => app.close());

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });

async function untilCharged(total: string): Promise<void> {
  const buy = () => {
    references += 1;
    const body = { reference: `tier-${references}`, product_id: 1002, phone: "08031234567" };
    return app.call(app.merchant.testKey, "/data/purchase", { body });
  };
  await untilFelt(buy, ({ body }) => body.total_deducted === total);
}

test("a merchant that is put in a price tier pays its prices within a second, and is told which changed", async () => {
  await untilCharged("640.00");
  expect((await run("set-price-tier", merchant, "2")).out).toBe(`${merchant} is in price tier 2.\n`);
  await untilCharged("620.00");
  expect((await run("merchants", "--json")).lines).toMatchObject([{ price_tier: 2 }]);
  const { rows } = await app.fresh.pool.query("select kind, product_id, tier, merchant_id from catalogue_changes");
  expect(rows).toEqual([{ kind: "price", product_id: 1002, tier: null, merchant_id: app.merchant.id }]);
  expect((await run("audit", "list", "--json")).lines.at(-1)).toMatchObject({ command: "set-price-tier" });

  expect((await run("set-price-tier", merchant, "2", "--json")).lines).toEqual([
    { merchant_id: merchant, price_tier: 2, changed: false },
  ]);
  await run("set-price-tier", merchant, "1");
  await untilCharged("640.00");
});

test("what costs the same in both tiers is no news, whether a tier names the base price itself or none", async () => {
  await run("set-price", "1004", "1720.00", "--tier", "3");
  await run("set-price", "1005", "2150.00", "--tier", "3");
  const reply = async () => {
    const { rows } = await app.fresh.pool.query("delete from catalogue_changes returning product_id");
    return rows.map((row) => row.product_id);
  };
  await reply();
  await run("set-price-tier", merchant, "3");
  expect(await reply()).toEqual([1005]);
  await run("set-price-tier", merchant, "1");
  expect(await reply()).toEqual([1005]);
});

test.each([
  [["set-price-tier", "mer_999999", "2"], /^There is no merchant mer_999999\.\n$/],
  [["set-price-tier", "mer_1", "10"], /It must be a whole number from 1 to 9/],
])("%j is refused with a reason", async (words, reason) => {
  const { code, error } = await run(...words);
  expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
});
