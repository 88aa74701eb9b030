import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectPurchase, lagosInstant } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/esim/purchase",
  category: "esim",
  body: { product_id: 12401 },
  total: "6900.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id"],
  respelled: { product_id: "12401", quantity: "1", email: "ada@example.ng" },
  different: { phone: "08031234567" },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 11 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ email: "not an address" }, "VALIDATION_ERROR", "email"],
    [{ email: 5 }, "VALIDATION_ERROR", "email"],
    [{ phone: "+44 7700 900123" }, "INVALID_PHONE", "phone"],
  ],
});

const profile = {
  iccid: expect.stringMatching(/^89[0-9]{17,18}$/),
  lpa: expect.stringMatching(/^LPA:1\$[^$]+\$[^$]+$/),
  smdp_address: expect.stringMatching(/\S/),
  matching_id: expect.stringMatching(/\S/),
  qr_code: expect.stringMatching(/^data:image\/png;base64,/),
  apn: "internet",
  data_mb: 1_024,
  validity_days: 7,
  coverage: ["GB"],
  expires_at: expect.stringMatching(lagosInstant),
};

describe("201 esim", () => {
  test("answers the whole transaction object, a profile for each one bought", () =>
    under.expectWhole(
      { quantity: 2, email: "ada@example.ng", phone: "08031234567" },
      {
        network: null,
        biller: "eSIM United Kingdom",
        biller_slug: "esim-gb",
        product_id: 12401,
        product: "United Kingdom 1GB (7 days)",
        plan: "1GB",
        phone: "08031234567",
        customer_ref: "08031234567",
        quantity: 2,
        unit_amount: "6900.00",
        amount: "13800.00",
        face_amount: "13800.00",
        fee: "0.00",
        discount: "0.00",
        total_deducted: "13800.00",
        balance_after: "86200.00",
        delivery: { kind: "esims", esims: [profile, profile] },
      },
    ));

  test("each profile is its own, and its code is made of its parts", async () => {
    const { body } = await under.send({ quantity: 3 });
    const { esims } = body.delivery;
    for (const { lpa, smdp_address, matching_id, qr_code } of esims) {
      expect(lpa).toBe(`LPA:1$${smdp_address}$${matching_id}`);
      const png = Buffer.from(qr_code.slice("data:image/png;base64,".length), "base64");
      expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    }
    for (const field of ["iccid", "matching_id", "qr_code"]) {
      expect(new Set(esims.map((esim: Record<string, string>) => esim[field])).size).toBe(3);
    }
  });

  test("an unlimited plan has no volume, a region many countries", async () => {
    const answer = await under.send({ product_id: 12031 });
    expectPurchase(answer, "esim", { status: "successful" });
    const [esim] = answer.body.delivery.esims;
    expect(esim).toMatchObject({ data_mb: null, validity_days: 7 });
    expect(esim.coverage).toEqual(expect.arrayContaining(["DE", "FR"]));
  });
});
