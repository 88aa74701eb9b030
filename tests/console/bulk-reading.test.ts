import { expect, test } from "vitest";
import { airtime } from "../../src/categories/airtime.ts";
import { data } from "../../src/categories/data.ts";
import type { Product } from "../../src/categories/product/product.ts";
import { formOf } from "../../src/console/kit/form.ts";
import { productFinder, readAmount, readPhone, splitNetwork } from "../../src/console/merchant/bulk/read-cells.ts";
import { correctedText, readList } from "../../src/console/merchant/bulk/read-list.ts";

test.each([
  ["08031234301", undefined],
  ["+234 803-123-4301", undefined],
  ["8031234301", "zero"],
  ["803 123 4301", "zero"],
  ["8,031,234,301", "zero"],
  ["8031234301.0", "zero"],
  ["8.031234301E+09", "zero"],
  ["2.348031234301E+12", "exponent"],
  ["2348031234301.00", "decimals"],
  ["(0803) 123.4301", "signs"],
  ["002348031234301", "signs"],
  ["+23408031234301", "signs"],
])("the phone number %s has one meaning", (cell, repair) => {
  expect(readPhone(cell)).toEqual({ value: "08031234301", ...(repair === undefined ? {} : { repair }) });
});

test.each([
  ["", "No phone number."],
  ["8.03E+09", "Excel shortened this number to 8.03E+09."],
  ["2,34803E+12", "Excel shortened"],
  ["0803 123", "7 digits. A Nigerian mobile number has 11."],
  ["080312343011", "12 digits."],
  ["01234567890", "No Nigerian mobile number begins with 0123."],
  ["08031234301/08051234302", "Two numbers."],
  ["Mama Tolu", "“Mama Tolu” isn’t a phone number."],
  ["0803123430O", "“0803123430O” isn’t a phone number."],
  ["O8O31234301", "isn’t a phone number."],
  ["0803123430l", "isn’t a phone number."],
])("the phone number %j is asked about", (cell, sentence) => {
  expect(readPhone(cell)).toEqual({ value: null, fault: expect.stringContaining(sentence) });
});

test.each([
  ["500", "500.00"],
  ["₦1,500.00", "1500.00"],
  ["#500", "500.00"],
  ["=N=1,500", "1500.00"],
  ["500 naira", "500.00"],
  ["500/=", "500.00"],
  ["1 500", "1500.00"],
  ["12 500.50", "12500.50"],
  ["100,00", null],
  ["1.500", null],
  ["1,00,000", null],
  ["100 50", null],
  ["1E+03", null],
  ["", null],
  ["5OO", null],
])("the amount %j is %s", (cell, value) => {
  expect(readAmount(cell).value).toBe(value);
});

test("a network before the amount is told from it", () => {
  const cells = ["MTN 500", "9mobile: ₦1,000", "etisalat 200", "Glo - 50", "500", "Sterling 500"];
  expect(cells.map(splitNetwork)).toEqual([
    ["MTN", "500"],
    ["9MOBILE", "₦1,000"],
    ["9MOBILE", "200"],
    ["GLO", "50"],
    ["", "500"],
    ["", "Sterling 500"],
  ]);
});

const sold = [
  [1001, "MTN", "1GB SME", "30 days"],
  [1002, "MTN", "2GB SME", "30 days"],
  [1003, "MTN", "1GB Gifting", "7 days"],
  [1004, "GLO", "1 GB", "30 days"],
].map(([id, network, plan, validity]) => {
  const biller = { name: network, network };
  return {
    id,
    biller,
    plan,
    validity,
    name: `${network} ${plan}, ${validity}`,
    code: `c-${id}`,
    planType: null,
  } as unknown as Product;
});

test.each([
  ["1001", null, 1001],
  ["1,001", null, 1001],
  ["1001.0", null, 1001],
  ["C-1002", null, 1002],
  ["mtn 2gb", null, 1002],
  ["MTN 1 GB SME 30days", null, 1001],
  ["1gb", "GLO", 1004],
  ["1GB 7 days", null, 1003],
])("the product %j of the network %s is %i", (cell, network, id) => {
  expect(Number(productFinder(sold)(cell, network).value)).toBe(id);
});

test("a product's name that fits several is asked about with their numbers, one that fits none with what a number is", () => {
  const find = productFinder(sold);
  expect(find("mtn 1gb", "MTN")).toEqual({
    value: null,
    fault: "“mtn 1gb” fits 2 products. Use a number: 1001 MTN 1GB SME, 30 days, 1003 MTN 1GB Gifting, 7 days",
  });
  expect(find("MTN 9GB", "MTN")).toEqual({
    value: null,
    fault: expect.stringMatching(/^We don’t sell “MTN 9GB”.*1001/),
  });
});

const noPause = { linesMax: 10_000, pause: async () => {} };
const fieldsOf = async (text: string, category: typeof airtime | typeof data = airtime) =>
  (await readList(text, category, noPause)).lines.map(({ number, fields }) => [
    ...[number, fields.phone, fields.value, fields.network],
  ]);

test.each([
  ["commas and quotes", '"08031234301","1,500"', ["08031234301", "1,500", ""]],
  ["semicolons", "08031234301;1,500", ["08031234301", "1,500", ""]],
  ["tabs", "08031234301\t1,500", ["08031234301", "1,500", ""]],
  ["a mark before the list, and blanks", "\uFEFF 08031234301\u00A0, 500 ", ["08031234301", "500", ""]],
  ["a chat's line", "08031234301 - 500", ["08031234301", "500", ""]],
  ["a network in the second column", "08031234301,MTN,500", ["08031234301", "500", "MTN"]],
  ["the amount first", "500,08031234301", ["08031234301", "500", ""]],
  ["text signs", '\'08031234301;="500"', ["08031234301", "500", ""]],
])("a list is read with %s", async (_name, text, fields) => {
  expect(await fieldsOf(text)).toEqual([[1, ...fields]]);
});

test.each([
  ["phone,amount", airtime],
  ["Phone No.,Amount (₦)", airtime],
  ["MSISDN,AIRTIME AMOUNT", airtime],
  ["Mobile_Number,value", airtime],
  ["GSM,Data Plan", data],
  ["Telephone,Product ID", data],
])("the header %j is one", async (header, category) => {
  expect(await fieldsOf(`${header}\n08031234301,500`, category)).toEqual([[2, "08031234301", "500", ""]]);
});

test("a first line with digits in its cells is a line, also where its words are those of a header", async () => {
  expect(await fieldsOf("Tel: 08031234301,500 naira")).toEqual([[1, "Tel: 08031234301", "500 naira", ""]]);
});

test("columns that nobody needs are left out and named, and a header without a value is asked about", async () => {
  const list = await readList("S/N,Name,Phone,Network,Amount\n1,Ada,08031234301,MTN,500", airtime, noPause);
  expect([list.lines[0]?.fields, list.notes]).toEqual([
    { phone: "08031234301", network: "MTN", value: "500", reference: "" },
    ["We didn’t use the columns “S/N”, “Name”."],
  ]);
  const unnamed = readList("Phone,Name\n08031234301,Ada", airtime, noPause);
  await expect(unnamed).rejects.toThrow(/which column has the amount/);
});

test("a correction changes its own cells and no other, whatever the separator", async () => {
  const typed = "sep=|\nName|Phone|Amount\nAda|0803|5\nObi|08031234302|100\nUche|08031234303|100";
  const list = await readList(typed, airtime, noPause);
  const text = correctedText(
    list,
    formOf([
      ["phone-3", "08031234301"],
      ["value-3", "1|500"],
      ["value-4", ""],
      ["leave", "5"],
    ]),
  );
  expect(text).toBe('sep=|\nName|Phone|Amount\nAda|08031234301|"1|500"\n\n');
});

test.each([
  [
    "cells between quotes with commas and quotes in them",
    '"08031234301" , "1,500" ,"a ""b"""',
    ["08031234301", "1,500", 'a "b"'],
  ],
  ["a quote without its other one", '08031234301,"500', ["08031234301", '"500', ""]],
  ["more behind a closing quote", '08031234301,"500" x', ["08031234301", '"500" x', ""]],
])("a row keeps %s", async (_name, row, [phone, value, reference]) => {
  const [line] = (await readList(row, airtime, noPause)).lines;
  expect(line?.fields).toEqual({ phone, value, network: "", reference });
});

test("more lines than an order has are refused before a cell of them is read", async () => {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const list = readList('"a\n'.repeat(10_001), airtime, { linesMax: 10_000, pause });
  await expect(list).rejects.toMatchObject({ code: "TOO_MANY_ITEMS" });
  expect(pauses).toBe(0);
  await readList("08031234301,500\n".repeat(10_000), airtime, { linesMax: 10_000, pause });
  expect(pauses).toBeGreaterThan(20);
});

// By their square, as they once took it, the shortest of these would take minutes.
test.each([" ", '"', ",", "\t", " ,", '""', '"",', "08031234301 ", "\r\n", '="', "1,111"])(
  "a mebibyte of %j is read in a moment",
  async (unit) => {
    await readList(unit.repeat(1_048_576 / unit.length), airtime, noPause).catch(() => null);
  },
  5_000,
);

test("a line whose phone or amount is missing stays, with what was written into its other box", async () => {
  const list = await readList("phone,amount\n,100\n08031234302,\n08031234303,", airtime, noPause);
  const boxes = { "phone-2": "", "phone-3": "0803123430", "value-3": "", "value-4": "" };
  expect(correctedText(list, formOf(Object.entries(boxes)))).toBe("phone,amount\n,100\n0803123430,\n08031234303,");
});
