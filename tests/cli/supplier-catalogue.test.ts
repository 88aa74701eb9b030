import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { writeCsv } from "../../src/platform/csv.ts";
import { type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";
import { type PriceListServer, sent, startPriceList } from "../support/price-list/price-list-server.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

let fresh: FreshDatabase;
let server: PriceListServer;
let scratch: ScratchDirectory;
beforeAll(async () => {
  [fresh, server, scratch] = await Promise.all([stockedDatabase(), startPriceList(), makeScratchDirectory()]);
});
afterAll(async () => {
  await Promise.all([server.close(), scratch.remove(), fresh.drop()]);
});

const run = (...words: string[]) =>
  operate(
    words,
    { DATABASE_URL: fresh.url, ENCRYPTION_KEY: testEncryptionKey, SUPPLIER_ORIGINS: server.url },
    "tests/support/price-list/operator-host.ts",
  );
const catalogue = (...words: string[]) => run("supplier", "catalogue", "lister", ...words);

let file: string;
let files = 0;
beforeEach(async () => {
  await fresh.pool.query("truncate suppliers cascade");
  await fresh.pool.query(
    `insert into suppliers (name, connector, settings)
     values ('lister', 'price-list', jsonb_build_object('base_url', $1::text)), ('desk', 'manual', '{}')`,
    [server.url],
  );
  // Product 1002 is 640.00 to everybody.
  await fresh.pool.query(
    `insert into supplier_routes (product_id, supplier, supplier_code, cost)
     values (1002, 'lister', '007', 60000), (1003, 'lister', 'gone', 60000), (1004, 'lister', 'kept', 50000)`,
  );
  server.products = [
    sent("data", "007", ["NGN", 64_001]),
    sent("data", "kept", ["NGN", 40_000]),
    sent("data", "=new", ["USD", 450]),
    sent("data", "untold", null),
    sent("giftcard", "card", 9_500, ["USD", 1_000]),
  ];
  server.broken = null;
  files += 1;
  file = path.join(scratch.folder, `differences-${files}.csv`);
});

const records = (): Record<string, string>[] => parse(readFileSync(file), { columns: true, bom: true });

/** Changes the file as a person would, in a program that keeps its columns. */
function mark(change: (record: Record<string, string>) => Record<string, string>): void {
  const changed = records().map((record) => ({ ...record, ...change(record) }));
  const columns = Object.keys(changed[0] ?? {});
  // The texts in the file are guarded already.
  const rows = changed.map((record) => columns.map((column) => (record[column] ?? "").replace(/^'/, "")));
  writeFileSync(file, writeCsv([columns, ...rows]));
}

const stored = async () =>
  (
    await fresh.pool.query(
      `select product_id as id, supplier_code as code, cost::int, cost_currency as currency, cost_basis_points as share,
              enabled, priority
         from supplier_routes order by product_id`,
    )
  ).rows.map((row) => Object.values(row).join(" "));

test("the difference is shown by kind, what loses money first, and nothing is changed", async () => {
  const before = await stored();
  const { code, out, error } = await catalogue();
  expect([code, error]).toEqual([0, ""]);
  expect(out).toContain("lister lists 5 products of data, giftcard.");
  expect(out.match(/^\d+ .*:$/gm)).toEqual([
    "1 sold at a loss at the new cost:",
    "1 gone from the list:",
    "1 at another cost:",
    "3 listed without a route of ours:",
  ]);
  expect(out).toMatch(/data +│ 007 +│ 1002 .* 600\.00 +│ 640\.01 +│ costs 640\.01, sells for 640\.00, for everyone/);
  expect(await stored()).toEqual(before);
  expect((await run("audit", "list", "--json")).lines.map(({ command }) => command)).not.toContain(
    "supplier catalogue",
  );
  const { rows } = await fresh.pool.query(
    "select new_products, gone, cost_changed, loses_money, reported_at is not null as told from supplier_catalogues",
  );
  expect(rows).toEqual([{ new_products: 3, gone: 1, cost_changed: 1, loses_money: 1, told: true }]);
});

test("as JSON each difference is a line with all that is known of it", async () => {
  const { lines } = await catalogue("--json");
  expect(lines.map(({ change, supplier_code }) => [change, supplier_code])).toEqual([
    ["loses_money", "007"],
    ["gone", "gone"],
    ["cost_changed", "kept"],
    ["new", "=new"],
    ["new", "untold"],
    ["new", "card"],
  ]);
  expect(lines[0]).toMatchObject({ category: "data", product_id: 1002, cost_old: "600.00", cost_new: "640.01" });
  expect(lines[5]).toMatchObject({ name: "Their card", biller: "Their brand", face: "10.00 USD", cost_new: "95%" });
});

/** What the audit log has of this command and file. */
const entries = async () =>
  (await run("audit", "list", "--json")).lines
    .filter(({ command, details }) => command === "supplier catalogue" && details.accept === file)
    .map(({ details }) => details);

test("exactly the lines that are marked are applied, once, with one entry in the audit log", async () => {
  const written = await catalogue("--to", file, "--json");
  expect(written.lines).toEqual([
    { supplier: "lister", file, listed: 5, loses_money: 1, value_changed: 0, gone: 1, cost_changed: 1, new: 3 },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await catalogue("--accept", file)).toMatchObject({ code: 1, error: expect.stringContaining("No line of") });
  const products: Record<string, string> = { "'=new": "1005", card: "11001", untold: "1006" };
  mark(({ change, supplier_code }) => ({
    accept: change === "cost_changed" ? "No" : change === "loses_money" ? "off" : "YES",
    ...(change === "new" ? { product_id: products[supplier_code ?? ""] ?? "", priority: "5" } : {}),
    ...(supplier_code === "untold" ? { cost_new: "450" } : {}),
  }));
  const calls = server.calls.length;
  const accepted = await catalogue("--accept", file, "--json");
  expect([accepted.error, accepted.lines]).toEqual([
    expect.any(String),
    [{ supplier: "lister", added: 3, repriced: 0, switched_off: 2, already: 0 }],
  ]);
  expect(server.calls).toHaveLength(calls);
  expect(await entries()).toEqual([expect.objectContaining({ arguments: ["lister"], accept: file })]);
  const after = [
    "1002 007 64001 NGN  false 100",
    "1003 gone 60000 NGN  false 100",
    "1004 kept 50000 NGN  true 100",
    "1005 =new 450 USD  true 5",
    "1006 untold 45000 NGN  true 5",
    "11001 card  NGN 9500 true 5",
  ];
  expect(await stored()).toEqual(after);
  expect((await catalogue("--accept", file, "--json")).lines).toEqual([
    { supplier: "lister", added: 0, repriced: 0, switched_off: 0, already: 5 },
  ]);
  expect(await stored()).toEqual(after);
  expect((await catalogue("--json")).lines.map(({ change }) => change)).toEqual(["cost_changed"]);
});

test("an accepted cost above a price is taken, with the warning of every such route", async () => {
  await catalogue("--to", file);
  mark(({ change }) => (change === "loses_money" ? { accept: "yes" } : {}));
  const { code, error } = await catalogue("--accept", file);
  expect([code, error]).toEqual([
    0,
    expect.stringMatching(/^Product 1002, .* costs 640\.01 at lister and sells for 640\.00/),
  ]);
  expect(await stored()).toContain("1002 007 64001 NGN  true 100");
});

test("what a spreadsheet makes of numbers is no fault, and of codes is one", async () => {
  await catalogue("--to", file);
  mark(({ change, cost_old, cost_new }) =>
    change === "cost_changed"
      ? { accept: "yes", cost_old: String(Number(cost_old)), cost_new: String(Number(cost_new)) }
      : {},
  );
  expect(await catalogue("--accept", file)).toMatchObject({ code: 0 });
  expect(await stored()).toContain("1004 kept 40000 NGN  true 100");
  mark(({ supplier_code }) => (supplier_code === "007" ? { accept: "yes", supplier_code: "7" } : {}));
  const { code, error } = await catalogue("--accept", file);
  expect([code, error]).toEqual([
    1,
    expect.stringMatching(/^Line 2 \(loses_money, data, 7\): it is not as it was written/),
  ]);
});

test("a marked file that a spreadsheet wrote its own way is taken, and a workbook is refused by name", async () => {
  await catalogue("--to", file);
  mark(({ change, cost_new }) =>
    change === "cost_changed" ? { accept: "\u00A0Yes\u200B", cost_new: `₦${cost_new}` } : {},
  );
  const marked = readFileSync(file, "utf8");
  writeFileSync(file, `sep=,\r\n${marked}${",".repeat(13)}\r\n`);
  expect(await catalogue("--accept", file)).toMatchObject({ code: 0, error: "" });
  writeFileSync(file, "PK\u0003\u0004");
  expect((await catalogue("--accept", file)).error).toContain(`The file ${file} is an Excel workbook (xlsx), no CSV`);
});

type Marks = Parameters<typeof mark>[0];
const spoiled: readonly (readonly [string, Marks, RegExp])[] = [
  ["another cost", () => ({ accept: "yes", cost_new: "1.00" }), /it is not as it was written for lister/],
  ["another value", ({ face }) => (face ? { accept: "yes", face: "25.00 USD" } : {}), /not as it was written/],
  ["a cost that is none", () => ({ accept: "yes", cost_new: "cheap" }), /It must be naira such as/],
  ["another product", ({ change }) => (change === "gone" ? { accept: "yes", product_id: "1002" } : {}), /not as it/],
  ["another kind of change", () => ({ accept: "yes", change: "gone" }), /it is not as it was written/],
  ["a kind that there is not", () => ({ accept: "yes", change: "dearer" }), /change must be one of loses_money/],
  ["a mark that means nothing", () => ({ accept: "maybe" }), /accept must be yes, off, or nothing/],
  ["off for what is gone", ({ change }) => (change === "gone" ? { accept: "off" } : {}), /off for a cost alone/],
  ["no product for something new", ({ change }) => (change === "new" ? { accept: "yes" } : {}), /product_id must say/],
  [
    "a product that is no number",
    ({ change }) => (change === "new" ? { accept: "yes", product_id: "mtn" } : {}),
    /It must be a product's id/,
  ],
  [
    "a priority that is none",
    ({ change }) => (change === "new" ? { accept: "yes", product_id: "1005", priority: "first" } : {}),
    /a whole number from 1 to 999/,
  ],
  [
    "one product twice",
    ({ change, category }) => (change === "new" && category === "data" ? { accept: "yes", product_id: "1005" } : {}),
    /Product 1005 is accepted in line 5 and in line 6/,
  ],
];

test.each(spoiled)("%s is refused by its line, and nothing is applied", async (_name, spoil, reason) => {
  await catalogue("--to", file);
  mark((record) => ({ ...(record.change === "cost_changed" ? { accept: "yes" } : {}), ...spoil(record) }));
  const before = await stored();
  const { code, error } = await catalogue("--accept", file);
  expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
  expect(error).toMatch(/Line \d|in line \d/);
  expect(await stored()).toEqual(before);
});

test.each([
  ["an empty file", "", /has no lines/],
  ["a heading alone", "accept,change\n", /has no lines/],
  ["another file", "product,code,cost\n1002,x,1.00\n", /has no column accept, change, category/],
  ["what is no CSV", 'accept,change\nyes,"gone\n', /is no CSV/],
])("%s is refused as it is", async (_name, text, reason) => {
  writeFileSync(file, text);
  expect(await catalogue("--accept", file)).toMatchObject({ code: 1, error: expect.stringMatching(reason) });
});

test("another supplier's file is refused, every line of it", async () => {
  await catalogue("--to", file);
  mark(({ change }) => (change === "gone" ? { accept: "yes" } : {}));
  const { code, error } = await run("supplier", "catalogue", "desk", "--accept", file);
  expect([code, error]).toEqual([1, expect.stringContaining("it is not as it was written for desk")]);
});

test("a file that is there is never written over: somebody's marks may be in it", async () => {
  writeFileSync(file, "marks");
  expect(await catalogue("--to", file)).toMatchObject({ code: 1, error: expect.stringContaining("is there already") });
  expect(readFileSync(file, "utf8")).toBe("marks");
  const nowhere = path.join(scratch.folder, "nowhere", "file.csv");
  expect(await catalogue("--to", nowhere)).toMatchObject({ code: 1, error: expect.stringContaining("(ENOENT)") });
});

test("a list that was cut short shows nothing as gone, and writes no file", async () => {
  server.broken = { path: "/data/2", by: "outage" };
  const { code, out, error } = await catalogue("--to", file);
  expect([code, out, error]).toEqual([
    1,
    "",
    expect.stringMatching(/^lister did not tell its whole list, so nothing is known: data, page 2: /),
  ]);
  expect(existsSync(file)).toBe(false);
  expect((await fresh.pool.query("select from supplier_catalogues")).rowCount).toBe(0);
});

test("an empty list is pointed out, and its lines are applied only where that is meant", async () => {
  server.products = [];
  const written = await catalogue("--to", file);
  expect([written.code, written.error]).toEqual([0, "3 of 3 routes of data are gone: was the list cut short?\n"]);
  mark(() => ({ accept: "yes" }));
  const { code, error } = await catalogue("--accept", file);
  expect([code, error]).toEqual([1, expect.stringMatching(/^3 of the 3 routes of data would be switched off as gone/)]);
  expect(await catalogue("--accept", file, "--many-gone")).toMatchObject({ code: 0 });
  expect((await stored()).every((row) => row.includes(" false "))).toBe(true);
});

test("who has no list is told so, and options that contradict each other are refused", async () => {
  const desk = await run("supplier", "catalogue", "desk");
  expect([desk.code, desk.error]).toEqual([1, "desk has no list that can be asked for: it is spoken to by manual.\n"]);
  expect((await run("supplier", "catalogue", "nobody")).error).toContain("There is no supplier nobody");
  expect((await catalogue("--to", file, "--accept", file)).error).toBe("Give either --to or --accept.\n");
  expect((await catalogue("--many-gone")).error).toBe("--many-gone belongs to --accept.\n");
});
