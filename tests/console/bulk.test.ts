import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { formOf, submit } from "../support/forms.ts";

const service = closing(await startConsole());
const shop = await service.app.createMerchant({ testCredit: kobo(1_000_000_000_00n) });
const finance = await service.member("finance", shop.id);

const startForm = /\/bulk\/start\/[\w.:-]+$/;

async function checked(lines: string, category = "airtime", reference = "") {
  const form = formOf(await finance.get("/test/bulk/new"), "/bulk/check");
  return submit(finance, form, { category, lines, reference });
}

async function balance(): Promise<bigint> {
  const { rows } = await service.app.fresh.pool.query("select balance from wallets where wallet_id = -$1::integer", [
    finance.merchantId,
  ]);
  return BigInt(rows[0].balance);
}

test("a pasted list is priced, started once however often it is sent, and its results can be taken away", async () => {
  const before = await balance();
  const check = await checked(
    "phone;amount;reference\n08031234567;1,000.00;mine-1\n08051234567;200;\n",
    "airtime",
    "friday",
  );
  const form = formOf(check, startForm);
  expect([check.status, form.action]).toEqual([200, "/test/bulk/start/friday"]);
  expect(await balance()).toBe(before);

  const [started, clicked] = await Promise.all([submit(finance, form), submit(finance, form)]);
  const anew = formOf(
    await checked("phone;amount;reference\n08031234567;1,000.00;mine-1\n08051234567;200;\n", "airtime", "friday"),
    startForm,
  );
  const again = await submit(finance, anew);
  for (const answer of [started, clicked, again]) expect(answer.location).toBe("/test/bulk/friday");
  const { rows } = await service.app.fresh.pool.query(
    "select reference, channel, status, total::text as total from purchases where bulk_reference = 'friday' order by bulk_line",
  );
  expect(rows).toMatchObject([
    { reference: "mine-1", channel: "bulk", status: "successful" },
    { reference: "friday-2", channel: "bulk", status: "successful" },
  ]);
  expect(before - (await balance())).toBe(rows.reduce((sum, { total }) => sum + BigInt(total), 0n));

  const page = await finance.get("/test/bulk/friday");
  expect([
    page.status,
    page.text.includes("2 of 2 lines are over"),
    page.text.includes("/test/transactions/mine-1"),
  ]).toEqual([200, true, true]);
  const file = await finance.get("/test/bulk/friday/results.csv");
  expect(file.text.split("\n")).toHaveLength(4);
  expect(file.text).toContain("1,08031234567,2001,");
  expect((await finance.get("/test/bulk")).text).toContain("/test/bulk/friday");
  expect((await finance.get("/test/bulk?q=friday")).location).toBe("/test/bulk/friday");
});

test("wrong lines are told by their number and corrected where they stand; right ones travel along", async () => {
  const check = await checked("08031234567,100\n0803,100\n08051234567,abc\n08071234567,300");
  expect(check.status).toBe(400);
  const form = formOf(check, "/bulk/check");
  expect(Object.keys(form.fields).filter((name) => name.startsWith("line-"))).toEqual(["line-2", "line-3"]);
  expect(form.fields["line-2"]).toBe("0803,100");
  expect(check.text).toContain('id="line-2-error"');
  const better = await submit(finance, form, { "line-2": "08031234568,150" });
  const next = formOf(better, "/bulk/check");
  expect(Object.keys(next.fields).filter((name) => name.startsWith("line-"))).toEqual(["line-3"]);
  // Emptied, it is left out.
  const right = formOf(await submit(finance, next, { "line-3": "" }), startForm);
  const started = await submit(finance, right);
  expect(started.status).toBe(303);
  const { rows } = await service.app.fresh.pool.query(
    "select customer_ref from purchases where bulk_reference = $1 order by bulk_line",
    [right.action.split("/").at(-1)],
  );
  expect(rows.map((row) => row.customer_ref)).toEqual(["08031234567", "08031234568", "08071234567"]);
});

test("data is named by a product's number, code or name, and what is not on offer is told", async () => {
  const snapshot = await service.app.services.catalogue.current();
  const plan = snapshot.products.find(({ id }) => Number(id) === 1002);
  const check = await checked(`08031234567,1002\n08031234568,${plan?.code}\n08031234569,no such plan`, "data");
  const form = formOf(check, "/bulk/check");
  expect(Object.keys(form.fields).filter((name) => name.startsWith("line-"))).toEqual(["line-3"]);
});

test("ten thousand lines are checked and bought", { timeout: 60_000 }, async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `0803${String(1_000_000 + index)},50`).join("\n");
  const check = await checked(lines);
  const form = formOf(check, startForm);
  expect(check.text.match(/<td>08\d{9}<\/td>/g)).toHaveLength(10_000);
  expect(check.text.length).toBeLessThan(2_000_000);
  const started = await submit(finance, form);
  expect(started.status).toBe(303);
  const page = await finance.get(started.location ?? "");
  expect(page.text).toContain("10,000");
  const file = await finance.get(`${started.location}/results.csv`);
  expect(file.text.trimEnd().split("\n")).toHaveLength(10_001);
  expect((await checked(`${lines}\n08031234567,50`)).text).toContain("at most 10000 lines");
});

test("an order that the wallet can't pay is told, with its lines kept", async () => {
  const poor = await service.app.createMerchant();
  const owner = await service.member("owner", poor.id);
  const form = formOf(await owner.get("/test/bulk/new"), "/bulk/check");
  const lines = Array.from({ length: 30 }, (_, index) => `0803${1_000_000 + index},5000`).join("\n");
  const check = await submit(owner, form, { category: "airtime", lines });
  expect(check.text).toContain("too little");
  const refused = await submit(owner, formOf(check, startForm));
  expect([refused.status, refused.text.includes("Nothing was charged")]).toEqual([409, true]);
  expect(formOf(refused, startForm).fields.lines).toBe(lines);
});

test("stored markup stays text, and a list without lines is asked for again with what was typed", async () => {
  const check = await checked("<img src=x onerror=alert(1)>,100");
  expect(check.text).not.toContain("<img src=x");
  const empty = await finance.send("/test/bulk/check", { category: "data", lines: " ", reference: "kept" });
  expect([empty.status, formOf(empty, "/bulk/check").fields.reference]).toEqual([400, "kept"]);
});

test("another merchant's order is not found, and a viewer neither sees nor starts one", async () => {
  await submit(finance, formOf(await checked("08031234567,100", "airtime", "secret"), startForm));
  const other = await service.app.createMerchant();
  const stranger = await service.member("owner", other.id);
  for (const path of ["/test/bulk/secret", "/test/bulk/secret/results.csv"]) {
    expect((await stranger.get(path)).status).toBe(404);
  }
  const viewer = await service.member("viewer", finance.merchantId);
  expect((await viewer.get("/test/bulk/secret")).status).toBe(403);
  expect((await viewer.send("/test/bulk/start/other", { category: "airtime", lines: "08031234567,100" })).status).toBe(
    403,
  );
});

test.each([
  [
    "a comma as Excel writes decimals",
    "08031234567;100,00",
    "“100,00” isn't read as an amount: write 100.00 or 10,000",
  ],
  ["one decimal after a comma", "08031234567;50,5", "write 50.5 or 505"],
  ["commas between other groups", 'phone,amount\n08031234567,"1,00,000"', "“1,00,000” isn't read as an amount"],
  ["a point between thousands", "08031234567;1.500", "“1.500” isn't read as an amount"],
  ["an amount that a spreadsheet shortened", "08031234567;1E+03", "“1E+03” isn't read as an amount"],
])("%s is never read a hundredfold: the line is refused with what stands there", async (_name, lines, sentence) => {
  const check = await checked(lines);
  expect([check.status, check.text]).toEqual([400, expect.stringContaining(sentence)]);
  expect(check.text).not.toMatch(/\/bulk\/start\//);
});

test.each([
  ["08031234567,1,500", "1,500"],
  ["08031234567,100,00", "100,00"],
  ["08031234567;1;500\n08031234568;2;000", "1;500"],
  ["08031234567\t1\t500.00", "1 500.00"],
])("a list without a heading whose amounts a separator split is refused as a whole: %j", async (lines, shown) => {
  const check = await checked(lines);
  expect([check.status, check.text]).toEqual([400, expect.stringContaining(`Line 1: “${shown}”`)]);
  expect(formOf(check, "/bulk/check").fields.lines).toBe(lines);
});

test("amounts as people write them are charged as they stand, and a heading tells a reference from a split amount", async () => {
  const lines =
    'phone,amount,reference\n08031234567,"₦1,500.00",101\n08051234567, NGN 200 ,102\n08071234567,150.00,103';
  const started = await submit(finance, formOf(await checked(lines, "airtime", "as-written"), startForm));
  expect(started.status).toBe(303);
  const { rows } = await service.app.fresh.pool.query(
    "select amount::text from bulk_orders where reference = 'as-written'",
  );
  expect(rows).toEqual([{ amount: "185000" }]);
});

/** The rows of the check: line, number, product, amount, price and verdict. */
function rowsOf({ text }: { readonly text: string }): readonly string[][] {
  return [...text.matchAll(/<tr>((?:<td>.*?<\/td>)+)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = ""]) => cell),
  );
}

test("the check shows every line with number, product and amount, wrong ones first, then numbers that stand twice", async () => {
  const check = await checked(
    "08031234001,100\n+234 803 123 4002,1,000\n08031234001,200\n0803,50".replace(",1,000", ',"1,000"'),
  );
  const rows = rowsOf(check).map(([line, number, , amount, , verdict]) => [line, number, amount, verdict]);
  expect(rows).toEqual([
    ["4", "0803", "50", "Wrong"],
    ["3", "08031234001", "₦200.00", "Same number as line 1"],
    ["1", "08031234001", "₦100.00", "Ready"],
    ["2", "08031234002", "₦1,000.00", "Ready"],
  ]);
  expect(rowsOf(check)[2]?.[2]).toMatch(/MTN/);
  expect(check.text).toContain("phone: Must be a Nigerian mobile number");
});

test("numbers that stand twice are bought once they are confirmed, and not before", async () => {
  const before = await balance();
  const form = formOf(await checked("08031234101,100\n08031234102,100\n08031234101,200"), startForm);
  const refused = await submit(finance, form);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("in the list more than once: 1")]);
  expect(await balance()).toBe(before);
  expect((await submit(finance, formOf(refused, startForm), { twice: "on" })).status).toBe(303);
});

test("a list equal to one of the last day is bought once that is confirmed, however it is written", async () => {
  const bought = async (lines: string, reference: string, more = {}) =>
    submit(finance, formOf(await checked(lines, "airtime", reference), startForm), more);
  expect((await bought("08031234201,111\n08051234202,222", "first-of-day")).status).toBe(303);
  const same = "phone;amount;reference\n+2348051234202;222.00;a-1\n8031234201;₦111;a-2";
  const refused = await bought(same, "second");
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("order first-of-day of the last 24 hours"),
  ]);
  expect((await bought(same, "second", { again: "on", alike: "another" })).status).toBe(409);
  expect((await bought(same, "second", { again: "on" })).status).toBe(303);
  // Other lines that cost as much together, and the same ones of the day before, need no tick.
  expect((await bought("08031234201,222\n08051234202,111", "swapped")).status).toBe(303);
  await service.app.fresh.pool.query(
    "update bulk_orders set id = id - (25 * 3600000::bigint << 22) where reference in ('first-of-day', 'second')",
  );
  expect((await bought("08031234201,111\n08051234202,222", "next-day")).status).toBe(303);
});

test("what a spreadsheet did to a phone number is undone where one reading is left, and named where none is", async () => {
  const written = [
    "8031234301",
    "'08031234302",
    '="08031234303"',
    "\u200E0803\u00A01234\u2013304\u200B",
    "2348031234305.0",
    "08031234306",
  ];
  const check = await checked(`sep=;\n${written.map((phone) => `${phone};50`).join("\n")};;\n;;\n`);
  expect(rowsOf(check).map(([, number]) => number)).toEqual([1, 2, 3, 4, 5, 6].map((last) => `0803123430${last}`));
  const shortened = await checked("8.03E+09;50\n2,34803E+12;50");
  expect(shortened.text).toContain("“8.03E+09” was shortened. A spreadsheet keeps 15 digits");
  expect(Object.keys(formOf(shortened, "/bulk/check").fields)).toEqual(expect.arrayContaining(["line-1", "line-2"]));
});

test.each([
  ["an Excel workbook (xlsx)", "PK\u0003\u0004\u0014\u0000\u0006[Content_Types].xml"],
  ["text in UTF-16", "\uFFFD\uFFFD0\u00008\u00000\u0000"],
  ["text in UTF-16", "0\u00008\u00000\u0000"],
])("a list that is %s is refused by name", async (what, lines) => {
  const check = await checked(lines);
  expect([check.status, check.text]).toEqual([400, expect.stringContaining(`This is ${what}, no list`)]);
});
