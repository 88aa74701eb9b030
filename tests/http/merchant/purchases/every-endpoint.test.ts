import { beforeAll, describe, expect, test } from "vitest";
import { categories } from "../../../../src/categories/registry.ts";
import type { RegisteredMerchant } from "../../../../src/domain/merchants/registration.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { problems } from "../../../../src/kernel/problem-catalogue.ts";
import type { Answer } from "../../../support/app.ts";
import { nearTransactionIds, transactionIdForms } from "../../../support/transaction-ids.ts";
import { expectProblem, expectPurchase, expectRequery, lagosInstant } from "../../../support/wire-expectations.ts";
import { betting, cable, electricity, internet } from "./account-endpoints.ts";
import { education, esim, giftcard, rechargePin } from "./code-endpoints.ts";
import { EndpointUnderTest, type Fields, openShop, type PurchaseEndpoint } from "./endpoint.ts";
import { airtime, data, sms, voice } from "./phone-endpoints.ts";

const endpoints = [
  ...[airtime, data, voice, sms, electricity, cable, betting, internet],
  ...[education, giftcard, esim, rechargePin],
];
const shop = await openShop();

test("every category that is sold over the wire is among these endpoints", () => {
  expect(endpoints.map(({ path }) => path).sort()).toEqual(categories.map(({ paths }) => paths.purchase).sort());
});

describe.each(endpoints)("$path", (endpoint) => {
  const under = new EndpointUnderTest(shop, endpoint);
  describe("201", () => describeSuccess(under));
  describe("202 and 422", () => describeOtherResults(under));
  describe("400, and 404 of a name", () => describeInvalid(under));
  describe("402, 403, 404, 503", () => describeRefusals(under));
  describe("409", () => describeConflicts(under));
});

function describeSuccess(under: EndpointUnderTest): void {
  const { category, total, respelled } = under.endpoint;

  test("charges the price, and the requery and a replay tell the same transaction", async () => {
    const before = Number(await under.balance());
    const reference = under.reference();
    const bought = await under.send({ reference, expected_price: total, metadata: { order: 7, tags: ["a"] } });
    expectPurchase(bought, category, { status: "successful" });
    expect(bought.body).toMatchObject({
      reference,
      category,
      channel: "api",
      total_deducted: total,
      metadata: { order: 7, tags: ["a"] },
      bulk_reference: null,
    });
    expect(Number(await under.balance())).toBeCloseTo(before - Number(total), 2);

    const again = await under.requery(reference);
    expectRequery(again, "successful");
    expect(again.body).toMatchObject(bought.body);
    const byId = await under.requery(bought.body.transaction_id);
    expect(byId.body).toEqual(again.body);

    const replayed = await under.send({ reference });
    expectPurchase(replayed, category, { status: "successful", replayed: true });
    expect(replayed.body).toEqual(bought.body);
    const other = await under.send({ reference, ...respelled });
    expectPurchase(other, category, { status: "successful", replayed: true });
    expect(other.body).toEqual(bought.body);
    expect(Number(await under.balance())).toBeCloseTo(before - Number(total), 2);
  });

  test("answers the whole transaction object, every documented field and no other", async () => {
    const { testKey } = await under.shop.app.createMerchant();
    const { category, wholeOf, whole } = under.endpoint;
    const answer = await under.send({ reference: "whole:1", ...wholeOf }, testKey);
    expectPurchase(answer, category, { status: "successful" });
    expect(answer.body).toEqual({ ...blank, category, ...amountsOf(answer.body), ...whole });
  });

  test.each(under.endpoint.buys)("it sells %s", async (_what, change, shown) => {
    expect(await under.buy(change)).toMatchObject(shown);
  });

  test("unknown fields are ignored", async () => {
    expectPurchase(await under.send({ colour: "green", status: "failed" }), category, { status: "successful" });
  });
}

function describeOtherResults(under: EndpointUnderTest): void {
  const { category, numbered } = under.endpoint;

  test("422 a number ending in 0002 fails and is refunded; the reference is used up", async () => {
    const before = await under.balance();
    const reference = under.reference();
    const failed = await under.send({ reference, ...numbered("0002") });
    expectPurchase(failed, category, { status: "failed" });
    const error_code = "SANDBOX_FORCED_FAILURE";
    expect(failed.body).toMatchObject({ error_code, code: error_code, balance_before: before });
    expect(await under.balance()).toBe(before);
    expectRequery(await under.requery(reference), "failed");
    const replayed = await under.send({ reference, ...numbered("0002") });
    expectPurchase(replayed, category, { status: "failed", replayed: true });
    expect(replayed.body).toEqual(failed.body);
  });

  test.each(["0003", "0004"])("202 a number ending in %s is pending, charged, and so is its replay", async (suffix) => {
    const reference = under.reference();
    const pending = await under.send({ reference, ...numbered(suffix) });
    expectPurchase(pending, category, { status: "pending" });
    expect(pending.headers.get("retry-after")).toBe("20");
    expect(await under.balance()).toBe(pending.body.balance_after);
    const replayed = await under.send({ reference, ...numbered(suffix) });
    expectPurchase(replayed, category, { status: "pending", replayed: true });
    expect(replayed.body).toEqual(pending.body);
    const calls = await under.requery(reference);
    expectRequery(calls, "pending");
    expect(calls.body).toMatchObject(pending.body);
    expect(calls.body.next_check_after).toBeLessThanOrEqual(20);
  });
}

/** What stands in the answer to a new merchant's first purchase, where a category does not say otherwise. */
const blank = {
  ...{ status: "successful", reference: "whole:1", channel: "api", sandbox: true },
  ...{ network: null, plan: null, phone: null, customer_ref: null, quantity: 1, fee: "0.00", discount: "0.00" },
  ...{ error_code: null, refunded: false, refunded_at: null, bulk_reference: null, metadata: null },
  transaction_id: expect.stringMatching(/^SBX/),
  message: expect.stringMatching(/^[A-Z].*\.$/),
  balance_before: "100000.00",
  provider_reference: expect.stringMatching(/\S/),
  purchased_at: expect.stringMatching(lagosInstant),
  completed_at: expect.stringMatching(lagosInstant),
};

/** What follows from the others; that it does so is `expectPurchase`'s to judge. */
function amountsOf({ amount, total_deducted, balance_after }: Answer["body"]): Fields {
  return { amount, face_amount: amount, total_deducted, balance_after };
}

const badReferences = ["", ".", "..", "a b", "a/b", "naïve", "a\n", "r".repeat(101), ...transactionIdForms];

function describeInvalid(under: EndpointUnderTest): void {
  const { category, required, malformed } = under.endpoint;
  /** All of its requests are refused; always under one reference unless the change is about it. */
  let careless: RegisteredMerchant;
  beforeAll(async () => {
    careless = await under.shop.app.createMerchant();
  });
  const sendCarelessly = (changes: Fields) => under.send({ reference: "careless", ...changes }, careless.testKey);

  test("an empty object names every field that is missing", async () => {
    const answer = await under.shop.app.call(under.key, under.endpoint.path, { body: {} });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["reference", ...required] });
    expect(answer.body.errors.reference).toEqual(["Is required."]);
  });

  test.each(required)("without %s nothing is bought", async (field) => {
    const answer = await sendCarelessly({ [field]: undefined });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: [field] });
  });

  test("a reference that only resembles a transaction id buys", async () => {
    const { testKey } = await under.shop.app.createMerchant({ testCredit: kobo(100_000_000n) });
    for (const reference of nearTransactionIds) {
      expectPurchase(await under.send({ reference }, testKey), category, { status: "successful" });
    }
  });

  test.each(badReferences)("reference %j is INVALID_REFERENCE", async (reference) => {
    const answer = await sendCarelessly({ reference });
    expectProblem(answer, 400, "INVALID_REFERENCE", { fields: ["reference"] });
  });

  const anywhere: PurchaseEndpoint["malformed"] = [
    [{ reference: 12 }, "VALIDATION_ERROR", "reference"],
    [{ expected_price: "1.234" }, "VALIDATION_ERROR", "expected_price"],
    [{ metadata: "text" }, "VALIDATION_ERROR", "metadata"],
    [{ metadata: [1] }, "VALIDATION_ERROR", "metadata"],
  ];
  const cases = [...anywhere, ...malformed].map(([change, code, named, meta]) => {
    return { change, code, fields: [named].flat(), meta, text: brief(change) };
  });
  test.each(cases)("$text is $code on $fields", async ({ change, code, fields, meta }) => {
    const answer = await sendCarelessly(change);
    const anyMeta = "meta" in answer.body ? { meta: expect.any(Object) } : {};
    const expected = { ...(fields.length > 0 && { fields }), ...(meta === undefined ? anyMeta : { meta }) };
    expectProblem(answer, problems[code].status, code, expected);
  });

  test("metadata may have 2,048 bytes and not one more", async () => {
    const metadata = { note: "x".repeat(2_048 - '{"note":""}'.length) };
    const bought = await under.send({ metadata });
    expectPurchase(bought, category, { status: "successful" });
    expect(bought.body.metadata).toEqual(metadata);
    const answer = await sendCarelessly({ metadata: { note: `${metadata.note}x` } });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["metadata"] });
  });

  test("none of these was charged or is stored, and the reference buys", async () => {
    const { testKey } = careless;
    expect(await under.balance(testKey)).toBe("100000.00");
    expect((await under.shop.app.call(testKey, "/transactions")).body.meta.total).toBe(0);
    expectPurchase(await sendCarelessly({}), category, { status: "successful" });
  });
}

function brief(change: Fields): string {
  const text = JSON.stringify(change, (_name, value) => (value === undefined ? "(left out)" : value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function describeRefusals(under: EndpointUnderTest): void {
  const { category, total } = under.endpoint;

  async function refused(key: string | null, change: Fields, check: (answer: Answer) => void): Promise<void> {
    const reference = under.reference();
    await under.expectNothingHappened(
      reference,
      async () => {
        check(await under.send({ reference, ...change }, key));
      },
      key,
    );
  }

  test("402 says what it costs and what the wallet holds, and how a sandbox wallet is filled up", () =>
    refused(under.shop.poor.testKey, {}, (answer) => {
      expectProblem(answer, 402, "INSUFFICIENT_BALANCE", { meta: { required: total, balance: "0.01" } });
      expect(answer.body.message).toContain("POST /api/v1/merchant/sandbox/reset");
    }));

  test("403 where the category is hidden from the merchant", () =>
    refused(under.shop.excluded.testKey, {}, (answer) => expectProblem(answer, 403, "CATEGORY_NOT_ALLOWED")));

  // An SMS names no product: its route selects it.
  const testUnlessSms = category === "sms" ? () => undefined : test;
  testUnlessSms("404 a product of another category, and one that never was", async () => {
    for (const productId of [category === "data" ? 2001 : 1002, 2_147_483_647]) {
      const change = { product_id: productId, network: undefined, biller: undefined };
      await refused(under.key, change, (answer) => expectProblem(answer, 404, "PRODUCT_NOT_FOUND"));
    }
  });

  test("404 a beneficiary that nobody saved", () =>
    refused(under.key, { beneficiary_id: "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D" }, (answer) =>
      expectProblem(answer, 404, "BENEFICIARY_NOT_FOUND"),
    ));

  test("503 live, as long as no supplier is configured", () =>
    refused(under.shop.app.merchant.liveKey, {}, (answer) => expectProblem(answer, 503, "PRODUCT_UNAVAILABLE")));
}

function describeConflicts(under: EndpointUnderTest): void {
  const { category, total, different } = under.endpoint;

  test("a reference with a different purchase is a conflict, and nothing is charged", async () => {
    const reference = under.reference();
    const bought = await under.send({ reference });
    const conflict = await under.send({ reference, ...different });
    expectProblem(conflict, 409, "REFERENCE_CONFLICT", { meta: { reference } });
    expect(conflict.body.message).toContain("choose a new reference");
    expect(await under.balance()).toBe(bought.body.balance_after);
  });

  test("an expected price that differs is refused, and leaves the reference free", async () => {
    const reference = under.reference();
    await under.expectNothingHappened(reference, async () => {
      const answer = await under.send({ reference, expected_price: "1.00" });
      expectProblem(answer, 409, "PRICE_CHANGED", { meta: { price: total, expected_price: "1.00" } });
    });
    expectPurchase(await under.send({ reference }), category, { status: "successful" });
  });
}
