import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { sharedConsole } from "../support/shared-console.ts";

const one = "08031112222";

const service = await sharedConsole();
const shop = await service.app.createMerchant({ testCredit: kobo(1_000_000_000n) });
const viewer = await service.member("viewer", shop.id);
for (const [reference, lines] of [
  ["order-1", 60],
  ["order-2", 10_000],
] as const) {
  const phones = Array.from({ length: lines }, (_, at) => `0803${String(1_000_000 + at * 7).padStart(7, "0")}`);
  const body = { reference, network: "MTN", amount: "50", phones };
  const ordered = await service.app.call(shop.testKey, "/airtime/bulk", { body });
  expect(ordered.status, JSON.stringify(ordered.body)).toBeLessThan(300);
}

const next = /rel="next"/;
const hint = "Choose a period to see older sales.";

test("the list is paged ten thousand rows down, and says then how older ones are reached", async () => {
  const before = await viewer.get("/test/transactions?page=199");
  expect(before.text).toContain("9,901–9,950 of 10,060");
  expect(before.text).toMatch(next);
  expect(before.text).not.toContain(hint);
  const last = await viewer.get("/test/transactions?page=200");
  expect(last.text).toContain("9,951–10,000 of 10,060");
  expect(last.text).not.toMatch(next);
  expect(last.text).toContain(hint);
});

test("a list that ends there says nothing of older ones", async () => {
  const { text } = await viewer.get("/test/transactions?bulk=order-2&page=200");
  expect(text).toContain("9,951–10,000 of 10,000");
  expect(text).not.toContain(hint);
});

test("a customer's purchases are counted as far as they are listed, and the file has them all", async () => {
  const owner = await service.member("owner", shop.id);
  await service.app.fresh.pool.query(
    "update purchases set customer_ref = $2, phone = $2 where abs(wallet_id) = $1 and bulk_reference is not null",
    [shop.id, one],
  );
  const first = await owner.get(`/test/transactions?q=${one}`);
  expect(first.text).toContain("1–50 of 10,000+");
  expect(first.text).toContain("10,000+ sales match");
  expect(first.text).toContain("Download CSV (all)");
  const last = await owner.get(`/test/transactions?q=${one}&page=200`);
  expect(last.text).toContain("9,951–10,000 of 10,000+");
  expect(last.text).not.toMatch(next);
  expect(last.text).toContain(hint);
  const file = await owner.get(`/test/transactions.csv?q=${one}`);
  expect(file.text.trimEnd().split("\r\n")).toHaveLength(1 + 10_060);
});

test("transactions of one bulk order stay those when another filter is chosen", async () => {
  const { text } = await viewer.get("/test/transactions?bulk=order-1");
  expect(text).toMatch(/<input id="filter-bulk" name="bulk" type="text" value="order-1"/);
  expect((await viewer.get("/test/transactions")).text).not.toContain('name="bulk"');
});
