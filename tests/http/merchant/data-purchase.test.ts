import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/data/purchase",
  category: "data",
  body: { product_id: 1002, phone: "08031234567" },
  total: "640.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id", "phone"],
  respelled: { product_id: "1002", phone: "+234 803-123-4567", ported: true },
  different: { phone: "08031234568" },
  malformed: [
    [{ product_id: 1.5 }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: "1002.0" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: 0 }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: true }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: [1002] }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: null }, "VALIDATION_ERROR", "product_id"],
    [{ phone: "0803123456" }, "INVALID_PHONE", "phone"],
    [{ phone: "+1 212 555 0123" }, "INVALID_PHONE", "phone"],
    [{ phone: "٠٨٠٣١٢٣٤٥٦٧" }, "INVALID_PHONE", "phone"],
    [{ phone: 8031234567 }, "VALIDATION_ERROR", "phone"],
    [{ ported: "false" }, "VALIDATION_ERROR", "ported"],
    [{ phone: "08051234567", ported: false }, "NETWORK_MISMATCH", "phone"],
  ],
});

describe("201 data", () => {
  test("answers the whole transaction object", () =>
    under.expectWhole(
      {},
      {
        network: "MTN",
        biller: "MTN Data",
        biller_slug: "mtn-data",
        product_id: 1002,
        product: expect.stringContaining("1GB"),
        plan: "1GB",
        phone: "08031234567",
        customer_ref: "08031234567",
        quantity: 1,
        unit_amount: "640.00",
        amount: "640.00",
        face_amount: "640.00",
        fee: "0.00",
        discount: "0.00",
        total_deducted: "640.00",
        balance_after: "99360.00",
        delivery: { kind: "topup" },
      },
    ));

  test("a plan with a face value shows the merchant's discount", async () => {
    const { body } = await under.send({ product_id: 1062 });
    expect(body).toMatchObject({
      unit_amount: "1500.00",
      amount: "1500.00",
      face_amount: "1500.00",
      discount: "30.00",
      fee: "0.00",
      total_deducted: "1470.00",
    });
  });

  test.each(["0803 123 4567", "2348031234567", "+2348031234567", "+234-803-123-4567", " 08031234567 "])(
    "the number %j is stored in its local form",
    async (phone) => {
      const answer = await under.send({ phone });
      expectPurchase(answer, "data", { status: "successful" });
      expect(answer.body).toMatchObject({ phone: "08031234567", customer_ref: "08031234567" });
    },
  );

  test("a ported number buys another network's plan", async () => {
    for (const ported of [true, undefined]) {
      expectPurchase(await under.send({ phone: "08051234567", ported }), "data", { status: "successful" });
    }
  });

  test("0009 is a number like any other in a purchase", async () => {
    expectPurchase(await under.send({ phone: "08031230009" }), "data", { status: "successful" });
  });
});

test("400 NETWORK_MISMATCH names the prefix's network", async () => {
  const answer = await under.send({ phone: "08051234567", ported: false });
  expectProblem(answer, 400, "NETWORK_MISMATCH", { fields: ["phone"], meta: { network: "GLO" } });
});
