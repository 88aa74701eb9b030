import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting-catalogue.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";

let own: Awaited<ReturnType<typeof ownDatabase>>;
let folder: string;

beforeAll(async () => {
  own = await ownDatabase();
  await loadStartingCatalogue(own.database);
  await own.fresh.pool.query("insert into suppliers (name, connector) values ('byhand', 'manual')");
  folder = mkdtempSync(path.join(tmpdir(), "dispense-routes-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await own.drop();
});

const run = (...words: string[]) => operate(words, { DATABASE_URL: own.fresh.url, DATA_DIR: folder });

function importing(text: string, supplier = "byhand") {
  const file = path.join(folder, "routes.csv");
  writeFileSync(file, text);
  return run("route", "import", file, "--supplier", supplier, "--json");
}

const routes = async () => (await run("route", "list", "--json")).lines;

test("a supplier's price list becomes its routes, and a newer one replaces what it names", async () => {
  const list = "\uFEFFproduct,code,cost,priority\n1002,mtn-1gb,600.00,1\n2001,mtn,97.5%,\n";
  expect((await importing(list)).lines).toEqual([{ supplier: "byhand", routes: 2 }]);
  expect(await routes()).toMatchObject([
    { product_id: 1002, supplier: "byhand", code: "mtn-1gb", cost: "600.00", priority: 1, enabled: true },
    { product_id: 2001, supplier: "byhand", code: "mtn", cost: "97.5%", priority: 100, enabled: true },
  ]);
  await importing("code,cost,product\nmtn-1024,595.00,1002\n");
  expect((await routes()).map(({ code, cost }) => [code, cost])).toEqual([
    ["mtn-1024", "595.00"],
    ["mtn", "97.5%"],
  ]);
});

test.each([
  ["an unknown product", "product,code,cost\n1003,x,1.00\n999999,x,1.00\n", /^Line 2: There is no such product\./],
  [
    "an unreadable cost",
    "product,code,cost\n1003,x,1.00\n1004,x,cheap\n",
    /^Line 2 \(1004, x, cheap\): It must be naira/,
  ],
  ["no code", "product,code,cost\n1003,,1.00\n", /^Line 1: Must have 1 to 200 characters\./],
  ["another heading", "id,serviceID,price\n1003,x,1.00\n", /columns product, code, cost/],
  ["what is no CSV", 'product,code,cost\n1003,"x,1.00\n', /is no CSV/],
])("%s is refused by its line, and no route is set", async (_name, text, reason) => {
  const before = await routes();
  const { code, error } = await importing(text);
  expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
  expect(await routes()).toEqual(before);
});

test("a supplier that nobody entered is refused", async () => {
  expect((await importing("product,code,cost\n1003,x,1.00\n", "nobody")).error).toContain("There is no such supplier.");
});
