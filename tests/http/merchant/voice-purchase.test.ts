import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";

const under = describePurchaseEndpoint({
  path: "/voice/purchase",
  category: "voice",
  body: { product_id: 8101, phone: "08031234567" },
  total: "291.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id", "phone"],
  respelled: { product_id: "8101", phone: "2348031234567" },
  different: { product_id: 8102 },
  malformed: [
    [{ product_id: "MTN" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: "-1" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: 2_147_483_648 }, "VALIDATION_ERROR", "product_id"],
    [{ phone: "" }, "INVALID_PHONE", "phone"],
    [{ phone: ["08031234567"] }, "VALIDATION_ERROR", "phone"],
  ],
});

describe("201 voice", () => {
  test("answers the whole transaction object", () =>
    under.expectWhole(
      {},
      {
        network: "MTN",
        biller: "MTN XtraValue",
        biller_slug: "mtn-voice",
        product_id: 8101,
        product: "MTN XtraValue XtraTalk 300 (3 days)",
        plan: "XtraTalk 300",
        phone: "08031234567",
        customer_ref: "08031234567",
        quantity: 1,
        unit_amount: "300.00",
        amount: "300.00",
        face_amount: "300.00",
        fee: "0.00",
        discount: "9.00",
        total_deducted: "291.00",
        balance_after: "99709.00",
        delivery: { kind: "topup" },
      },
    ));

  test("a provider that is no mobile network has no network", async () => {
    const { body } = await under.send({ product_id: 8001 });
    expect(body).toMatchObject({ status: "successful", network: null, biller_slug: "smile-voice" });
  });
});
