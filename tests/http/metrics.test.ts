import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent } from "../support/fake-supplier.ts";

// What a person on call asks first, as /metrics tells it.

const supplier = openFakeSupplier("first");

const app = closing(await startApp({ suppliers: [supplier] }));

const buy = (key: string | null, reference: string, phone = "08031234567") =>
  app.call(key, "/data/purchase", { body: { reference, product_id: 1002, phone } });

/** The figure of a series, by its name and each of its labels; 0 where there is none. */
function figure(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const needed = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split("\n")
    .find((each) => /^[a-z_]+/.exec(each)?.[0] === name && needed.every((label) => each.includes(label)));
  return Number(line?.split(" ").at(-1) ?? 0);
}

const read = async () => (await fetch(`${app.url}/metrics`)).text();

test("purchases are counted by what they came to, their category and their mode", async () => {
  const { testKey, liveKey } = app.merchant;
  await buy(testKey, "vended");
  await buy(testKey, "vended");
  await buy(testKey, "declined", "08031230002");
  await buy(testKey, "refused", "not a phone");
  supplier.answer = silent;
  await buy(liveKey, "silent");
  const before = { category: "data", mode: "test" };
  const { liveKey: poorKey } = await app.createMerchant({ credit: null });
  expect((await buy(poorKey, "poor")).status).toBe(402);
  const text = await read();
  const count = (outcome: string, labels: object = before) =>
    figure(text, "dispense_purchases_total", { outcome, ...labels });
  expect(["successful", "replayed", "failed"].map((outcome) => count(outcome))).toEqual([1, 1, 1]);
  expect(count("pending", { mode: "live" })).toBe(1);
  expect(count("refused", { mode: "live" })).toBe(1);
  expect(figure(text, "dispense_purchases_ended_total", { outcome: "failed", ...before })).toBe(1);
  expect(figure(text, "dispense_purchases_ended_total", { outcome: "successful", ...before })).toBe(0);
});

test("what suppliers answer is measured by supplier, question and outcome", async () => {
  const text = await read();
  const labels = { supplier: "first", question: "vend", outcome: "unknown" };
  expect(figure(text, "dispense_supplier_answer_seconds_count", labels)).toBe(1);
  expect(figure(text, "dispense_supplier_answer_seconds_bucket", { ...labels, le: "+Inf" })).toBe(1);
});

test("answers are measured by method, route and status, and a route stands as it is registered", async () => {
  await app.call(app.merchant.testKey, "/transactions/vended");
  const text = await read();
  const route = "/api/v1/merchant/transactions/:reference";
  expect(figure(text, "dispense_http_seconds_count", { method: "GET", route, status: "200" })).toBe(1);
  expect(figure(text, "dispense_http_seconds_sum", { method: "GET", route, status: "200" })).toBeGreaterThan(0);
  expect(text).not.toContain("transactions/vended");
});

test("batches are measured by what they do, and connections by pool and state", async () => {
  const text = await read();
  for (const batch of ["accept", "settle", "find"]) {
    expect([batch, figure(text, "dispense_batch_size_count", { batch })]).toEqual([batch, expect.any(Number)]);
    expect(figure(text, "dispense_batch_size_count", { batch })).toBeGreaterThan(0);
  }
  for (const pool of ["ordinary", "batched"]) {
    expect(text).toMatch(new RegExp(`dispense_database_connections\\{pool="${pool}",state="idle"\\} \\d`));
    expect(figure(text, "dispense_database_waiting", { pool })).toBe(0);
  }
});

test("no label names a merchant, a customer or a reference", async () => {
  const text = await read();
  expect(text).not.toMatch(/merchant_?id|customer|reference="|08031|mer_/i);
});

test("what is pending and due is told by step", async () => {
  const stop = app.services.startWatching();
  await expect.poll(read).toMatch(/^dispense_in_review \d/m);
  await app.fresh.pool.query("update inflight set due_at = now() - interval '1 s'");
  await stop();
  const again = app.services.startWatching();
  const due = async () => figure(await read(), "dispense_pending_due", { step: "requery" });
  await expect.poll(due).toBe(1);
  expect(figure(await read(), "dispense_pending", { step: "requery" })).toBe(1);
  await again();
});
