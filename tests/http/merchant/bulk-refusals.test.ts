import { describe, expect, test } from "vitest";
import { offerProduct, withdrawProduct } from "../../../src/domain/catalogue/changes/administration.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import type { ProblemCode } from "../../../src/kernel/problems.ts";
import { expectOrder, expectRefusedOrder, hideFrom, phones } from "../../support/bulk-orders.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { nearTransactionIds, transactionIdForms } from "../../support/transaction-ids.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();
const key = (await app.createMerchant({ testCredit: kobo(100_000_000n) })).testKey;
const phone = "08031234567";
const plan = { phone, product_id: 1002 };
const airtime = { phone, network: "MTN", amount: "100.00" };
/** Lines of a number of another network that was never ported. */
const foreignPlan = { ...plan, phone: "08021234567", ported: false };
const foreign = { ...airtime, phone: "08051234567", ported: false };

const place = (category: "airtime" | "data", body: object, by = key) =>
  app.call(by, `/${category}/bulk`, { body: { reference: "wrong", ...body } });
const balance = async (by = key) => (await app.call(by, "/wallet/balance")).body.balance;

type Case = readonly [what: string, body: object, fields: readonly string[], code?: ProblemCode, meta?: object];

const ofData: readonly Case[] = [
  [
    "every malformed line",
    { items: [{ ...plan, phone: "0803" }, plan, { ...plan, phone: "12" }] },
    ["items.0.phone", "items.2.phone"],
    "INVALID_PHONE",
  ],
  ["every malformed phone of the shorthand", { product_id: 1002, phones: [phone, "x"] }, ["phones.1"], "INVALID_PHONE"],
  [
    "unknown and foreign products",
    { items: [{ phone, product_id: 1 }, plan, { phone, product_id: 2001 }] },
    ["items.0.product_id", "items.2.product_id"],
  ],
  [
    "references that repeat",
    { items: ["r", "r"].map((reference) => ({ ...plan, reference })) },
    ["items.0.reference", "items.1.reference"],
  ],
  [
    "a reference that another line derives",
    { items: [{ ...plan, reference: "wrong-2" }, plan] },
    ["items.0.reference", "items.1"],
  ],
  ["neither items nor phones", {}, ["items"]],
  ["both items and phones", { items: [plan], product_id: 1002, phones: [phone] }, ["phones"]],
  ["phones without a product", { phones: [phone] }, ["product_id"]],
  ["no lines", { items: [] }, ["items"]],
  [
    "a malformed phone and another line's unknown product",
    { items: [{ ...plan, phone: "0803" }, { phone, product_id: 1 }, plan] },
    ["items.0.phone", "items.1.product_id"],
  ],
  [
    "a line that is no object, references that repeat and a foreign product",
    { items: [null, { ...plan, reference: "r" }, { phone, product_id: 2001, reference: "r" }] },
    ["items.0", "items.1.reference", "items.2.product_id", "items.2.reference"],
  ],
  [
    "a reference that the malformed line derives",
    { items: [{ phone: "0803" }, { reference: "wrong-1" }].map((changes) => ({ ...plan, ...changes })) },
    ["items.0", "items.0.phone", "items.1.reference"],
  ],
  [
    "a malformed reference, of which nobody knows what it will repeat, and an unknown product",
    { items: [{ ...plan, reference: "no reference" }, plan, { phone, product_id: 1, reference: "wrong-1" }] },
    ["items.0.reference", "items.2.product_id"],
  ],
  [
    "the order's own malformed reference and an unknown product",
    { reference: 5, items: [{ phone, product_id: 1 }] },
    ["items.0.product_id", "reference"],
  ],
  [
    "a number of another network and an unknown product",
    { items: [foreignPlan, { phone, product_id: 1 }] },
    ["items.0.phone", "items.1.product_id"],
  ],
  [
    "a malformed phone of the shorthand and its unknown product",
    { product_id: 1, phones: ["x", phone] },
    ["phones.0", "product_id"],
  ],
  ["a malformed phone of the shorthand and no product", { phones: ["x", phone] }, ["phones.0", "product_id"]],
  [
    "what is malformed alone, by the code that says how",
    { items: [{ ...plan, phone: "0803" }, plan] },
    ["items.0.phone"],
    "INVALID_PHONE",
  ],
  [
    "a number of another network alone, by the code that says so, and which network",
    { items: [plan, foreignPlan] },
    ["items.1.phone"],
    "NETWORK_MISMATCH",
    { network: "AIRTEL" },
  ],
];

const range = { min_amount: "50.00", max_amount: "50000.00" };

const ofAirtime: readonly Case[] = [
  [
    "an amount outside the product's range and an unknown product",
    { items: [{ ...airtime, amount: "49.99" }, airtime, { ...airtime, network: undefined, product_id: 1 }] },
    ["items.0.amount", "items.2.product_id"],
  ],
  [
    "an amount outside the product's range and a reference that repeats the order's",
    { items: [{ amount: "49.99" }, { reference: "wrong" }].map((changes) => ({ ...airtime, ...changes })) },
    ["items.0.amount", "items.1.reference"],
  ],
  ["an amount that is none", { items: [airtime, { ...airtime, amount: "1e3" }] }, ["items.1.amount"]],
  ["a line without an amount", { items: [{ phone, network: "MTN" }] }, ["items.0.amount"]],
  ["phones without an amount", { network: "MTN", phones: [phone] }, ["amount"]],
  [
    "lines that name nothing to buy",
    { items: [airtime, { phone, amount: "100" }] },
    ["items.1.product_id", "items.1.network"],
  ],
  ["phones for which nothing is named", { amount: 100, phones: [phone] }, ["product_id", "network"]],
  ["a network that there is not", { items: [{ ...airtime, network: "VODAFONE" }] }, ["items.0.network"]],
  [
    "a product of another category",
    { items: [airtime, { phone, product_id: 1002, amount: "100" }] },
    ["items.1.product_id"],
  ],
  [
    "a number of another network that was never ported, and an amount out of range",
    { items: [foreign, { ...airtime, amount: 49 }] },
    ["items.0.phone", "items.1.amount"],
  ],
  [
    "one amount too small, as alone",
    { items: [{ ...airtime, amount: "49" }] },
    ["items.0.amount"],
    "AMOUNT_OUT_OF_RANGE",
    range,
  ],
  [
    "amounts outside the product's range, on every such line, as alone",
    { items: [{ ...airtime, amount: "49.99" }, airtime, { ...airtime, network: "GLO", amount: "50000.01" }] },
    ["items.0.amount", "items.2.amount"],
    "AMOUNT_OUT_OF_RANGE",
    range,
  ],
  [
    "a shared amount outside the range, as alone",
    { network: "MTN", amount: 49, phones: [phone, "08061234567"] },
    ["amount"],
    "AMOUNT_OUT_OF_RANGE",
    range,
  ],
  [
    "a number of another network that was never ported, as alone",
    { items: [foreign, airtime] },
    ["items.0.phone"],
    "NETWORK_MISMATCH",
    { network: "GLO" },
  ],
  [
    "numbers of several networks that were never ported, as alone",
    { items: [foreign, { ...foreign, phone: "08021234567" }] },
    ["items.0.phone", "items.1.phone"],
    "NETWORK_MISMATCH",
  ],
];

describe.each([
  ["data", ofData, { product_id: 1002 }],
  ["airtime", ofAirtime, { network: "MTN", amount: "50" }],
] as const)("400 an order of %s", (category, cases, goods) => {
  const named = cases.map(([what, ...each]) => [what, each] as const);
  test.each(named)("is refused whole for %s", async (_what, [body, fields, code = "VALIDATION_ERROR", meta = {}]) => {
    const before = await balance();
    expectRefusedOrder(await place(category, body), 400, code, { fields, meta });
    expect(await balance()).toBe(before);
    expectProblem(await app.call(key, "/bulk/wrong"), 404, "BULK_NOT_FOUND");
  });

  test("is refused for more lines than it takes", async () => {
    const answer = await place(category, { ...goods, phones: phones(10_001) });
    expectProblem(answer, 400, "TOO_MANY_ITEMS", { fields: ["phones"], meta: { max_items: 10_000 } });
  });

  test("is refused for what is malformed where its category is hidden, and nothing of the catalogue is told", async () => {
    const { id, testKey } = await app.createMerchant();
    await hideFrom(app, { id, testKey }, category);
    const items = [
      { ...goods, phone: "x" },
      { ...goods, phone, product_id: 1 },
    ];
    expectRefusedOrder(await place(category, { items }, testKey), 400, "INVALID_PHONE", { fields: ["items.0.phone"] });
    expect(await balance(testKey)).toBe("100000.00");
  });
});

test("400 a product that was withdrawn, under its line", async () => {
  await withdrawProduct(app.services.database, 2004 as ProductId, null);
  await app.feel();
  const answer = await place("airtime", { items: [airtime, { phone, product_id: 2004, amount: "100" }] });
  await offerProduct(app.services.database, 2004 as ProductId);
  await app.feel();
  expectRefusedOrder(answer, 400, "VALIDATION_ERROR", { fields: ["items.1.product_id"] });
  expectProblem(await app.call(key, "/bulk/wrong"), 404, "BULK_NOT_FOUND");
});

describe("400 a reference", () => {
  test.each(transactionIdForms)("of an order or a line that is %s, as a transaction would be", async (reference) => {
    const order = await place("data", { reference, product_id: 1002, phones: [phone] });
    expectProblem(order, 400, "INVALID_REFERENCE", { fields: ["reference"] });
    const expected = { fields: ["items.0.reference"], meta: { invalid_lines: 1 } };
    expectProblem(await place("data", { items: [{ ...plan, reference }] }), 400, "INVALID_REFERENCE", expected);
  });

  test("by which another deployment names its own transactions is taken, for an order and a line", async () => {
    const [order = "", line = ""] = nearTransactionIds;
    expectOrder(await place("data", { reference: `${order}0`, items: [{ ...plan, reference: line }] }), 201, 1);
  });

  test("that leaves no room for the lines' numbers", async () => {
    const answer = await place("data", { reference: "x".repeat(91), product_id: 1002, phones: [phone] });
    expectRefusedOrder(answer, 400, "INVALID_REFERENCE", { fields: ["reference"] });
  });
});
