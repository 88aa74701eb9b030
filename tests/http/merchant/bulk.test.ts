import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { expectOrder, expectRefusedOrder, hideFrom, phones } from "../../support/bulk-orders.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();
const key = (await app.createMerchant({ testCredit: kobo(1_000_000_000n) })).testKey;
const plan = 1002; // 640 naira
const phone = "08031234567";

const place = (body: unknown, by = key) => app.call(by, "/data/bulk", { body });
const placeAirtime = (body: unknown) => app.call(key, "/airtime/bulk", { body });
const balance = async (by = key) => (await app.call(by, "/wallet/balance")).body.balance;
describe("201", () => {
  test("every line is a purchase of its own, found under the order's reference and its number", async () => {
    const answer = await place({
      reference: "plain",
      items: [
        { phone, product_id: plan },
        { phone: "0806 000 0001", product_id: "1002" },
      ],
    });
    expectOrder(answer, 201, 2);
    expect(answer.body).toMatchObject({
      status: "completed",
      amount: "1280.00",
      total_refunded: "0.00",
      sandbox: true,
    });
    expect(answer.body.items.map((line: { reference: string }) => line.reference)).toEqual(["plain-1", "plain-2"]);
    expect(answer.body.bulk_id).toMatch(/^BLK[0-9A-Z]{26}$/);
    const line = await app.call(key, "/transactions/plain-2");
    expect(line.body).toMatchObject({
      status: "successful",
      channel: "bulk",
      bulk_reference: "plain",
      phone: "08060000001",
    });
    const listed = await app.call(key, "/transactions?bulk_reference=plain");
    expect(listed.body.meta.total).toBe(2);
  });

  test("a failed line is refunded within the answer, and the order says so", async () => {
    const before = await balance();
    const answer = await place({ reference: "partly", product_id: plan, phones: [phone, "08031230002"] });
    expectOrder(answer, 201, 2);
    expect(answer.body).toMatchObject({
      status: "partially_completed",
      failed: 1,
      total_deducted: "640.00",
      total_refunded: "640.00",
      balance_before: before,
    });
    expect(await balance()).toBe(answer.body.balance_after);
    const all = await place({ reference: "all-failed", product_id: plan, phones: ["08031230002", "08051230002"] });
    expect(all.body).toMatchObject({ status: "failed", successful: 0, total_deducted: "0.00" });
  });

  test("ten thousand lines are one order, answered by its first hundred", async () => {
    const rich = await app.createMerchant({ testCredit: kobo(1_000_000_000n) });
    const answer = await place({ reference: "large", product_id: plan, phones: phones(10_000) }, rich.testKey);
    expectOrder(answer, 201, 10_000);
    expect(answer.body.items).toHaveLength(100);
    expect(answer.body.meta).toEqual({ current_page: 1, last_page: 100, per_page: 100, total: 10_000 });
    expect((await app.call(rich.testKey, "/transactions")).body.meta.total).toBe(10_000);
  });
});

describe("replay", () => {
  const order = {
    reference: "again",
    items: [
      { phone, product_id: plan },
      { phone: "08060000001", product_id: plan },
    ],
  };

  test("the same order sent again, in another spelling too, answers the same one and charges nothing", async () => {
    const first = await place(order);
    const after = await balance();
    const spelled = { ...order, items: [{ phone: "+234 803 123 4567", product_id: "1002" }, order.items[1]] };
    for (const body of [order, spelled]) {
      const second = await place(body);
      expect(second.status).toBe(201);
      expect(second.headers.get("idempotent-replayed")).toBe("true");
      expect(second.body).toEqual(first.body);
    }
    expect(await balance()).toBe(after);
  });

  test("what tells an order from another stays what it was: one placed by an older version is answered, too", async () => {
    const mine = { phone: "08060000001", product_id: plan, reference: "kept-mine" };
    expectOrder(await place({ reference: "kept", items: [{ phone, product_id: plan }, mine] }), 201, 2);
    const text = "select fingerprint from bulk_orders where reference = 'kept'";
    const rows = await app.services.database.query({ name: "", text });
    expect(rows).toEqual([{ fingerprint: "fef3f3a0-5ed1-a965-7ac8-ebfd51d81b50" }]);
  });

  test("fifty at one time charge once", async () => {
    const before = Number(await balance());
    const body = { reference: "crowd", product_id: plan, phones: [phone, "08060000001"] };
    const answers = await Promise.all(Array.from({ length: 50 }, () => place(body)));
    expect(new Set(answers.map((answer) => answer.body.bulk_id)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(Number(await balance())).toBe(before - 1_280);
  });
});

describe("409", () => {
  test("another list under the same reference, and a reference that a purchase has", async () => {
    await place({ reference: "taken", product_id: plan, phones: [phone] });
    const after = await balance();
    const conflict = { meta: { reference: "taken" } };
    expectProblem(
      await place({ reference: "taken", product_id: plan, phones: [phone, phone] }),
      409,
      "REFERENCE_CONFLICT",
      conflict,
    );
    const bought = await app.call(key, "/data/purchase", { body: { reference: "taken", product_id: plan, phone } });
    expectProblem(bought, 409, "REFERENCE_CONFLICT", conflict);
    const unknownProduct = { reference: "taken", product_id: 999_999, phone };
    const alsoWrong = await app.call(key, "/data/purchase", { body: unknownProduct });
    expectProblem(alsoWrong, 409, "REFERENCE_CONFLICT", conflict);
    const reused = await place({ reference: "taken-1", product_id: plan, phones: [phone] });
    expectProblem(reused, 409, "REFERENCE_CONFLICT", { meta: { reference: "taken-1" } });
    expect(await balance()).toBe(after);
  });

  test("lines whose references are used already are named, and no other line is charged", async () => {
    await app.call(key, "/data/purchase", { body: { reference: "used", product_id: plan, phone } });
    await app.call(key, "/data/purchase", { body: { reference: "lines-2", product_id: plan, phone } });
    const after = await balance();
    const items = [
      { phone, product_id: plan, reference: "used" },
      { phone, product_id: plan },
    ];
    const fields = ["items.0.reference", "items.1"];
    expectRefusedOrder(await place({ reference: "lines", items }), 409, "REFERENCE_CONFLICT", { fields });
    const derived = await place({ reference: "lines", product_id: plan, phones: [phone, phone] });
    expectRefusedOrder(derived, 409, "REFERENCE_CONFLICT", { fields: ["phones.1"] });
    expect(await balance()).toBe(after);
    expectProblem(await app.call(key, "/bulk/lines"), 404, "BULK_NOT_FOUND");
  });
});

describe("413", () => {
  test("four megabytes are read, as ten thousand lines with references and metadata may need them", async () => {
    const body = JSON.stringify({ reference: "wide", product_id: plan, phones: [phone], note: "x".repeat(4_000_000) });
    expectOrder(await place(body), 201, 1);
  });
});

describe("an order of airtime", () => {
  test("each line has its own network and amount, at that network's price, and is a purchase of its own", async () => {
    const before = Number(await balance());
    const answer = await placeAirtime({
      reference: "mixed",
      items: [
        { phone, network: "MTN", amount: "1000.00" },
        { phone: "0805 123 4567", product_id: 2002, amount: 50.01, reference: "mine" },
        { phone: "+2348091234567", network: "t2", amount: "100" },
      ],
    });
    expectOrder(answer, 201, 3);
    expect(answer.body).toMatchObject({
      category: "airtime",
      status: "completed",
      amount: "1150.01",
      total_deducted: "1112.50",
    });
    expect(answer.body.items.map(({ index, message: _text, transaction_id: _id, ...line }: Line) => line)).toEqual([
      lineOf({ phone, product_id: 2001, reference: "mixed-1", amount: "1000.00", total_deducted: "968.00" }),
      lineOf({ phone: "08051234567", product_id: 2002, reference: "mine", amount: "50.01", total_deducted: "47.50" }),
      lineOf({
        phone: "08091234567",
        product_id: 2003,
        reference: "mixed-3",
        amount: "100.00",
        total_deducted: "97.00",
      }),
    ]);
    expect(Number(await balance())).toBeCloseTo(before - 1_112.5, 2);
    expect((await app.call(key, "/transactions/mine")).body).toMatchObject({
      status: "successful",
      category: "airtime",
      channel: "bulk",
      bulk_reference: "mixed",
      network: "GLO",
      customer_ref: "08051234567",
      delivery: { kind: "topup" },
    });
  });

  test("one network and amount for many phones, of which each ending decides", async () => {
    const before = await balance();
    const answer = await placeAirtime({
      reference: "short",
      network: "mtn",
      amount: 100,
      phones: [phone, "08031230002", "08061234567"],
    });
    expectOrder(answer, 201, 3);
    expect(answer.body).toMatchObject({
      status: "partially_completed",
      successful: 2,
      failed: 1,
      amount: "300.00",
      total_deducted: "193.60",
      total_refunded: "96.80",
      balance_before: before,
    });
    expect(answer.body.items[1]).toMatchObject({ status: "failed", error_code: "SANDBOX_FORCED_FAILURE" });
    expect(await balance()).toBe(answer.body.balance_after);
  });

  test("the same order in another spelling is the same order, and another amount is another one", async () => {
    const first = await placeAirtime({ reference: "spelled", items: [{ phone, network: "MTN", amount: "100.00" }] });
    const after = await balance();
    const items = [{ phone: "234 803 123 4567", network: "mtn", amount: 100 }];
    const second = await placeAirtime({ reference: "spelled", items });
    expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(second.body).toEqual(first.body);
    const other = await placeAirtime({ reference: "spelled", items: [{ ...items[0], amount: "100.01" }] });
    expectProblem(other, 409, "REFERENCE_CONFLICT", { meta: { reference: "spelled" } });
    const reused = await placeAirtime({ reference: "more", items: [{ ...items[0], reference: "spelled-1" }] });
    expectRefusedOrder(reused, 409, "REFERENCE_CONFLICT", { fields: ["items.0.reference"] });
    expect(await balance()).toBe(after);
  });
});

interface Line {
  readonly index: number;
  readonly message: string;
  readonly transaction_id: string;
}

function lineOf(fields: object) {
  return { status: "successful", error_code: null, ...fields };
}

describe.each([
  { category: "data", goods: { product_id: plan }, each: 640, many: 157 },
  { category: "airtime", goods: { network: "MTN", amount: "50000.00" }, each: 48_400, many: 3 },
] as const)("an order of $category", ({ category, goods, each, many }) => {
  const order = (reference: string, by: string, numbers: readonly string[]) =>
    app.call(by, `/${category}/bulk`, { body: { reference, ...goods, phones: numbers } });

  test("202 lines that are pending leave it processing, charged", async () => {
    const { testKey } = await app.createMerchant({ testCredit: kobo(100_000_000n) });
    for (const replayed of [null, "true"]) {
      const answer = await order("waiting", testKey, [phone, "08031230003"]);
      expectOrder(answer, 202, 2);
      const total_deducted = (2 * each).toFixed(2);
      expect(answer.body).toMatchObject({ status: "processing", pending: 1, total_deducted, completed_at: null });
      expect(answer.headers.get("idempotent-replayed")).toBe(replayed);
    }
  });

  test("402 that the wallet does not cover is refused whole, and its reference stays free", async () => {
    const { testKey } = await app.createMerchant();
    const meta = { required: (many * each).toFixed(2), balance: "100000.00" };
    expectProblem(await order("dear", testKey, phones(many)), 402, "INSUFFICIENT_BALANCE", { meta });
    expect(await balance(testKey)).toBe("100000.00");
    expectOrder(await order("dear", testKey, phones(many - 1)), 201, many - 1);
  });

  test("403 that is hidden from the merchant is refused, and its reference stays free", async () => {
    const { id, testKey } = await app.createMerchant();
    await hideFrom(app, { id, testKey }, category);
    expectProblem(await order("hidden", testKey, [phone]), 403, "CATEGORY_NOT_ALLOWED");
    expect(await balance(testKey)).toBe("100000.00");
    expectProblem(await app.call(testKey, "/bulk/hidden"), 404, "BULK_NOT_FOUND");
  });

  test("503 that is live, without a supplier, is refused and charges nothing", async () => {
    const liveKey = app.merchant.liveKey ?? "";
    const answer = await order("live", liveKey, [phone]);
    expectRefusedOrder(answer, 503, "PRODUCT_UNAVAILABLE", { fields: ["product_id"] });
    expect(await balance(liveKey)).toBe("1000000.00");
  });
});
