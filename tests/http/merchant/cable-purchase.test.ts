import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase, lagosInstant } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/cable/purchase",
  category: "cable",
  body: { product_id: 4004, smartcard_number: "7032145678", phone: "08031234567" },
  total: "18791.00",
  numbered: (suffix) => ({ smartcard_number: `703214${suffix}` }),
  required: ["smartcard_number", "phone"],
  respelled: { product_id: "4004", months: "1", phone: "+2348051234567" },
  different: { months: 2 },
  malformed: [
    [{ smartcard_number: "1234567" }, "INVALID_SMARTCARD", "smartcard_number"],
    [{ smartcard_number: "703214567812345" }, "INVALID_SMARTCARD", "smartcard_number"],
    [{ smartcard_number: "70321456AB" }, "INVALID_SMARTCARD", "smartcard_number"],
    [{ smartcard_number: 7_032_145_678 }, "VALIDATION_ERROR", "smartcard_number"],
    [{ months: 0 }, "QUANTITY_OUT_OF_RANGE", "months"],
    [{ months: "13" }, "QUANTITY_OUT_OF_RANGE", "months"],
    [{ months: 1.5 }, "VALIDATION_ERROR", "months"],
    [{ subscription_type: "upgrade" }, "VALIDATION_ERROR", "subscription_type"],
    [{ subscription_type: "renew" }, "VALIDATION_ERROR", "subscription_type"],
    [{ product_id: 4090, subscription_type: "change", amount: "5000" }, "VALIDATION_ERROR", "subscription_type"],
    [{ product_id: 4090 }, "VALIDATION_ERROR", "amount"],
    [{ amount: "18999.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ biller: "gotv" }, "VALIDATION_ERROR", "biller"],
    [{ product_id: undefined }, "VALIDATION_ERROR", ["product_id", "biller"]],
    [{ product_id: undefined, biller: "dstv", subscription_type: "change" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: undefined, biller: "dstv", amount: 5_000 }, "VALIDATION_ERROR", "subscription_type"],
    [{ product_id: undefined, biller: "dstv", subscription_type: "renew" }, "VALIDATION_ERROR", "amount"],
    [{ phone: "703214" }, "INVALID_PHONE", "phone"],
  ],
});

describe("201 cable", () => {
  test("answers the whole transaction object", () =>
    under.expectWhole(
      { months: 2 },
      {
        network: null,
        biller: "DStv",
        biller_slug: "dstv",
        product_id: 4004,
        product: "DStv Compact",
        plan: "Compact",
        phone: "08031234567",
        customer_ref: "7032145678",
        quantity: 2,
        unit_amount: "19000.00",
        amount: "38000.00",
        face_amount: "38000.00",
        fee: "0.00",
        discount: "418.00",
        total_deducted: "37582.00",
        balance_after: "62418.00",
        delivery: {
          kind: "cable",
          smartcard_number: "7032145678",
          customer_name: expect.stringMatching(/\S/),
          bouquet: "Compact",
          months: 2,
          valid_until: expect.stringMatching(lagosInstant),
        },
      },
    ));

  test("a renewal pays the amount that the smartcard owes", async () => {
    const renewal = { product_id: undefined, biller: "gotv", subscription_type: "renew", amount: "3900.50" };
    const answer = await under.send(renewal);
    expectPurchase(answer, "cable", { status: "successful" });
    expect(answer.body).toMatchObject({ product_id: 4190, unit_amount: "3900.50", total_deducted: "3857.59" });
  });
});

describe("201 a renewal after a verify", () => {
  const numbers = Array.from({ length: 12 }, (_, n) => `020345${60_000 + n * 7}`);
  const phone = "08031234567";

  test.each(["dstv", "gotv", "startimes"])("%s pays the bouquet that was told, for its validity", async (biller) => {
    const { app } = under;
    const { testKey } = await app.createMerchant({ testCredit: kobo(1_000_000_000n) });
    const { products } = (await app.call(testKey, `/billers/${biller}/products`)).body;
    for (const smartcard_number of numbers) {
      const card = { biller, smartcard_number };
      const told = (await app.call(testKey, "/cable/verify", { body: card })).body;
      const { validity } = products.find((row: { product_id: number }) => row.product_id === told.current_product_id);
      const renewal = { ...card, phone, subscription_type: "renew", amount: told.renewal_amount, months: 2 };
      const body = { ...renewal, reference: smartcard_number };
      const { delivery, purchased_at } = (await app.call(testKey, "/cable/purchase", { body })).body;
      const { customer_name, current_bouquet } = told;
      expect(delivery).toMatchObject({ customer_name, bouquet: current_bouquet });
      const paidMs = Date.parse(delivery.valid_until) - Date.parse(purchased_at);
      expect(`${paidMs / 2 / 86_400_000} days`).toBe(validity);
    }
  });

  test("a smartcard that never had a bouquet gets what the product says", async () => {
    const card = { biller: "dstv", smartcard_number: "7032140006" };
    const { body } = await under.send({
      ...card,
      product_id: undefined,
      subscription_type: "renew",
      amount: "4400.00",
    });
    expect(body).toMatchObject({ status: "successful", delivery: { bouquet: body.plan } });
  });
});

test("400 QUANTITY_OUT_OF_RANGE tells the range of months", async () => {
  const answer = await under.send({ months: 13 });
  expectProblem(answer, 400, "QUANTITY_OUT_OF_RANGE", {
    fields: ["months"],
    meta: { min_quantity: 1, max_quantity: 12 },
  });
});

test("404 a renewal at an unknown biller", async () => {
  const renewal = { product_id: undefined, biller: "mytv", subscription_type: "renew", amount: "3900" };
  expectProblem(await under.send(renewal), 404, "BILLER_NOT_FOUND");
});
