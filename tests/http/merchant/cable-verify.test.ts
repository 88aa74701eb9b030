import { describe, expect, test } from "vitest";
import { describeVerifyEndpoint } from "../../support/verify-endpoint.ts";

const under = describeVerifyEndpoint({
  path: "/cable/verify",
  category: "cable",
  body: { biller: "dstv", smartcard_number: "7032145678" },
  numberField: "smartcard_number",
  numbered: (suffix) => `703214${suffix}`,
  required: ["biller", "smartcard_number"],
  malformed: [
    [{ smartcard_number: "1234567" }, "INVALID_SMARTCARD", "smartcard_number"],
    [{ smartcard_number: "703214567890123" }, "INVALID_SMARTCARD", "smartcard_number"],
    [{ smartcard_number: 7_032_145_678 }, "VALIDATION_ERROR", "smartcard_number"],
    [{ biller: "DStv" }, "VALIDATION_ERROR", "biller"],
    [{ biller: ["dstv"] }, "VALIDATION_ERROR", "biller"],
  ],
  findings: {
    customer_name: "ADEYEMI TUNDE",
    account_status: "suspended",
    current_bouquet: "Compact",
    current_product_id: null,
    due_date: null,
    renewal_amount: "19000.00",
  },
});

describe("200 cable", () => {
  test("answers exactly what the contract names", async () => {
    const { body } = await under.send();
    expect(body).toEqual({
      verified: true,
      biller_slug: "dstv",
      smartcard_number: "7032145678",
      customer_name: expect.any(String),
      account_status: expect.stringMatching(/^(active|expired)$/),
      current_bouquet: expect.any(String),
      current_product_id: expect.any(Number),
      due_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      renewal_amount: expect.stringMatching(/^\d+\.00$/),
      verification_id: expect.stringMatching(/^ver_[A-Za-z0-9_-]{28}$/),
      expires_at: expect.any(String),
      sandbox: true,
    });
  });

  test("the bouquet is a product of the biller at its price", async () => {
    for (const biller of ["dstv", "gotv", "startimes"]) {
      const { body } = await under.send({ biller });
      const { products } = (await under.app.call(under.app.merchant.testKey, `/billers/${biller}/products`)).body;
      const product = products.find((row: { product_id: number }) => row.product_id === body.current_product_id);
      expect([product.plan, product.face_amount]).toEqual([body.current_bouquet, body.renewal_amount]);
    }
  });

  test("a smartcard ending in 0006 is new", async () => {
    const { body } = await under.send(under.number("0006"));
    expect(body).toMatchObject({ account_status: "new", current_bouquet: null, renewal_amount: null });
  });

  test("Showmax, which has no renewals, names the bouquet's product alone", async () => {
    const { body } = await under.send({ biller: "showmax" });
    expect(body).toMatchObject({ current_product_id: expect.any(Number), renewal_amount: null });
  });
});
