import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectPurchase, lagosInstant } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/recharge-pin/purchase",
  category: "recharge_pin",
  body: { network: "MTN", denomination: "100.00", quantity: 2 },
  total: "199.60",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["quantity"],
  respelled: { network: "mtn", denomination: 100, quantity: "2", business_name: "Corner Shop" },
  different: { quantity: 3 },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 101 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: "-5" }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 2.5 }, "VALIDATION_ERROR", "quantity"],
    [{ denomination: "100.001" }, "VALIDATION_ERROR", "denomination"],
    [{ denomination: 150 }, "VALIDATION_ERROR", "denomination"],
    [{ denomination: undefined }, "VALIDATION_ERROR", "denomination"],
    [{ network: "STARCOMMS" }, "VALIDATION_ERROR", "network"],
    [{ network: undefined }, "VALIDATION_ERROR", ["product_id", "network"]],
    [{ product_id: 10101 }, "VALIDATION_ERROR", "network"],
    [{ product_id: 10002 }, "VALIDATION_ERROR", "denomination"],
    [{ business_name: "" }, "VALIDATION_ERROR", "business_name"],
    [{ business_name: "x".repeat(61) }, "VALIDATION_ERROR", "business_name"],
    [{ phone: "0803" }, "INVALID_PHONE", "phone"],
  ],
});

describe("201 recharge PIN", () => {
  test("answers the whole transaction object, a PIN for each one bought", () => {
    const loadCode = expect.stringMatching(/^\*311\*[0-9]{17}#$/);
    const pin = {
      pin: expect.stringMatching(/^[0-9]{17}$/),
      serial: expect.stringMatching(/^[0-9]{17}$/),
      load_code: loadCode,
      expires_at: expect.stringMatching(lagosInstant),
    };
    return under.expectWhole(
      { business_name: "Mama Ngozi's Shop" },
      {
        network: "MTN",
        biller: "MTN Recharge PIN",
        biller_slug: "mtn-recharge-pin",
        product_id: 10001,
        product: "MTN ₦100 Recharge PIN",
        plan: "₦100",
        phone: null,
        customer_ref: null,
        quantity: 2,
        unit_amount: "100.00",
        amount: "200.00",
        face_amount: "200.00",
        fee: "0.00",
        discount: "0.40",
        total_deducted: "199.60",
        balance_after: "99800.40",
        delivery: {
          kind: "pins",
          network: "MTN",
          face_amount: "100.00",
          load_code: "*311*PIN#",
          business_name: "Mama Ngozi's Shop",
          pins: [
            { sequence: 1, ...pin },
            { sequence: 2, ...pin },
          ],
        },
      },
    );
  });

  test("a hundred PINs at once: each with its own load code, none twice", async () => {
    const answer = await under.send({ quantity: 100, network: "T2", phone: "08091234567" });
    expectPurchase(answer, "recharge_pin", { status: "successful" });
    expect(answer.body).toMatchObject({ network: "9MOBILE", customer_ref: "08091234567", total_deducted: "9960.00" });
    const { pins } = answer.body.delivery;
    for (const { pin, load_code } of pins) expect(load_code).toBe(`*311*${pin}#`);
    expect(pins.map((row: { sequence: number }) => row.sequence)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    for (const field of ["pin", "serial"]) {
      expect(new Set(pins.map((row: Record<string, string>) => row[field])).size).toBe(100);
    }
  });

  test("the product may be named by its id alone", async () => {
    const { body } = await under.send({ product_id: 10305, network: undefined, denomination: undefined });
    expect(body).toMatchObject({ status: "successful", network: "AIRTEL", unit_amount: "1000.00" });
  });
});
