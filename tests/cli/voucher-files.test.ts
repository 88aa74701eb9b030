import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { ownDatabase } from "../support/merchants.ts";
import { type Operated, operate as operateIn } from "../support/operate.ts";

let own: Awaited<ReturnType<typeof ownDatabase>>;
let folder: string;
let product: string;

beforeAll(async () => {
  own = await ownDatabase();
  await loadStartingCatalogue(own.database);
  folder = mkdtempSync(path.join(tmpdir(), "dispense-vouchers-"));
  const { rows } = await own.fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' limit 1",
  );
  product = String(rows[0].id);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await own.drop();
});

function environment() {
  const key = Buffer.alloc(32, 9).toString("base64");
  return { DATA_DIR: folder, DATABASE_URL: own.fresh.url, ENCRYPTION_KEY: key };
}

function operate(...words: string[]): Promise<Operated> {
  return operateIn(["vouchers", ...words], environment());
}

function file(text: string): string {
  const name = path.join(folder, `${Math.abs(text.length)}-${Date.now()}.csv`);
  writeFileSync(name, text);
  return name;
}

const spoilt = "spoilt by a spreadsheet";
const genuine = Array.from({ length: 30 }, (_, at) => `73000000000${String(12_340 + at)}`);
test.each([
  ["16 digits that end in a zero, each of them", ["1234567890123450", "1234567890123460"], [2, 3]],
  ["17 digits that end in two", ["12345678901234500", "12345678901234567"], [2]],
  ["20 digits that end in five, among codes that are right", [...genuine, "12345678901234500000"], [32]],
  ["an exponent", ["1E16", "1.23457E+15", '"1,23457E+15"', "2.5e+9"], [2, 3, 4, 5]],
])("codes that a spreadsheet rounded are refused by file and line: %s", async (_name, pins, lines) => {
  const name = file(`pin\n${pins.join("\n")}\n`);
  const reply = await operate("import", name, "--product", product, "--json");
  expect([reply.code, reply.lines[0].lines]).toEqual([1, lines.map((line) => ({ line, because: spoilt }))]);
  expect(reply.lines[0].imported).toBe(pins.length - lines.length);
  expect(reply.error).toContain(`Line ${lines[0]} of ${name} is spoilt. A spreadsheet keeps 15 digits`);
  expect(reply.error).toMatch(/import it into the spreadsheet with these columns as Text/);
  await own.fresh.pool.query("delete from vouchers where batch like '%.csv' and product_id = $1", [product]);
});

test("a serial that a spreadsheet rounded is refused as well, and what a person says is right gets in", async () => {
  const name = file("pin,serial\n9911222233,1234567890123400000\n");
  const { code, lines } = await operate("import", name, "--product", product, "--json");
  expect([code, lines[0].refused]).toEqual([1, { [spoilt]: 1 }]);
  const said = await operate("import", name, "--product", product, "--not-rounded", "--json");
  expect([said.code, said.lines[0].imported]).toEqual([0, 1]);
});

test("of genuine codes of 16 digits one in ten ends in a zero: such a file gets in whole", async () => {
  const pins = Array.from({ length: 2_000 }, (_, at) => String(8_123_456_789_000_000n + BigInt(at) * 7n));
  const { code, lines } = await operate("import", file(`pin\n${pins.join("\n")}\n`), "--product", product, "--json");
  expect([code, lines[0].imported, lines[0].refused]).toEqual([0, 2_000, {}]);
});

test.each([
  ["semicolons, and a first line that says so", "sep=;\r\nPIN;Serial\r\n9100000001;B1\r\n"],
  ["semicolons", "pin;serial\n9100000002;B2\n"],
  ["tabs", "pin\tserial\n9100000003\tB3\n"],
  ["UTF-16", Buffer.from("\uFEFFpin,serial\n9100000004,B4\n", "utf16le")],
  ["invisible marks, no-break spaces and long dashes", "pin,serial\n\u200E9100\u20130000\u00A005\u200B,B\u00A05\n"],
  ["a spreadsheet's signs of a text", 'pin,serial\n="9100000006",\'5\n'],
  ["empty cells and rows at the edges", "pin,serial,,\n9100000007,B7,,\n,,,\n"],
])("what a spreadsheet did to a file is undone where one reading is left: %s", async (_name, text) => {
  const name = path.join(folder, "made-by-a-spreadsheet.csv");
  writeFileSync(name, text);
  const { code, error, lines } = await operate("import", name, "--product", product, "--json");
  expect([code, error, lines[0]?.imported]).toEqual([0, "", 1]);
});

test.each([
  ["an Excel workbook (xlsx)", Buffer.from("PK\x03\x04\x14\x00\x06\x00[Content_Types].xml", "latin1")],
  ["an Excel workbook (xls)", Buffer.from("d0cf11e0a1b11ae1", "hex")],
  ["a web page or XML", "<html><table><tr><td>pin</td></tr></table></html>"],
])("a file that is %s is refused by name, with what to save it as", async (what, content) => {
  const name = path.join(folder, "foreign.csv");
  writeFileSync(name, content);
  const { code, error } = await operate("import", name, "--product", product);
  expect([code, error]).toEqual([
    1,
    `The file ${name} is ${what}, no CSV: open it in the spreadsheet and save it as “CSV UTF-8”.\n`,
  ]);
});

test("a row with a cell too many or too few is named, and what came before it is on sale", async () => {
  for (const [row, count] of [
    ["9200000002,B2,C2", 3],
    ["9200000003", 1],
  ] as const) {
    const name = file(`pin,serial\n92000000${row.length},B1\n${row}\n`);
    const { code, error } = await operate("import", name, "--product", product);
    expect([code, error]).toEqual([
      1,
      expect.stringContaining(`Line 3 of ${name} has ${count} cells, and the heading has 2. 1 vouchers before it were`),
    ]);
  }
});
