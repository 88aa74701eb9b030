import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/betting/fund",
  category: "betting",
  body: { biller: "bet9ja", customer_id: "1042377", amount: "1500" },
  total: "1492.50",
  numbered: (suffix) => ({ customer_id: `104${suffix}` }),
  required: ["customer_id", "amount"],
  respelled: { amount: 1500.0 },
  different: { customer_id: "1042378" },
  malformed: [
    [{ customer_id: "ab" }, "VALIDATION_ERROR", "customer_id"],
    [{ customer_id: "a".repeat(33) }, "VALIDATION_ERROR", "customer_id"],
    [{ customer_id: "1042-377" }, "VALIDATION_ERROR", "customer_id"],
    [{ customer_id: 1_042_377 }, "VALIDATION_ERROR", "customer_id"],
    [{ amount: 0 }, "VALIDATION_ERROR", "amount"],
    [{ amount: "99.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ amount: "1000000.01" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ biller: "" }, "VALIDATION_ERROR", "biller"],
    [{ biller: undefined }, "VALIDATION_ERROR", ["product_id", "biller"]],
    [{ product_id: 6014 }, "VALIDATION_ERROR", "biller"],
  ],
});

describe("201 betting", () => {
  test("answers the whole transaction object", () =>
    under.expectWhole(
      {},
      {
        network: null,
        biller: "Bet9ja",
        biller_slug: "bet9ja",
        product_id: 6001,
        product: "Bet9ja wallet funding",
        plan: null,
        phone: null,
        customer_ref: "1042377",
        quantity: 1,
        unit_amount: "1500.00",
        amount: "1500.00",
        face_amount: "1500.00",
        fee: "0.00",
        discount: "7.50",
        total_deducted: "1492.50",
        balance_after: "98507.50",
        delivery: {
          kind: "betting",
          customer_id: "1042377",
          customer_name: expect.stringMatching(/\S/),
          operator_reference: expect.stringMatching(/\S/),
        },
      },
    ));

  test("the operator may be named by product, and an id may hold letters", async () => {
    const answer = await under.send({ biller: undefined, product_id: "6014", customer_id: "Ada99" });
    expectPurchase(answer, "betting", { status: "successful" });
    expect(answer.body).toMatchObject({ biller_slug: "sportybet", customer_ref: "Ada99" });
  });
});

test("404 a biller of another category is not found, nor one that never was", async () => {
  for (const biller of ["dstv", "nobet"]) expectProblem(await under.send({ biller }), 404, "BILLER_NOT_FOUND");
});
