import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "./app.ts";
import { EndpointUnderTest, type Fields, type PurchaseEndpoint } from "./endpoint-under-test.ts";
import { nearTransactionIds, transactionIdForms } from "./transaction-id-forms.ts";
import { expectHeaders, expectProblem, expectPurchase, expectRequery } from "./wire-expectations.ts";

/** Registers what all purchase endpoints promise, by status. Returns the endpoint for a file's own tests. */
export function describePurchaseEndpoint(endpoint: PurchaseEndpoint): EndpointUnderTest {
  const under = new EndpointUnderTest(endpoint);
  beforeAll(() => under.open());
  afterAll(() => under.app.close());
  describe("201", () => describeSuccess(under));
  describe("202 and 422", () => describeOtherResults(under));
  describe("400", () => describeInvalid(under));
  describe("402, 403, 404, 503", () => describeRefusals(under));
  describe("409", () => describeConflicts(under));
  return under;
}

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
    const asked = await under.requery(reference);
    expectRequery(asked, "pending");
    expect(asked.body).toMatchObject(pending.body);
    expect(asked.body.next_check_after).toBeLessThanOrEqual(20);
  });
}

const badReferences = ["", ".", "..", "a b", "a/b", "naïve", "a\n", "r".repeat(101), ...transactionIdForms];

function describeInvalid(under: EndpointUnderTest): void {
  const { category, required, malformed } = under.endpoint;

  test("an empty object names every field that is missing", async () => {
    const answer = await under.raw({ body: {} });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["reference", ...required] });
    expect(answer.body.errors.reference).toEqual(["Is required."]);
  });

  test.each(required)("without %s nothing is bought", async (field) => {
    const answer = await under.sendCarelessly({ [field]: undefined });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: [field] });
  });

  test.each(nearTransactionIds)("reference %s is not of the form of a transaction id, and buys", async (reference) => {
    expectPurchase(await under.send({ reference }), category, { status: "successful" });
  });

  test.each(badReferences)("reference %j is INVALID_REFERENCE", async (reference) => {
    const answer = await under.sendCarelessly({ reference });
    expectProblem(answer, 400, "INVALID_REFERENCE", { fields: ["reference"] });
  });

  const anywhere: PurchaseEndpoint["malformed"] = [
    [{ reference: 12 }, "VALIDATION_ERROR", "reference"],
    [{ expected_price: "1.234" }, "VALIDATION_ERROR", "expected_price"],
    [{ metadata: "text" }, "VALIDATION_ERROR", "metadata"],
    [{ metadata: [1] }, "VALIDATION_ERROR", "metadata"],
  ];
  const cases = [...anywhere, ...malformed].map(([change, code, named]) => ({
    change,
    code,
    fields: [named].flat(),
    text: brief(change),
  }));
  test.each(cases)("$text is $code on $fields", async ({ change, code, fields }) => {
    const answer = await under.sendCarelessly(change);
    const meta = answer.body.meta === undefined ? {} : { meta: expect.any(Object) };
    expectProblem(answer, 400, code, { fields, ...meta });
    expectHeaders(answer, { mode: "test", known: true });
  });

  test("metadata may have 2,048 bytes and not one more", async () => {
    const metadata = { note: "x".repeat(2_048 - '{"note":""}'.length) };
    const bought = await under.send({ metadata });
    expectPurchase(bought, category, { status: "successful" });
    expect(bought.body.metadata).toEqual(metadata);
    const answer = await under.sendCarelessly({ metadata: { note: `${metadata.note}x` } });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["metadata"] });
  });

  test("none of these was charged or is stored, and the reference buys", async () => {
    const { testKey } = under.careless;
    expect(await under.balance(testKey)).toBe("100000.00");
    expect((await under.app.call(testKey, "/transactions")).body.meta.total).toBe(0);
    expectPurchase(await under.sendCarelessly({}), category, { status: "successful" });
  });
}

function brief(change: Fields): string {
  const text = JSON.stringify(change, (_name, value) => (value === undefined ? "(left out)" : value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function describeRefusals(under: EndpointUnderTest): void {
  const { category, total } = under.endpoint;

  async function refused(key: string, change: Fields, check: (answer: Answer) => void): Promise<void> {
    const reference = under.reference();
    await under.expectNothingHappened(
      reference,
      async () => {
        const answer = await under.send({ reference, ...change }, key);
        check(answer);
        expectHeaders(answer, { mode: key.startsWith("ds_live_") ? "live" : "test", known: true });
      },
      key,
    );
  }

  test("402 says what it costs and what the wallet holds, and how a sandbox wallet is filled up", () =>
    refused(under.poor.testKey, {}, (answer) => {
      expectProblem(answer, 402, "INSUFFICIENT_BALANCE", { meta: { required: total, balance: "0.01" } });
      expect(answer.body.message).toContain("POST /api/v1/merchant/sandbox/reset");
    }));

  test("403 where the category is hidden from the merchant", () =>
    refused(under.excluded.testKey, {}, (answer) => expectProblem(answer, 403, "CATEGORY_NOT_ALLOWED")));

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
    refused(under.app.merchant.liveKey ?? "", {}, (answer) => expectProblem(answer, 503, "PRODUCT_UNAVAILABLE")));
}

function describeConflicts(under: EndpointUnderTest): void {
  const { category, total, different } = under.endpoint;

  test("a reference with a different purchase is a conflict, and nothing is charged", async () => {
    const reference = under.reference();
    const bought = await under.send({ reference });
    const conflict = await under.send({ reference, ...different });
    expectProblem(conflict, 409, "REFERENCE_CONFLICT", { meta: { reference } });
    expect(conflict.body.message).toContain("choose a new reference");
    expectHeaders(conflict, { mode: "test", known: true });
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
