import { expect, test } from "vitest";
import { boxesIn, rowsOf, startBulk, startForm } from "../support/bulk-by-hand.ts";
import { closing } from "../support/closing.ts";
import { formOf, submit } from "../support/forms.ts";

const { service, finance, checked, phonesOf } = closing(await startBulk());

test("a wrong cell is corrected in its row, a cleared one leaves its line out, and right lines travel along", async () => {
  const check = await checked("08031234567,100\n0803,100\n08051234567,abc\n08071234567,300");
  expect([check.status, boxesIn(check)]).toEqual([400, ["phone-2", "value-3"]]);
  const form = formOf(check, "/bulk/check");
  expect([form.fields["phone-2"], form.fields["value-3"]]).toEqual(["0803", "abc"]);
  expect(check.text).toContain('id="phone-2-error">4 digits. A Nigerian mobile number has 11.');
  const better = await submit(finance, form, { "phone-2": "08031234568" });
  expect(boxesIn(better)).toEqual(["value-3"]);
  const right = formOf(await submit(finance, formOf(better, "/bulk/check"), { "value-3": "" }), startForm);
  const started = await submit(finance, right);
  expect(started.status).toBe(303);
  expect(await phonesOf(right.action.split("/").at(-1))).toEqual(["08031234567", "08031234568", "08071234567"]);
});

test("a line without phone or amount is left out by its button alone: checked again or paid at once, it is still there", async () => {
  const list = "phone,amount\n08031238801,100\n,100\n08031238803,\n0803123880O,200";
  const check = await checked(list, "airtime", "missing-cells");
  expect(boxesIn(check)).toEqual(["phone-3", "value-4", "phone-5"]);
  const again = await submit(finance, formOf(check, "/bulk/check"));
  expect(boxesIn(again)).toEqual(["phone-3", "value-4", "phone-5"]);
  expect(formOf(again, "/bulk/check").fields["phone-5"]).toBe("0803123880O");
  const left = await submit(finance, formOf(again, "/bulk/check"), { leave: "3" });
  expect(boxesIn(left)).toEqual(["value-4", "phone-5"]);
  const started = await submit(finance, formOf(again, startForm));
  expect([started.status, started.text]).toEqual([200, expect.stringContaining("3 lines left over")]);
  expect(formOf(started, "/bulk/check").fields.lines).toBe("phone,amount\n,100\n08031238803,\n0803123880O,200");
  expect(await phonesOf("missing-cells")).toEqual(["08031238801"]);
});

test("the list that was just ordered leads to its order where its form comes back, and to no other order", async () => {
  const form = formOf(await finance.get("/test/bulk/new"), "/bulk/check");
  const typed = { category: "airtime", lines: "08031238901,100", reference: "" };
  const order = formOf(await submit(finance, form, typed), startForm);
  expect((await submit(finance, order)).status).toBe(303);
  const back = await submit(finance, form, typed);
  expect([back.status, back.location]).toEqual([303, order.action.replace("start/", "")]);
});

test("a right line is opened, changed and left out by its buttons", async () => {
  const form = formOf(await checked("08031239101,100\n08031239102,100"), "/bulk/check");
  const opened = await submit(finance, form, { edit: "2" });
  expect([opened.status, boxesIn(opened)]).toEqual([200, ["phone-2", "value-2"]]);
  const changed = await submit(finance, formOf(opened, "/bulk/check"), { "value-2": "1,500" });
  expect(rowsOf(changed).map(([line, number]) => [line, number])).toEqual([
    ["1", "0803 123 9101"],
    ["2", "0803 123 9102"],
  ]);
  const left = await submit(finance, formOf(changed, "/bulk/check"), { leave: "1" });
  expect(rowsOf(left).map(([line, , product]) => [line, product])).toEqual([["2", expect.stringContaining("₦1,500")]]);
});

test("a wrong product that many lines have is put right once", async () => {
  const lines = [1, 2, 3].map((last) => `0803123920${last},MTN 9000GB`).join("\n");
  const form = formOf(await checked(`${lines}\n08031239204,1002`, "data"), "/bulk/check");
  const mended = await submit(finance, form, { "value-1": "1002" });
  expect([mended.status, rowsOf(mended).length]).toEqual([200, 4]);
  const alone = await submit(finance, form, { "value-1": "1002", all: "" });
  expect([alone.status, boxesIn(alone)]).toEqual([400, ["value-2", "value-3"]]);
});

test("data is named by a product's number, code or name, and what is not on offer is told", async () => {
  const snapshot = await service.app.services.catalogue.current();
  const plan = snapshot.products.find(({ id }) => Number(id) === 1002);
  const check = await checked(`08031234567,1002\n08031234568,${plan?.code}\n08031234569,no such plan`, "data");
  expect([boxesIn(check), check.text]).toEqual([
    ["value-3"],
    expect.stringContaining("We don’t sell “no such plan”. Use the product number"),
  ]);
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
    'phone,amount,reference\n08031234591,"₦1,500.00",101\n08051234592, NGN 200 ,102\n08071234593,150.00,103';
  const started = await submit(finance, formOf(await checked(lines, "airtime", "as-written"), startForm));
  expect(started.status).toBe(303);
  const { rows } = await service.app.fresh.pool.query(
    "select amount::text from bulk_orders where reference = 'as-written'",
  );
  expect(rows).toEqual([{ amount: "185000" }]);
});

/** Sends the new order's form as a browser does whose person chose a file. */
async function upload(content: Uint8Array | string, fields: Readonly<Record<string, string>> = {}) {
  const { fields: shown, action } = formOf(await finance.get("/test/bulk/new"), "/bulk/check");
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...shown, category: "airtime", ...fields })) body.set(name, value);
  body.set("file", new Blob([content as BlobPart]), "payday.csv");
  const cookie = [...finance.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: service.url, "sec-fetch-site": "same-origin" };
  const answer = await fetch(`${service.url}${action}`, { method: "POST", body, headers, redirect: "manual" });
  return { status: answer.status, headers: answer.headers, text: await answer.text(), location: null };
}

test.each([
  [
    "UTF-8 with a mark",
    Buffer.from("\uFEFFPhone No.;Amount (₦);Customer’s name\n08031235001;500;Ada\n08051235002;200;Obi\n"),
  ],
  [
    "UTF-16, as Excel's “Unicode text” is",
    Buffer.from("\uFEFFPhone\tAmount\n08031235001\t500\n08051235002\t200\n", "utf16le"),
  ],
  [
    "the code page of Windows",
    Buffer.from("GSM,Name,Amount\n08031235001,Ren\xe9,500\n08051235002,Obi,200\n", "latin1"),
  ],
])("a file is read without a script: %s", async (_name, content) => {
  const check = await upload(content);
  expect([check.status, check.text.includes("payday.csv: 2 lines")]).toEqual([200, true]);
  expect(rowsOf(check).map(([, number]) => number)).toEqual(["0803 123 5001", "0805 123 5002"]);
});

test("a file that is no list, or comes with pasted lines, is asked for again with what can be kept", async () => {
  const workbook = await upload("PK\u0003\u0004\u0014\u0000\u0006[Content_Types].xml");
  expect([workbook.status, workbook.text]).toEqual([400, expect.stringContaining("This is an Excel workbook (xlsx)")]);
  const both = await upload("08031235001,500", { lines: "08031235002,200" });
  expect([both.status, formOf(both, "/bulk/check").fields.lines]).toEqual([400, "08031235002,200"]);
  const long = await upload("08031235001,50\n".repeat(10_001));
  expect([long.status, formOf(long, "/bulk/check").fields.lines?.length]).toEqual([400, 15 * 10_001]);
});

test("the template's examples are refused where they were left in, and its columns are read", async () => {
  for (const category of ["airtime", "data"]) {
    const file = await finance.get(`/test/bulk/new/${category}/template.csv`);
    expect(file.headers.get("content-disposition")).toContain(`${category}-template.csv`);
    const [header, ...examples] = file.text.trim().split(/\r\n/);
    const check = await checked(
      [header, ...examples, examples[0]?.replace("EXAMPLE 08031234567", "08031236001")].join("\n"),
      category,
    );
    expect([check.status, boxesIn(check)]).toEqual([400, ["line-2", "line-3"]]);
    expect(rowsOf(check).at(-1)?.[1]).toBe("0803 123 6001");
  }
  expect((await finance.get("/test/bulk/new/electricity/template.csv")).status).toBe(404);
});

test.each([
  ["an Excel workbook (xlsx)", "PK\u0003\u0004\u0014\u0000\u0006[Content_Types].xml"],
  ["text in UTF-16", "\uFFFD\uFFFD0\u00008\u00000\u0000"],
  ["text in UTF-16", "0\u00008\u00000\u0000"],
])("a list that is %s is refused by name", async (what, lines) => {
  const check = await checked(lines);
  expect([check.status, check.text]).toEqual([400, expect.stringContaining(`This is ${what}.`)]);
});
