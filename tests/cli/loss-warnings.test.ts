import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";

// Product 1002 is 640.00 to everybody, 2001 (airtime) 96.8 % of 50.00 to 50000.00.

let own: Awaited<ReturnType<typeof ownDatabase>>;
let folder: string;
let merchant: string;

beforeAll(async () => {
  own = await ownDatabase();
  await loadStartingCatalogue(own.database);
  await own.fresh.pool.query("insert into suppliers (name, connector) values ('byhand', 'manual')");
  folder = mkdtempSync(path.join(tmpdir(), "dispense-losses-"));
  const [created] = (await run("create-merchant", "--name", "A", "--email", "a@example.ng", "--json")).lines;
  merchant = created.merchant_id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await own.drop();
});

const run = (...words: string[]) => operate(words, { DATABASE_URL: own.fresh.url, DATA_DIR: folder });

/** What `route set` warns of, when it has set the route. */
async function warned(product: string, cost: string, ...more: string[]): Promise<string> {
  const { code, out, error } = await run("route", "set", product, "byhand", "--code", "x", "--cost", cost, ...more);
  expect([code, out]).toEqual([0, expect.stringContaining(`to byhand at ${cost}.`)]);
  const [route] = (await run("route", "list", product, "--json")).lines;
  expect(route).toMatchObject({ cost });
  return error;
}

test("a route that takes more than the base price is set, and a warning names product, cost and price", async () => {
  expect(await warned("1002", "640.00")).toBe("");
  expect(await warned("1002", "640.01")).toMatch(
    /^Product 1002, ".+", costs 640\.01 at byhand and sells for 640\.00, for everyone without a price of their own: a loss of 0\.01 with every such sale\.\n$/,
  );
  expect(await warned("1002", "640.01", "--off")).toBe("");
});

test("the price that somebody pays by a tier or alone counts as well, and the lowest is named", async () => {
  await run("set-price", "1002", "620.00", "--tier", "2");
  expect(await warned("1002", "630.00")).toContain("sells for 620.00, in price tier 2: a loss of 10.00 ");
  await run("set-price", "1002", "600.00", "--merchant", merchant);
  expect(await warned("1002", "630.00")).toContain(`sells for 600.00, for ${merchant} alone: a loss of 30.00 `);
  expect(await warned("1002", "600.00")).toBe("");
});

test("a price that falls below what a supplier takes is set with the same warning", async () => {
  await warned("1062", "1000.00");
  expect((await run("set-price", "1062", "1000.00")).error).toBe("");
  const { code, error } = await run("set-price", "1062", "999.00", "--json");
  expect([code, error]).toEqual([0, expect.stringContaining("costs 1000.00 at byhand and sells for 999.00")]);
});

test("a tier's price that is taken away leaves the base price, with the same warning", async () => {
  await run("set-price", "1042", "900.00");
  await run("set-price", "1042", "1100.00", "--tier", "3");
  await warned("1042", "1000.00");
  const { code, out, error } = await run("clear-price", "1042", "--tier", "3");
  expect([code, out]).toEqual([0, "Product 1042 has no such price any more.\n"]);
  expect(error).toContain("costs 1000.00 at byhand and sells for 900.00");
  expect((await run("clear-price", "1042", "--tier", "3")).error).toBe("");
});

test("a rate that turns sales into losses is set, and a warning names the worst and counts the others", async () => {
  const { rows } = await own.fresh.pool.query(
    "select id, fx_rate::text as rate from products where face_currency = 'USD' and amount_type = 'fixed' order by id limit 8",
  );
  const costs = rows.map((_, n) => `${15_000 + n}.00`);
  for (const [n, { id }] of rows.entries())
    await run("route", "set", String(id), "byhand", "--code", "x", "--cost", costs[n] ?? "");
  const before = `${rows[0].rate.slice(0, -2)}.${rows[0].rate.slice(-2)}`;
  const set = await run("fx-rate", "set", "USD", "1.00", "--yes");
  expect([set.code, set.out]).toEqual([
    0,
    expect.stringContaining(`One USD costs ${before} → 1.00 now; that changed `),
  ]);
  const warnings = set.error.trimEnd().split("\n");
  const lost = warnings.slice(0, -1).map((line) => Number(/a loss of ([0-9.]+) with/.exec(line)?.[1]));
  expect(lost).toHaveLength(5);
  expect(lost).toEqual(lost.toSorted((one, other) => other - one));
  expect(warnings.at(-1)).toBe("So do 3 more routes.");
});

test("a rate is not halved or doubled by a slip of the hand: that needs --yes", async () => {
  const rateOf = async () =>
    (await run("fx-rate", "list", "--json")).lines.find(({ currency }) => currency === "GBP").rate;
  const before = await rateOf();
  for (const rate of ["0.01", "99999.00"]) {
    const { code, out, error } = await run("fx-rate", "set", "GBP", rate);
    expect([code, out]).toEqual([1, ""]);
    expect(error).toBe(
      `One GBP costs ${before} now, and ${rate} is less than half or more than double of that: confirm it if it is meant.\n`,
    );
    expect(await rateOf()).toBe(before);
  }
  expect((await run("fx-rate", "set", "GBP", "99999.00", "--yes")).code).toBe(0);
  expect(await rateOf()).toBe("99999.00");
});

test("a share is compared at the smallest amount that loses, fees counted", async () => {
  expect(await warned("2001", "96.8%")).toBe("");
  expect(await warned("2001", "98%")).toContain(
    "costs 49.00 at byhand and sells for 48.40, for everyone without a price of their own: a loss of 0.60 with every sale of NGN 50.00.",
  );
  await run("set-price", "2001", "96.8%", "--fee", "10.00");
  expect(await warned("2001", "98%")).toContain(
    "costs 49000.00 at byhand and sells for 48410.00, for everyone without a price of their own: a loss of 590.00 with every sale of NGN 50000.00.",
  );
  await run("set-price", "2001", "96.8%", "--fee", "1.2%");
  expect(await warned("2001", "98%")).toBe("");
});

test("a fee that is charged once does not hide what a sale of several loses", async () => {
  const { rows } = await own.fresh.pool.query(
    "select id, max_quantity as most from products where max_quantity > 1 and price is not null order by id limit 1",
  );
  const [{ id, most }] = rows;
  await run("set-price", String(id), "1000.00", "--fee", "50.00");
  expect(await warned(String(id), "1000.00")).toBe("");
  expect(await warned(String(id), "1049.00")).toContain(`with every sale of ${most}.`);
  expect(await warned(String(id), "1051.00")).toContain("a loss of 1.00 with every such sale.");
});

test("an import names twenty losses and counts the others", async () => {
  const { rows } = await own.fresh.pool.query(
    "select id from products where amount_type = 'fixed' order by id limit 23",
  );
  const file = path.join(folder, "routes.csv");
  const lines = rows.map(({ id }) => `${id},x,900000.00`);
  writeFileSync(file, ["product,code,cost", ...lines, "2001,x,50%"].join("\n"));
  const { code, error, lines: reply } = await run("route", "import", file, "--supplier", "byhand", "--json");
  expect([code, reply]).toEqual([0, [{ supplier: "byhand", routes: 24, off: 0 }]]);
  const warnings = error.trimEnd().split("\n");
  expect(warnings.slice(0, -1)).toEqual(rows.slice(0, 20).map(({ id }) => expect.stringContaining(`Product ${id}, "`)));
  expect(warnings.at(-1)).toBe("So do 3 more routes.");
});

test("a cost in another currency serves nothing before it has a rate, and is reckoned at it from then on", async () => {
  expect(await warned("1002", "0.50 CHF")).toBe(
    "Routes at costs in CHF serve nothing before fx-rate set CHF says what one costs.\n",
  );
  expect((await run("fx-rate", "set", "CHF", "1200.00", "--json")).lines).toEqual([
    { currency: "CHF", previous: [], rate: "1200.00", changed: 0 },
  ]);
  expect(await warned("1002", "0.50 CHF")).toBe("");
  expect(await warned("1002", "0.54 CHF")).toContain("costs 648.00 at byhand");
  expect((await run("fx-rate", "set", "CHF", "12.00")).error).toContain("confirm it if it is meant");
  expect((await run("fx-rate", "set", "NGN", "1.00")).error).toContain("another than naira");
});
