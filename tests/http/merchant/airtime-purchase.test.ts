import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase } from "../../support/wire-expectations.ts";

const notAmounts = [
  "",
  "0",
  "0.00",
  "-100",
  "100.001",
  "1e3",
  "١٠٠",
  " 100",
  "+100",
  "100.",
  ".5",
  "1,000",
  "0x64",
  "NaN",
  0,
  -100,
  100.001,
  1_000_000_000_000_000,
  "99999999999.99",
  true,
  [100],
  { naira: 100 },
  null,
];

const under = describePurchaseEndpoint({
  path: "/airtime/purchase",
  category: "airtime",
  body: { network: "MTN", phone: "08031234567", amount: "1000.00" },
  total: "968.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["phone", "amount"],
  respelled: { network: "mtn", phone: "+234 803 123 4567", amount: 1000 },
  different: { amount: "1000.01" },
  malformed: [
    ...notAmounts.map((amount) => [{ amount }, "VALIDATION_ERROR", "amount"] as const),
    [{ amount: "49.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ amount: 50_000.01 }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ network: "VODAFONE" }, "VALIDATION_ERROR", "network"],
    [{ network: 1 }, "VALIDATION_ERROR", "network"],
    [{ network: undefined }, "VALIDATION_ERROR", ["product_id", "network"]],
    [{ product_id: 2002 }, "VALIDATION_ERROR", "network"],
    [{ phone: "080312345678" }, "INVALID_PHONE", "phone"],
    [{ phone: "08051234567", ported: false }, "NETWORK_MISMATCH", "phone"],
  ],
});

describe("201 airtime", () => {
  test("answers the whole transaction object", () =>
    under.expectWhole(
      { phone: "0803 123 4567" },
      {
        network: "MTN",
        biller: "MTN Airtime",
        biller_slug: "mtn-airtime",
        product_id: 2001,
        product: "MTN Airtime",
        plan: null,
        phone: "08031234567",
        customer_ref: "08031234567",
        quantity: 1,
        unit_amount: "1000.00",
        amount: "1000.00",
        face_amount: "1000.00",
        fee: "0.00",
        discount: "32.00",
        total_deducted: "968.00",
        balance_after: "99032.00",
        delivery: { kind: "topup" },
      },
    ));

  test.each([
    // 96.8 % of 50.01 is 48.40968: the fraction of a kobo is the merchant's.
    ["50.01", "48.40", "1.61"],
    [50, "48.40", "1.60"],
    ["50.0", "48.40", "1.60"],
    [50_000, "48400.00", "1600.00"],
  ])("an amount of %j costs %s", async (amount, total, discount) => {
    const answer = await under.send({ amount });
    expectPurchase(answer, "airtime", { status: "successful" });
    expect(answer.body).toMatchObject({ total_deducted: total, discount, fee: "0.00" });
  });

  test.each([
    [{ network: undefined, product_id: 2003 }, "9MOBILE"],
    [{ network: "T2" }, "9MOBILE"],
    [{ network: "Glo" }, "GLO"],
    [{ network: "airtel", product_id: "2004" }, "AIRTEL"],
  ])("%j buys of %s", async (selector, network) => {
    expect((await under.send(selector)).body).toMatchObject({ status: "successful", network });
  });
});

test("400 AMOUNT_OUT_OF_RANGE tells the range and which end was missed, in naira without saying so", async () => {
  const meta = { min_amount: "50.00", max_amount: "50000.00" };
  for (const [amount, sentence] of [
    ["49.99", "Must be at least 50.00."],
    ["50000.01", "Must be at most 50000.00."],
  ]) {
    const answer = await under.send({ amount });
    expectProblem(answer, 400, "AMOUNT_OUT_OF_RANGE", { fields: ["amount"], meta });
    expect(answer.body.message).toBe("Amount must be between 50.00 and 50000.00.");
    expect(answer.body.errors).toEqual({ amount: [sentence] });
  }
});

test("409 the same goods named by product instead of network are another request", async () => {
  const reference = under.reference();
  await under.send({ reference });
  const answer = await under.send({ reference, network: undefined, product_id: 2001 });
  expectProblem(answer, 409, "REFERENCE_CONFLICT", { meta: { reference } });
});
