import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { type MemberClient, startConsole } from "../support/console.ts";
import { operate } from "../support/operate.ts";

const phone = "08031234567";
/** References that look like numbers, amounts or days, and what each was bought for. */
const sales = {
  "1764192345": "08039990011",
  "2026-11-26-0042": "08039990012",
  "5000.00": "08039990013",
  [phone]: "08039990014",
  "order-1": phone,
  "order-2": phone,
  "order-3": "08067774321",
};

const service = closing(await startConsole());
const shop = await service.app.createMerchant({ testCredit: kobo(1_000_000_000n) });
const owner = await service.member("owner", shop.id);
const viewer = await service.member("viewer", shop.id);
const key = shop.testKey;
for (const [reference, number] of Object.entries(sales)) {
  const body = { reference, product_id: 1002, phone: number };
  expect((await service.app.call(key, "/data/purchase", { body })).body.status).toBe("successful");
}
const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45019876543", amount: 5_000, phone };
await service.app.call(key, "/electricity/purchase", { body: { reference: "light", ...meter } });
const order = { product_id: 1002, phones: ["08055550011", "08055550012"] };
for (const reference of ["20261126", "salaries"]) {
  const phones = order.phones.map((each) => each.replace("5555", reference === "salaries" ? "6666" : "5555"));
  const body = { ...order, reference, phones };
  expect((await service.app.call(key, "/data/bulk", { body })).status).toBeLessThan(300);
}

/** The references in the list's rows. */
function listed(page: string): string[] {
  const rows = page.split("<tr").filter((row) => row.includes("<td"));
  return rows.flatMap((row) => /<span class="id">([^<]*)<\/span>/.exec(row)?.[1] ?? []).toSorted();
}

const search = async (text: string, more = "") =>
  listed((await owner.get(`/test/transactions?q=${encodeURIComponent(text)}${more}`)).text);

const all = (...references: string[]) => references.toSorted();

test.each([
  ["a reference of ten digits", "1764192345", all("1764192345")],
  ["a reference that begins with a day", "2026-11-26-0042", all("2026-11-26-0042")],
  ["a reference like an amount", "5000.00", all("5000.00")],
  ["a number, beside the sale of that reference", phone, all(phone, "order-1", "order-2", "light")],
  ["a bulk order's reference", "salaries", all("salaries-1", "salaries-2")],
  ["a bulk order's reference of digits", "20261126", all("20261126-1", "20261126-2")],
  ["a line's own reference", "salaries-2", all("salaries-2")],
  ["the last four digits", "4321", all("order-3")],
  ["a part in the middle of a phone", "6777", all("order-3")],
  ["the first digits, as abroad", "+234 806 777", all("order-3")],
  ["a part of a meter", "9876", all("light")],
  ["a whole meter with blanks", "4501 9876 543", all("light")],
  ["three digits, which name nothing", "432", []],
  ["what nothing is called", "nobody", []],
])("the search box finds %s", async (_what, text, references) => {
  expect(await search(text)).toEqual(references);
  const file = await owner.get(`/test/transactions.csv?q=${encodeURIComponent(text)}`);
  const records = file.text.replace("\uFEFF", "").trimEnd().split("\r\n").slice(1);
  expect(records.map((record) => record.split(",")[1]).toSorted()).toEqual(references);
});

const spellings = [
  "+234 803 123 4567",
  "2348031234567",
  "0803-123 4567",
  "0803\u20111234567",
  " 0803 123\u00a04567 ",
  "\u200b0803\u202c1234567\ufeff",
  "(0803) 123-4567",
];

test.each(spellings)(
  "%j is read as the number that was bought for, by the page, the API and the command",
  async (text) => {
    // The sale of that very reference is meant by whoever typed that very text.
    const meant = (await search(text)).filter((reference) => reference !== phone);
    expect(meant).toEqual(all("order-1", "order-2", "light"));
    const calls = `/transactions?customer_ref=${encodeURIComponent(text)}`;
    const { transactions } = (await service.app.call(key, calls)).body;
    const found = transactions.map(({ reference }: { reference: string }) => reference).toSorted();
    expect(found).toEqual(all("order-1", "order-2"));
  },
);

test("the command reads a number as the page does", async () => {
  const environment = { DATABASE_URL: service.app.fresh.url };
  const { lines } = await operate(
    ["transactions", "--mode", "test", "--customer", "\u200b+234 803-123 4567", "--json"],
    environment,
  );
  expect(lines.map(({ reference }) => reference).toSorted()).toEqual(all("order-1", "order-2", "light"));
  const order = await operate(["transactions", "--mode", "test", "--reference", "salaries", "--json"], environment);
  expect(order.lines.map(({ reference }) => reference).toSorted()).toEqual(all("salaries-1", "salaries-2"));
});

test("a search goes on with the other filters, and says how far parts of numbers are looked for", async () => {
  expect(await search("4321", "&status=failed")).toEqual([]);
  expect(await search("4321", "&status=successful&category=data")).toEqual(["order-3"]);
  expect(await search(phone, "&category=electricity")).toEqual(["light"]);
  const part = (await owner.get("/test/transactions?q=4321")).text;
  expect(part).toContain("newest 20,000 sales");
  expect((await owner.get(`/test/transactions?q=${phone}`)).text).not.toContain("newest 20,000 sales");
});

test("amounts are a filter beside the others, and what nobody can read of one says so", async () => {
  const listOf = async (query: string) => listed((await owner.get(`/test/transactions?${query}`)).text);
  expect(await listOf("amount=1000-10000")).toEqual(["light"]);
  expect(await listOf("amount=1000-10000&category=data")).toEqual([]);
  expect(await listOf(`amount=-1000&q=${phone}`)).toEqual(all(phone, "order-1", "order-2"));
  const file = await owner.get("/test/transactions.csv?amount=1000-");
  expect(file.text.trimEnd().split("\r\n").slice(1)).toEqual([expect.stringContaining("light")]);
  expect((await owner.get("/test/transactions?amount=1000-10000")).text).toContain("newest 20,000 sales");
  expect((await owner.get("/test/transactions.csv?amount=lots")).status).toBe(400);
});

test("a bulk order's reference leads to the order for those who may see it", async () => {
  expect((await owner.get("/test/transactions?q=salaries")).text).toContain('href="/test/bulk/salaries"');
  expect((await viewer.get("/test/transactions?q=salaries")).text).not.toContain('href="/test/bulk/salaries"');
  expect((await owner.get("/test/search?q=salaries")).location).toBe("/test/bulk/salaries");
  const found = await viewer.get("/test/search?q=salaries");
  expect([found.status, listed(found.text)]).toEqual([200, all("salaries-1", "salaries-2")]);
  expect(found.text).not.toContain("/test/bulk/");
});

const find = (who: MemberClient, text: string, mode = "test", headers = {}) =>
  who.get(`/${mode}/search?q=${encodeURIComponent(text)}`, headers);

test.each([
  ["a sale's reference", "order-3", "/test/transactions/order-3"],
  ["the last four digits of a phone", "4321", "/test/transactions/order-3"],
  ["the last digits of a meter, with a blank", "876 543", "/test/transactions/light"],
  ["a page by its name", "prices", null],
  ["what is done there", "revoke", "/test/keys"],
  ["the same by another word", "allowlist", "/test/keys/addresses"],
  ["a product's number", "1002", "/test/buy/data?product=1002"],
])("one thing that is found is opened: %s", async (_what, text, path) => {
  const answer = await find(owner, text);
  if (path === null) expect(answer.text).toContain('href="/test/prices"');
  else expect(answer.location).toBe(path);
});

test("a transaction id is opened in its mode, and one of the other mode is found there", async () => {
  const { transaction_id: id } = (await service.app.call(key, "/transactions/order-3")).body;
  expect((await find(owner, id)).location).toBe("/test/transactions/order-3");
  expect((await find(owner, "order-3", "live")).location).toBe("/test/transactions/order-3");
});

test("several are listed, and the list under the box is never led on", async () => {
  const several = await find(owner, phone);
  expect(listed(several.text)).toEqual(all(phone, "order-1", "order-2", "light"));
  const part = await find(owner, "4321", "test", { "x-fragment": "true" });
  expect([part.status, part.text.includes('id="found"'), listed(part.text)]).toEqual([200, true, ["order-3"]]);
});

test("a delivery is found by its id, by those who see deliveries", async () => {
  const { body } = await service.app.call(key, "/webhook", {
    method: "PUT",
    body: { url: "https://shop.example/hook" },
  });
  expect(body.url).toContain("https://shop.example/hook");
  const sent = await service.app.call(key, "/webhook/test", { method: "POST" });
  const id = sent.body.delivery_id;
  expect((await find(owner, id)).location).toBe(`/test/webhooks/deliveries/${id}`);
  expect((await find(viewer, id)).text).toContain("Nothing matches");
});

test("what the role may not do is not found", async () => {
  for (const text of ["revoke", "statement", "bulk order", "invite"]) {
    expect([text, (await find(viewer, text)).text.includes("Nothing matches")]).toEqual([text, true]);
    expect([text, (await find(owner, text)).status < 400]).toEqual([text, true]);
  }
});

test("another merchant's sales, orders, customers and deliveries are not found", async () => {
  const kept = { label: "Mama Tolu", category: "airtime", customer_ref: "08039990099" };
  expect((await service.app.call(key, "/beneficiaries", { body: kept })).status).toBe(201);
  expect((await find(owner, "mama")).location).toMatch(/^\/test\/buy\/airtime\?.*08039990099/);
  const stranger = await service.member("owner", (await service.app.createMerchant()).id);
  for (const text of ["order-3", "4321", phone, "salaries", "mama", "mama tolu"]) {
    expect([text, (await find(stranger, text)).text.includes("Nothing matches")]).toEqual([text, true]);
  }
});

test("what is typed and what is stored stay text", async () => {
  const kept = { label: "<b>Tolu</b>", category: "airtime", customer_ref: "08039990098" };
  expect((await service.app.call(key, "/beneficiaries", { body: kept })).status).toBe(201);
  const found = await find(owner, "tolu");
  expect(found.text).toContain("&lt;b>Tolu&lt;/b>");
  const typed = await find(owner, '"><script>x</script>');
  expect(typed.text).not.toContain("<script>x");
  expect(typed.text).toContain("Nothing matches");
});
