import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { untilFelt } from "../support/felt-change.ts";
import { operate } from "../support/operate.ts";

let references = 0;

const app = closing(await startApp());

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });
const rows = async (sql: string) => (await app.fresh.pool.query(sql)).rows;
const reply = () => rows("select distinct product_id from catalogue_changes order by product_id");

async function untilBuying(code: number | string) {
  const buy = () => {
    references += 1;
    const body = { reference: `offer-${references}`, product_id: 1002, phone: "08031234567" };
    return app.call(app.merchant.testKey, "/data/purchase", { body });
  };
  return (await untilFelt(buy, ({ status, body }) => status === code || body.code === code)).body;
}

test("a currency's rate is that of all its products, and merchants are told of them", async () => {
  const before = (await run("fx-rate", "list", "--json")).lines;
  const [usd] = before.filter(({ currency }) => currency === "USD");
  expect((await run("fx-rate", "set", "USD", "1600.50", "--json")).lines).toEqual([
    { currency: "USD", previous: [usd.rate], rate: "1600.50", changed: usd.products },
  ]);
  expect((await run("fx-rate", "list", "--json")).lines).toEqual(
    before.map((row) => (row.currency === "USD" ? { ...row, rate: "1600.50" } : row)),
  );
  const inDollars = await rows("select id as product_id from products where face_currency = 'USD' order by id");
  expect(await reply()).toEqual(inDollars);
  expect(await rows("select distinct kind from catalogue_changes")).toEqual([{ kind: "rate" }]);
  expect((await run("fx-rate", "set", "USD", "1600.50")).out).toContain("changed 0 products");
  const listed = () =>
    app.services.catalogue.current().then(({ findProduct }) => findProduct(inDollars[0]?.product_id));
  await expect.poll(async () => (await listed())?.fxRate).toBe(160_050n);
});

test("a product, and a biller with all of its products, goes off and on offer within a second", async () => {
  const [{ biller_slug: biller }] = await rows("select biller_slug from products where id = 1002");
  await untilBuying(201);
  expect((await run("product", "disable", "1002", "--replaced-by", "1003")).out).toBe(
    "Product 1002 is not on offer.\n",
  );
  expect((await untilBuying("PRODUCT_UNAVAILABLE")).meta).toMatchObject({ replaced_by: 1003 });
  await run("product", "enable", "1002");
  await untilBuying(201);
  expect((await run("biller", "disable", biller, "--json")).lines).toMatchObject([{ changed: true }]);
  await untilBuying("BILLER_UNAVAILABLE");
  const all = await rows(`select id as product_id from products where biller_slug = '${biller}'`);
  expect(await reply()).toEqual(expect.arrayContaining(all));
  expect((await run("biller", "disable", biller)).out).toBe(`${biller} was already unavailable.\n`);
  await run("biller", "enable", biller);
  await untilBuying(201);
});

test("a biller's products tell when they went off and on offer with it, and not when nothing changed", async () => {
  const longAgo = "2026-01-01T12:00:00+01:00";
  const listed = async () => {
    const { products } = (await app.call(app.merchant.testKey, "/billers/glo-data/products")).body;
    return products.map(({ available, updated_at }: { available: boolean; updated_at: string }) => ({
      available,
      isOld: updated_at === longAgo,
    }));
  };
  const age = () => app.fresh.pool.query("update products set updated_at = $1", [longAgo]);
  for (const [command, available] of [
    ["disable", false],
    ["enable", true],
  ] as const) {
    await age();
    await run("biller", command, "glo-data");
    await expect.poll(async () => (await listed())[0]?.available).toBe(available);
    expect(new Set((await listed()).map(({ isOld }: { isOld: boolean }) => isOld))).toEqual(new Set([false]));
  }
  await age();
  await run("biller", "enable", "glo-data");
  const moved = "select distinct biller_slug from products where updated_at <> $1";
  expect((await app.fresh.pool.query(moved, [longAgo])).rows).toEqual([]);
});

test.each([
  [["fx-rate", "set", "NGN", "1.00"], /^currency: Must be another than naira\.\n$/],
  [["fx-rate", "set", "USD", "100000.01"], /^rate: Must be at most 100000\.00 naira for one unit\.\n$/],
  [["fx-rate", "set", "usd", "1.00"], /It must be a currency's code such as USD/],
  [["product", "disable", "1002", "--replaced-by", "1002"], /^replaced_by: Must be another product\.\n$/],
  [["product", "enable", "999999"], /product/],
  [["biller", "disable", "nobody"], /biller/],
])("%j is refused with a reason", async (words, reason) => {
  const { code, error } = await run(...words);
  expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
});
