import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase, lagosInstant } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/giftcard/purchase",
  category: "giftcard",
  body: { product_id: 11001 },
  // USD 10 at ₦1,550, and 1.5 % of it as a fee.
  total: "15732.50",
  numbered: (suffix) => ({ recipient_phone: `0803123${suffix}` }),
  required: ["product_id"],
  respelled: { product_id: "11001", quantity: "1", recipient_email: "ada@example.ng" },
  different: { recipient_phone: "08031234567" },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 11 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: "1.0" }, "VALIDATION_ERROR", "quantity"],
    [{ amount: "11.00" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ product_id: 11010 }, "VALIDATION_ERROR", "amount"],
    [{ product_id: 11010, amount: "0.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ product_id: 11010, amount: "2000.01" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ product_id: 11010, amount: "25.555" }, "VALIDATION_ERROR", "amount"],
    [{ recipient_email: "ada" }, "VALIDATION_ERROR", "recipient_email"],
    [{ recipient_phone: "123" }, "INVALID_PHONE", "recipient_phone"],
    [{ phone: "123" }, "INVALID_PHONE", "phone"],
  ],
});

function card(sequence: number, fields: object) {
  return {
    sequence,
    code: expect.stringMatching(/\S/),
    pin: null,
    serial: expect.stringMatching(/\S/),
    claim_url: expect.stringMatching(/^https:/),
    expires_at: expect.stringMatching(lagosInstant),
    ...fields,
  };
}

describe("201 giftcard", () => {
  test("answers the whole transaction object: the card in its currency, all else in naira", () =>
    under.expectWhole(
      { quantity: 2, recipient_email: "ada@example.ng" },
      {
        network: null,
        biller: "Amazon US",
        biller_slug: "amazon-us",
        product_id: 11001,
        product: "Amazon US USD 10",
        plan: "USD 10",
        phone: null,
        customer_ref: null,
        quantity: 2,
        unit_amount: "15500.00",
        amount: "31000.00",
        face_amount: "31000.00",
        fee: "465.00",
        discount: "0.00",
        total_deducted: "31465.00",
        balance_after: "68535.00",
        delivery: {
          kind: "giftcards",
          brand: "Amazon",
          face_currency: "USD",
          face_value: "10.00",
          fx_rate: "1550.00",
          cards: [card(1, { value: "10.00", currency: "USD" }), card(2, { value: "10.00", currency: "USD" })],
        },
      },
    ));

  test("a range product's amount is in the card's currency", async () => {
    const answer = await under.send({ product_id: 11010, amount: 25.5, quantity: 2 });
    expectPurchase(answer, "giftcard", { status: "successful" });
    expect(answer.body).toMatchObject({
      unit_amount: "39525.00",
      amount: "79050.00",
      fee: "1185.75",
      total_deducted: "80235.75",
      delivery: { face_value: "25.50", fx_rate: "1550.00" },
    });
    expect(answer.body.delivery.cards.map((row: { value: string }) => row.value)).toEqual(["25.50", "25.50"]);
  });

  test("a naira card has no rate to speak of, and a discount", async () => {
    const { body } = await under.send({ product_id: 11901 });
    expect(body).toMatchObject({ unit_amount: "2000.00", discount: "60.00", fee: "0.00", total_deducted: "1940.00" });
    expect(body.delivery).toMatchObject({ face_currency: "NGN", face_value: "2000.00", fx_rate: "1.00" });
  });

  test("the recipient's number is the customer's, else the buyer's own", async () => {
    const both = await under.send({ recipient_phone: "08051234567", phone: "08031230002" });
    expect(both.body).toMatchObject({ status: "successful", customer_ref: "08051234567", phone: "08031230002" });
    const own = await under.send({ phone: "08031230002" });
    expect(own.body).toMatchObject({ status: "failed", customer_ref: "08031230002", phone: "08031230002" });
  });
});

test("400 AMOUNT_OUT_OF_RANGE tells the range in the card's currency", async () => {
  const answer = await under.send({ product_id: 11010, amount: "2000.01" });
  const meta = { min_amount: "1.00", max_amount: "2000.00", currency: "USD" };
  expectProblem(answer, 400, "AMOUNT_OUT_OF_RANGE", { fields: ["amount"], meta });
  expect(answer.body.message).toBe("Amount must be between 1.00 and 2000.00 USD.");
  expect(answer.body.errors).toEqual({ amount: ["Must be at most 2000.00 USD."] });
});

test("409 the price of a foreign card is expected in naira, with its fee", async () => {
  const expected = await under.send({ product_id: 11010, amount: "10", expected_price: "15732.50" });
  expectPurchase(expected, "giftcard", { status: "successful" });
});
