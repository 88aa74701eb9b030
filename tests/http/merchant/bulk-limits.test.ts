import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { startApp } from "../../support/app.ts";
import { expectOrder, expectRefusedOrder, phones } from "../../support/bulk-orders.ts";
import { closing } from "../../support/closing.ts";
import { stockedDatabase } from "../../support/database.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const plan = 1002;
const bulkLimits = { lines: 10_000, bytes: 5_000_000 };

const database = await stockedDatabase();
// What a merchant's bulk orders may bring in a minute, over two processes, and how large bodies are read.
const app = closing(await startApp({ database, bulkLimits }));
const other = closing(await startApp({ database, bulkLimits }));

const merchantKey = async () => (await app.createMerchant({ testCredit: kobo(10_000_000_000n) })).testKey;
const order = (reference: string, lines: number, more: object = {}) => ({
  body: { reference, product_id: plan, phones: phones(lines), ...more },
});
/** What is counted of a minute is gone with it: what fell into two is done again, by another merchant. */
async function inOneMinute(work: (key: string) => Promise<void>): Promise<void> {
  const minuteNow = () => Math.floor(Date.now() / 60_000);
  for (;;) {
    const minute = minuteNow();
    const failure = await work(await merchantKey()).catch((error: unknown) => ({ error }));
    if (failure === undefined) return;
    if (minuteNow() === minute) throw failure.error;
  }
}

describe("429", () => {
  test("lines beyond the budget are refused by whichever process they reach, and nothing is placed", () =>
    inOneMinute(async (key) => {
      expectOrder(await app.call(key, "/data/bulk", order("first", 6_000)), 201, 6_000);
      const meta = { limit: "lines", max_lines: 10_000 };
      const refused = await other.call(key, "/data/bulk", order("second", 4_001));
      expectProblem(refused, 429, "RATE_LIMITED", { meta });
      expectProblem(await app.call(key, "/bulk/second"), 404, "BULK_NOT_FOUND");
      expectOrder(await other.call(key, "/data/bulk", order("second", 4_000)), 201, 4_000);
      // One sent again costs as much as a new one: it is read and checked as well.
      expectProblem(await app.call(key, "/data/bulk", order("second", 4_000)), 429, "RATE_LIMITED", { meta });
      expectOrder(await app.call(await merchantKey(), "/data/bulk", order("another-merchant", 1)), 201, 1);
    }));

  test("bytes beyond the budget are refused before they are read, and over both processes", () =>
    inOneMinute(async (key) => {
      const large = (reference: string) => order(reference, 1, { note: "x".repeat(2_000_000) });
      const meta = { limit: "bytes", max_bytes: 5_000_000 };
      for (const reference of ["a", "b"]) expectOrder(await app.call(key, "/data/bulk", large(reference)), 201, 1);
      expectProblem(await app.call(key, "/data/bulk", large("c")), 429, "RATE_LIMITED", { meta });
      expectProblem(await other.call(key, "/data/bulk", large("c")), 429, "RATE_LIMITED", { meta });
    }));
});

describe("a large body", () => {
  const filler = "x".repeat(300_000);
  const line = { phone: "08031234567", product_id: plan };

  test("is read as a small one: its numbers, its nulls and its lines' faults are told by name", async () => {
    const key = await merchantKey();
    const items = `[{"phone":"08031234567","product_id":1002},{"phone":"08031234567","product_id":1002.5,"x":[1]},{"phone":"08031234567","product_id":1.002e3}]`;
    const half = await app.call(key, "/data/bulk", { body: `{"reference":"m","items":${items},"note":"${filler}"}` });
    expectRefusedOrder(half, 400, "VALIDATION_ERROR", { fields: ["items.1.product_id"] });
    const wrong = {
      reference: "w",
      items: [{ ...line, phone: { a: 1 } }, null, { ...line, reference: null }],
      note: filler,
    };
    const faults = await app.call(key, "/data/bulk", { body: wrong });
    expectRefusedOrder(faults, 400, "VALIDATION_ERROR", { fields: ["items.0.phone", "items.1"] });
    const sound = { reference: "s", items: [{ ...line, reference: null }], phones: null, note: filler };
    expectOrder(await app.call(key, "/data/bulk", { body: sound }), 201, 1);
  });

  test("of a purchase is the purchase without what nobody reads, and its metadata comes back as it was", async () => {
    const key = await merchantKey();
    const fields = `"reference":"p","product_id":1002,"phone":"08031234567","metadata":{"rate":1e-7,"list":[1,"é"]}`;
    const unknown = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => n));
    const bought = await app.call(key, "/data/purchase", { body: `{${fields},"unknown":${unknown}}` });
    expect([bought.status, bought.body.metadata]).toEqual([201, { rate: 1e-7, list: [1, "é"] }]);
    const long = { ...line, reference: "q", metadata: { list: Array.from({ length: 9_000 }, (_, n) => n) } };
    const refused = await app.call(key, "/data/purchase", { body: long });
    expectProblem(refused, 400, "VALIDATION_ERROR", { fields: ["metadata"] });
  });

  test.each([
    ["broken", `{"reference":"b","note":"${filler}"`],
    ["too deep", `{"note":"${filler}","a":[[[[[[[[[]]]]]]]]]}`],
    ["not UTF-8", Buffer.concat([Buffer.from(`{"note":"${filler}`), Buffer.from([0xff]), Buffer.from('"}')])],
  ])("400 INVALID_JSON where it is %s", async (_what, body) => {
    const headers = { authorization: `Bearer ${app.merchant.testKey}`, "content-type": "application/json" };
    const answer = await fetch(`${app.url}/api/v1/merchant/data/bulk`, { method: "POST", headers, body });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, "INVALID_JSON"]);
  });

  test("leaves the event loop to the others while it is read", async () => {
    const names = Array.from({ length: 90_000 }, (_, n) => ({ [n.toString(36)]: 1 }));
    const body = JSON.stringify({ reference: "n", product_id: plan, phones: ["08031234567"], names });
    const reading = app.call(await merchantKey(), "/data/bulk", { body });
    let isRead = false;
    void reading.finally(() => {
      isRead = true;
    });
    let turns = 0;
    while (!isRead) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expectOrder(await reading, 201, 1);
    // Parsed in one go, the body takes all of some hundred milliseconds in one turn.
    expect(turns).toBeGreaterThan(200);
  });
});
