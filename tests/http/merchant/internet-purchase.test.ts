import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase, lagosInstant } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/internet/purchase",
  category: "internet",
  body: { product_id: 7008, account_number: "0702123456" },
  total: "2976.00",
  numbered: (suffix) => ({ account_number: `070212${suffix}` }),
  required: ["product_id", "account_number"],
  // A contact phone is not compared, and a fixed product's own amount says nothing new.
  respelled: { product_id: "7008", phone: "08031234567" },
  different: { account_number: "0702123457" },
  malformed: [
    [{ account_number: "abc" }, "VALIDATION_ERROR", "account_number"],
    [{ account_number: "a".repeat(65) }, "VALIDATION_ERROR", "account_number"],
    [{ account_number: "ab cd" }, "VALIDATION_ERROR", "account_number"],
    [{ account_number: 702_123_456 }, "VALIDATION_ERROR", "account_number"],
    [{ phone: "0702" }, "INVALID_PHONE", "phone"],
    [{ amount: "-1" }, "VALIDATION_ERROR", "amount"],
    [{ amount: "3099.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ product_id: 7090 }, "VALIDATION_ERROR", "amount"],
    [{ product_id: 7090, amount: "99.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
  ],
});

describe("201 internet", () => {
  test("answers the whole transaction object", () =>
    under.expectWhole(
      { phone: "0803 123 4567" },
      {
        network: null,
        biller: "Smile",
        biller_slug: "smile",
        product_id: 7008,
        product: "Smile 5GB Bigga (30 days)",
        plan: "5GB Bigga",
        phone: "08031234567",
        customer_ref: "0702123456",
        quantity: 1,
        unit_amount: "3100.00",
        amount: "3100.00",
        face_amount: "3100.00",
        fee: "0.00",
        discount: "124.00",
        total_deducted: "2976.00",
        balance_after: "97024.00",
        delivery: { kind: "internet", account_number: "0702123456", plan: "5GB Bigga", pins: null },
      },
    ));

  test("a recharge of any amount in range, for an account that is an e-mail address", async () => {
    const answer = await under.send({ product_id: 7090, account_number: "ada+1@example.ng", amount: 250.5 });
    expectPurchase(answer, "internet", { status: "successful" });
    expect(answer.body).toMatchObject({
      customer_ref: "ada+1@example.ng",
      phone: null,
      unit_amount: "250.50",
      total_deducted: "245.49",
    });
  });

  test("a product that is a PIN delivers it", async () => {
    const answer = await under.send({ product_id: 7101 });
    expectPurchase(answer, "internet", { status: "successful" });
    expect(answer.body.delivery.pins).toEqual([
      {
        sequence: 1,
        pin: expect.stringMatching(/^[0-9]{14}$/),
        serial: expect.stringMatching(/^[0-9]{12}$/),
        expires_at: expect.stringMatching(lagosInstant),
      },
    ]);
  });
});

test("400 a fixed product's amount can only be its own", async () => {
  expectPurchase(await under.send({ amount: "3100" }), "internet", { status: "successful" });
  const answer = await under.send({ amount: "3100.01" });
  const meta = { min_amount: "3100.00", max_amount: "3100.00" };
  expectProblem(answer, 400, "AMOUNT_OUT_OF_RANGE", { fields: ["amount"], meta });
});
