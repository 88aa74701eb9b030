import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
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
  expect((await importing(list)).lines).toEqual([{ supplier: "byhand", routes: 2, off: 0 }]);
  expect(await routes()).toMatchObject([
    { product_id: 1002, supplier: "byhand", code: "mtn-1gb", cost: "600.00", priority: 1, enabled: true },
    { product_id: 2001, supplier: "byhand", code: "mtn", cost: "97.5%", priority: 100, enabled: true },
  ]);
  // A list that names no places leaves them as they are.
  await importing("code,cost,product\nmtn-1024,595.00,1002\n");
  expect((await routes()).map(({ code, cost, priority }) => [code, cost, priority])).toEqual([
    ["mtn-1024", "595.00", 1],
    ["mtn", "97.5%", 100],
  ]);
});

test.each([
  ["an unknown product", "product,code,cost\n1003,x,1.00\n999999,x,1.00\n", /^Line 3: There is no such product\./],
  [
    "an unreadable cost",
    "product,code,cost\n1003,x,1.00\n1004,x,cheap\n",
    /^Line 3 \(1004, x, cheap\): It must be naira/,
  ],
  ["no code", "product,code,cost\n1003,,1.00\n", /^Line 2: The field code must have 1 to 200 characters\./],
  ["another heading", "id,serviceID,price\n1003,x,1.00\n", /columns product, code, cost/],
  [
    "a product twice",
    "product,code,cost\n1003,x,1.00\n\n1004,x,1.00\n1003,y,2.00\n",
    /^Product 1003 is in line 2 and in line 5\. No route was set\.\n$/,
  ],
  ["an empty file", "", /names no route\. The first line names the columns/],
  ["a heading alone", "product,code,cost\n", /names no route\. The first line names the columns/],
  ["a code with a NUL", "product,code,cost\n1003,a\0b,1.00\n", /^Line 2 \(1003, a\?b, 1\.00\): The code holds/],
  [
    "a cost with a comma for its point",
    "product;code;cost\n1003;x;100,00\n",
    /^Line 2 \(1003, x, 100,00\): It must be naira/,
  ],
  [
    "a code that a spreadsheet shortened",
    "product,code,cost\n1003,1.23457E+15,1.00\n",
    /^Line 2 .*A spreadsheet has sho/,
  ],
  ["an extra column", "product,code,cost\n1003,x,1,500.00\n", /^Line 2 of .* has 4 cells, and the heading has 3\.\n$/],
  ["an Excel workbook", "PK\x03\x04", /is an Excel workbook \(xlsx\), no CSV/],
  ["what is no CSV", 'product,code,cost\n1003,"x,1.00\n', /is no CSV/],
])("%s is refused by its line, and no route is set", async (_name, text, reason) => {
  const before = await routes();
  const { code, error } = await importing(text);
  expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
  expect(await routes()).toEqual(before);
});

test("a newer price list changes a route that is off, and leaves it off", async () => {
  await run("route", "set", "1005", "byhand", "--code", "x", "--cost", "10.00", "--off");
  const { lines, error } = await importing("product,code,cost\n1005,y,99999.00\n1006,z,1.00\n");
  expect([lines, error]).toEqual([[{ supplier: "byhand", routes: 2, off: 1 }], ""]);
  expect((await routes()).filter((route) => [1005, 1006].includes(route.product_id))).toMatchObject([
    { code: "y", cost: "99999.00", enabled: false },
    { code: "z", enabled: true },
  ]);
});

test("a supplier that nobody entered is refused", async () => {
  expect((await importing("product,code,cost\n1003,x,1.00\n", "nobody")).error).toContain("There is no such supplier.");
});

test("all faults of a list are named at once, in the order of its lines, and no route is set", async () => {
  const before = await routes();
  const list = [
    "product,code,cost,priority",
    "1003,x,cheap,first",
    "999999,x,1.00,",
    `1004,${"x".repeat(201)},0%,`,
    "1005,x,1.00,",
    "1005,y,1.00,",
  ];
  const { code, error } = await importing(`${list.join("\n")}\n`);
  expect([code, error.trimEnd().split("\n  ")]).toEqual([
    1,
    [
      "No route was set: 4 faults.",
      "Line 2 (1003, x, cheap): It must be naira such as 612.00, or a share such as 97.5%. It must be a whole number from 1 to 999.",
      "Line 3: There is no such product.",
      "Line 4: The field code must have 1 to 200 characters. The field cost must be above zero, and a share at most 100 %.",
      "Product 1005 is in line 5 and in line 6.",
    ],
  ]);
  expect(await routes()).toEqual(before);
});

test("of many faults the first hundred are named, and it is said how many more there are", async () => {
  const { error } = await importing(`product,code,cost\n${"1003,x,cheap\n".repeat(103)}`);
  expect(error).toContain("No route was set: 103 faults.\n");
  expect(error.match(/Line \d+ /g)).toHaveLength(100);
  expect(error).toContain("  and 3 more\n");
});

test("a code is asked for only where the supplier calls products by codes", async () => {
  await own.fresh.pool.query(
    "insert into suppliers (name, connector) values ('shelf', 'voucher-stock'), ('speaks', 'vtpass')",
  );
  for (const supplier of ["byhand", "shelf"]) {
    const { code, lines } = await run("route", "set", "5001", supplier, "--cost", "3000.00", "--json");
    expect([code, lines]).toEqual([0, [expect.objectContaining({ supplier, code: "-", cost: "3000.00" })]]);
  }
  expect((await importing("product,cost\n5002,3000.00\n", "shelf")).lines).toMatchObject([{ routes: 1 }]);
  const needed = "speaks calls products by codes: say with --code what it calls this one.\n";
  expect(await run("route", "set", "5001", "speaks", "--cost", "3000.00")).toMatchObject({ code: 1, error: needed });
  expect((await importing("product,cost\n5002,3000.00\n", "speaks")).code).toBe(1);
  expect((await run("route", "set", "5001", "nobody", "--cost", "1.00")).error).toBe("There is no such supplier.\n");
});

test("a price list of semicolons and grouped amounts is read as it stands", async () => {
  const list = "sep=;\nproduct;code;cost\n1003;\u200Fplan\u00A07;₦1,050.50\n";
  expect(await importing(list)).toMatchObject({ error: "", lines: [{ supplier: "byhand", routes: 1, off: 0 }] });
  expect((await routes()).find((route) => route.product_id === 1003)).toMatchObject({
    code: "plan 7",
    cost: "1050.50",
  });
  const { error } = await run("route", "import", path.join(folder, "none.csv"), "--supplier", "byhand");
  expect(error).toBe(`The file ${path.join(folder, "none.csv")} can't be read (ENOENT).\n`);
});
