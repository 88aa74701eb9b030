import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { expectOrder, expectRefusedOrder, hideFrom, phones } from "../../support/bulk-orders.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { nearTransactionIds, transactionIdForms } from "../../support/transaction-id-forms.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();
const key = app.merchant.testKey;
const plan = 1002; // 640 naira
const phone = "08031234567";

const place = (body: unknown, by = key) => app.call(by, "/data/bulk", { body });
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

describe("202", () => {
  test("lines that are pending leave the order processing", async () => {
    const answer = await place({
      reference: "waiting",
      product_id: plan,
      phones: [phone, "08031230003", "08031230004"],
    });
    expectOrder(answer, 202, 3);
    expect(answer.body).toMatchObject({ status: "processing", pending: 2, completed_at: null });
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

describe("400", () => {
  const line = { phone, product_id: plan };
  const cases: readonly [string, object, string, string[]][] = [
    [
      "every malformed line",
      { items: [{ ...line, phone: "0803" }, line, { phone: "12", product_id: plan }] },
      "INVALID_PHONE",
      ["items.0.phone", "items.2.phone"],
    ],
    [
      "every malformed phone of the shorthand",
      { product_id: plan, phones: [phone, "x"] },
      "INVALID_PHONE",
      ["phones.1"],
    ],
    [
      "unknown and foreign products",
      { items: [{ phone, product_id: 1 }, line, { phone, product_id: 2001 }] },
      "VALIDATION_ERROR",
      ["items.0.product_id", "items.2.product_id"],
    ],
    [
      "references that repeat",
      {
        items: [
          { ...line, reference: "r" },
          { ...line, reference: "r" },
        ],
      },
      "VALIDATION_ERROR",
      ["items.0.reference", "items.1.reference"],
    ],
    [
      "a reference that another line derives",
      { items: [{ ...line, reference: "wrong-2" }, line] },
      "VALIDATION_ERROR",
      ["items.0.reference", "items.1"],
    ],
    ["neither items nor phones", {}, "VALIDATION_ERROR", ["items"]],
    ["both items and phones", { items: [line], product_id: plan, phones: [phone] }, "VALIDATION_ERROR", ["phones"]],
    ["phones without a product", { phones: [phone] }, "VALIDATION_ERROR", ["product_id"]],
    ["no lines", { items: [] }, "VALIDATION_ERROR", ["items"]],
  ];

  test.each(cases)("%s refuses the whole order", async (_name, body, code, fields) => {
    const before = await balance();
    const answer = await place({ reference: "wrong", ...body });
    expectRefusedOrder(answer, 400, code as "VALIDATION_ERROR", { fields });
    expect(await balance()).toBe(before);
    expectProblem(await app.call(key, "/bulk/wrong"), 404, "BULK_NOT_FOUND");
  });

  test("more lines than an order takes", async () => {
    const answer = await place({ reference: "wrong", product_id: plan, phones: phones(10_001) });
    expectProblem(answer, 400, "TOO_MANY_ITEMS", { fields: ["phones"], meta: { max_items: 10_000 } });
  });

  test.each(transactionIdForms)(
    "an order or a line that is called %s, as a transaction would be",
    async (reference) => {
      const order = await place({ reference, product_id: plan, phones: [phone] });
      expectProblem(order, 400, "INVALID_REFERENCE", { fields: ["reference"] });
      const ofLine = await place({ reference: "wrong", items: [{ product_id: plan, phone, reference }] });
      const expected = { fields: ["items.0.reference"], meta: { invalid_lines: 1 } };
      expectProblem(ofLine, 400, "INVALID_REFERENCE", expected);
    },
  );

  test("an order and a line that another deployment names by its own transactions", async () => {
    const [order = "", line = ""] = nearTransactionIds;
    const items = [{ product_id: plan, phone, reference: line }];
    expectOrder(await place({ reference: `${order}0`, items }), 201, 1);
  });

  test("a reference that leaves no room for the lines' numbers", async () => {
    const answer = await place({ reference: "x".repeat(91), product_id: plan, phones: [phone] });
    expectRefusedOrder(answer, 400, "INVALID_REFERENCE", { fields: ["reference"] });
  });
});

describe("402", () => {
  test("an order that the wallet does not cover is refused whole, and its reference stays free", async () => {
    const poor = await app.createMerchant();
    const body = { reference: "dear", product_id: plan, phones: phones(157) }; // 157 × 640 > 100,000
    const meta = { required: "100480.00", balance: "100000.00" };
    expectProblem(await place(body, poor.testKey), 402, "INSUFFICIENT_BALANCE", { meta });
    expect(await balance(poor.testKey)).toBe("100000.00");
    expectOrder(await place({ ...body, phones: phones(156) }, poor.testKey), 201, 156);
  });
});

describe("403", () => {
  test("an order of a category that is hidden from the merchant, and its reference stays free", async () => {
    const { id, testKey } = await app.createMerchant();
    await hideFrom(app, { id, testKey }, "data");
    expectProblem(
      await place({ reference: "hidden", product_id: plan, phones: [phone] }, testKey),
      403,
      "CATEGORY_NOT_ALLOWED",
    );
    expect(await balance(testKey)).toBe("100000.00");
    expectProblem(await app.call(testKey, "/bulk/hidden"), 404, "BULK_NOT_FOUND");
  });
});

describe("413", () => {
  test("four megabytes are read, as ten thousand lines with references and metadata may need them", async () => {
    const body = JSON.stringify({ reference: "wide", product_id: plan, phones: [phone], note: "x".repeat(4_000_000) });
    expectOrder(await place(body), 201, 1);
  });
});

describe("503", () => {
  test("a live order without a supplier is refused and charges nothing", async () => {
    const { liveKey } = app.merchant;
    const answer = await place({ reference: "live", product_id: plan, phones: [phone] }, liveKey ?? "");
    expectRefusedOrder(answer, 503, "PRODUCT_UNAVAILABLE", { fields: ["product_id"] });
    expect(await balance(liveKey ?? "")).toBe("1000000.00");
  });
});
