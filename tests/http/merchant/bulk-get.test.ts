import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import type { ProblemCode } from "../../../src/kernel/problems.ts";
import { expectOrder, phones } from "../../support/bulk-orders.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();
const key = (await app.createMerchant({ testCredit: kobo(100_000_000n) })).testKey;
/** Successful, failed, pending, successful, failed, pending …, by the endings of their numbers. */
const lines = 240;
const statusOf = (index: number) => (["successful", "failed", "pending"] as const)[index % 3];

const endings = { successful: "1234", failed: "0002", pending: "0003" };
const numbers = Array.from({ length: lines }, (_, index) => {
  return `080${String(3_000 + index).padStart(4, "0")}${endings[statusOf(index) ?? "successful"]}`;
});
const body = { reference: "order", product_id: 1002, phones: numbers };
expectOrder(await app.call(key, "/data/bulk", { body }), 202, lines);

const get = (query = "", by: string | null = key) => app.call(by, `/bulk/order${query}`);

interface Line {
  readonly index: number;
  readonly status: string;
  readonly phone: string;
  readonly reference: string;
}

describe("200", () => {
  test("the order in its present state, with its first hundred lines in the order sent", async () => {
    const answer = await get();
    expectOrder(answer, 200, lines);
    expect(answer.body).toMatchObject({
      reference: "order",
      category: "data",
      status: "processing",
      successful: 80,
      failed: 80,
      pending: 80,
      total_deducted: "102400.00",
      total_refunded: "51200.00",
      completed_at: null,
      meta: { current_page: 1, last_page: 3, per_page: 100, total: lines },
    });
    const { items } = answer.body;
    expect(items.map(({ index, status, reference }: Line) => [index, status, reference])).toEqual(
      Array.from({ length: 100 }, (_, index) => [index, statusOf(index), `order-${index + 1}`]),
    );
  });

  test("its pages hold every line once, and a page past the last one none", async () => {
    const seen: number[] = [];
    for (let page = 1; page <= 5; page++) {
      const { body } = await get(`?per_page=70&page=${page}`);
      expect(body.meta).toEqual({ current_page: page, last_page: 4, per_page: 70, total: lines });
      seen.push(...body.items.map(({ index }: Line) => index));
    }
    expect(seen).toEqual(Array.from({ length: lines }, (_, index) => index));
    expect((await get("?per_page=1000")).body.items).toHaveLength(lines);
  });

  test.each(["successful", "failed", "pending"])("?status=%s filters the lines, not the counts", async (status) => {
    const { body } = await get(`?status=${status}&per_page=50&page=2`);
    expect(body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 50, total: 80 });
    expect(body.items).toHaveLength(30);
    expect(new Set(body.items.map((line: Line) => line.status))).toEqual(new Set([status]));
    expect([body.total, body.successful, body.failed, body.pending]).toEqual([lines, 80, 80, 80]);
  });

  test("as its POST answered, once every line is final", async () => {
    const body = { reference: "final", product_id: 1002, phones: phones(3) };
    const placed = await app.call(key, "/data/bulk", { body });
    const answer = await app.call(key, "/bulk/final");
    expectOrder(answer, 200, 3);
    expect(answer.body).toEqual(placed.body);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
  });
});

describe("400", () => {
  test.each<readonly [string, ProblemCode, string]>([
    ["status=processing", "INVALID_STATUS", "status"],
    ["status=", "INVALID_STATUS", "status"],
    ["status=failed&status=pending", "INVALID_STATUS", "status"],
    ["per_page=0", "INVALID_PER_PAGE", "per_page"],
    ["per_page=1001", "INVALID_PER_PAGE", "per_page"],
    ["per_page=ten", "INVALID_PER_PAGE", "per_page"],
    ["page=0", "INVALID_PAGE", "page"],
    ["page=-1", "INVALID_PAGE", "page"],
    ["page=1.5", "INVALID_PAGE", "page"],
    ["page=10001", "INVALID_PAGE", "page"],
  ])("?%s is %s", async (query, code, field) => {
    const answer = await get(`?${query}`);
    expectProblem(answer, 400, code, { fields: [field] });
  });
});

describe("404", () => {
  test("another merchant's order, and the same merchant's in the other mode", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const body = { reference: "mine", product_id: 1002, phones: phones(1) };
    const placed = await app.call(testKey, "/data/bulk", { body });
    for (const other of [key, liveKey]) {
      for (const name of ["mine", placed.body.bulk_id]) {
        expectProblem(await app.call(other, `/bulk/${name}`), 404, "BULK_NOT_FOUND");
      }
    }
  });

  test("a purchase's reference, and a line's, are no order's", async () => {
    await app.call(key, "/data/purchase", { body: { reference: "single", product_id: 1002, phone: "08031234567" } });
    for (const name of ["single", "order-1"]) {
      expectProblem(await app.call(key, `/bulk/${name}`), 404, "BULK_NOT_FOUND");
    }
  });

  test.each(["nothing", "1", "%00", "a%20b", "order%2F", "...", "r".repeat(101)])("%s is none", async (name) => {
    const answer = await app.call(key, `/bulk/${name}`);
    expectProblem(answer, 404, "BULK_NOT_FOUND");
  });

  test("nor is a name of two thousand characters", async () => {
    expectProblem(await app.call(key, `/bulk/${"r".repeat(2_000)}`), 404, "BULK_NOT_FOUND");
  });
});
