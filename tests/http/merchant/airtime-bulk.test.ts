import { describe, expect, test } from "vitest";
import { withdrawProduct } from "../../../src/domain/catalogue/changes/administration.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import type { ProblemCode } from "../../../src/kernel/problems.ts";
import { startApp } from "../../support/app.ts";
import { expectOrder, expectRefusedOrder, hideFrom, phones } from "../../support/bulk-orders.ts";
import { closing } from "../../support/closing.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const phone = "08031234567";

// What an order promises whatever it buys is in data-bulk.test.ts; here is what differs: each line has an amount, and
const app = closing(await startApp());
const key = (await app.createMerchant({ testCredit: kobo(1_000_000_000n) })).testKey;

const path = "/airtime/bulk";

const place = (body: unknown, by: string | null = key) => app.call(by, path, { body });
const balance = async (by: string | null = key) => (await app.call(by, "/wallet/balance")).body.balance;

describe("201", () => {
  test("each line has its own network and amount, at that network's price, and is a purchase of its own", async () => {
    const before = Number(await balance());
    const answer = await place({
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
    const answer = await place({
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

  test("the same order in another spelling is the same order", async () => {
    const first = await place({ reference: "again", items: [{ phone, network: "MTN", amount: "100.00" }] });
    const after = await balance();
    const items = [{ phone: "234 803 123 4567", network: "mtn", amount: 100 }];
    const second = await place({ reference: "again", items });
    expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(second.body).toEqual(first.body);
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

test("202 lines that are pending leave the order processing, charged", async () => {
  const body = { reference: "waiting", network: "MTN", amount: "100.00", phones: [phone, "08031230003"] };
  const answer = await place(body);
  expectOrder(answer, 202, 2);
  expect(answer.body).toMatchObject({ status: "processing", pending: 1, total_deducted: "193.60", completed_at: null });
  const again = await place(body);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, "true"]);
});

describe("400", () => {
  const line = { phone, network: "MTN", amount: "100.00" };
  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    [
      "an amount outside the product's range and an unknown product",
      { items: [{ ...line, amount: "49.99" }, line, { ...line, network: undefined, product_id: 1 }] },
      ["items.0.amount", "items.2.product_id"],
    ],
    [
      "an amount outside the product's range and a reference that repeats the order's",
      {
        items: [
          { ...line, amount: "49.99" },
          { ...line, reference: "wrong" },
        ],
      },
      ["items.0.amount", "items.1.reference"],
    ],
    ["an amount that is none", { items: [line, { ...line, amount: "1e3" }] }, ["items.1.amount"]],
    ["a line without an amount", { items: [{ phone, network: "MTN" }] }, ["items.0.amount"]],
    ["phones without an amount", { network: "MTN", phones: [phone] }, ["amount"]],
    [
      "lines that name nothing to buy",
      { items: [line, { phone, amount: "100" }] },
      ["items.1.product_id", "items.1.network"],
    ],
    ["phones for which nothing is named", { amount: 100, phones: [phone] }, ["product_id", "network"]],
    ["a network that there is not", { items: [{ ...line, network: "VODAFONE" }] }, ["items.0.network"]],
    [
      "a product of another category",
      { items: [line, { phone, product_id: 1002, amount: "100" }] },
      ["items.1.product_id"],
    ],
    [
      "a number of another network that was never ported, and an amount out of range",
      {
        items: [
          { ...line, phone: "08051234567", ported: false },
          { ...line, amount: 49 },
        ],
      },
      ["items.0.phone", "items.1.amount"],
    ],
  ];

  test.each(cases)("%s refuses the whole order", async (_name, body, fields) => {
    const before = await balance();
    const answer = await place({ reference: "wrong", ...body });
    expectRefusedOrder(answer, 400, "VALIDATION_ERROR", { fields });
    expect(await balance()).toBe(before);
    expectProblem(await app.call(key, "/bulk/wrong"), 404, "BULK_NOT_FOUND");
  });

  const range = { min_amount: "50.00", max_amount: "50000.00" };
  const foreign = { ...line, phone: "08051234567", ported: false };
  const alike: readonly (readonly [string, ProblemCode, object, readonly string[], object | null])[] = [
    ["one amount too small", "AMOUNT_OUT_OF_RANGE", { items: [{ ...line, amount: "49" }] }, ["items.0.amount"], range],
    [
      "amounts outside the product's range, on every such line",
      "AMOUNT_OUT_OF_RANGE",
      { items: [{ ...line, amount: "49.99" }, line, { ...line, network: "GLO", amount: "50000.01" }] },
      ["items.0.amount", "items.2.amount"],
      range,
    ],
    [
      "a shared amount outside the range",
      "AMOUNT_OUT_OF_RANGE",
      { network: "MTN", amount: 49, phones: [phone, "08061234567"] },
      ["amount"],
      range,
    ],
    [
      "a number of another network that was never ported",
      "NETWORK_MISMATCH",
      { items: [foreign, line] },
      ["items.0.phone"],
      { network: "GLO" },
    ],
    [
      "numbers of several networks that were never ported",
      "NETWORK_MISMATCH",
      { items: [foreign, { ...foreign, phone: "08021234567" }] },
      ["items.0.phone", "items.1.phone"],
      null,
    ],
  ];

  test.each(alike)("%s is %s, as alone", async (_name, code, body, fields, meta) => {
    const answer = await place({ reference: "wrong", ...body });
    expectRefusedOrder(answer, 400, code, { fields, ...(meta === null ? {} : { meta }) });
    expectProblem(await app.call(key, "/bulk/wrong"), 404, "BULK_NOT_FOUND");
  });

  test("more lines than an order takes", async () => {
    const answer = await place({ reference: "wrong", network: "MTN", amount: "50", phones: phones(10_001) });
    expectProblem(answer, 400, "TOO_MANY_ITEMS", { fields: ["phones"], meta: { max_items: 10_000 } });
  });

  test("a product that was withdrawn, under its line", async () => {
    await withdrawProduct(app.services.database, 2004 as ProductId, null);
    const items = [line, { phone, product_id: 2004, amount: "100" }];
    await app.feel();
    const answer = await place({ reference: "withdrawn", items });
    expectRefusedOrder(answer, 400, "VALIDATION_ERROR", { fields: ["items.1.product_id"] });
    expectProblem(await app.call(key, "/bulk/withdrawn"), 404, "BULK_NOT_FOUND");
  });
});

test("402 an order that the wallet does not cover is refused whole, and its reference stays free", async () => {
  const { testKey } = await app.createMerchant();
  const body = { reference: "dear", network: "MTN", amount: "50000.00", phones: phones(3) };
  const meta = { required: "145200.00", balance: "100000.00" };
  expectProblem(await place(body, testKey), 402, "INSUFFICIENT_BALANCE", { meta });
  expect(await balance(testKey)).toBe("100000.00");
  expectOrder(await place({ ...body, phones: phones(2) }, testKey), 201, 2);
});

test("403 a category that is hidden from the merchant", async () => {
  const { id, testKey } = await app.createMerchant();
  await hideFrom(app, { id, testKey }, "airtime");
  const body = { reference: "hidden", network: "MTN", amount: "100.00", phones: [phone] };
  expectProblem(await place(body, testKey), 403, "CATEGORY_NOT_ALLOWED");
  expect(await balance(testKey)).toBe("100000.00");
});

test("409 another amount under the same reference, and lines whose references are used", async () => {
  const order = { reference: "taken", network: "MTN", amount: "100.00", phones: [phone] };
  expectOrder(await place(order), 201, 1);
  const after = await balance();
  const other = await place({ ...order, amount: "100.01" });
  expectProblem(other, 409, "REFERENCE_CONFLICT", { meta: { reference: "taken" } });
  const reused = await place({
    reference: "more",
    items: [{ phone, network: "MTN", amount: 100, reference: "taken-1" }],
  });
  expectRefusedOrder(reused, 409, "REFERENCE_CONFLICT", { fields: ["items.0.reference"] });
  expect(await balance()).toBe(after);
});

test("503 a live order without a supplier is refused and charges nothing", async () => {
  const { liveKey } = app.merchant;
  const body = { reference: "live", network: "MTN", amount: "100.00", phones: [phone] };
  expectRefusedOrder(await place(body, liveKey), 503, "PRODUCT_UNAVAILABLE", { fields: ["product_id"] });
  expect(await balance(liveKey)).toBe("1000000.00");
});
