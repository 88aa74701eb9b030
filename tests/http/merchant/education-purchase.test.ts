import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase, lagosInstant } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/education/purchase",
  category: "education",
  body: { product_id: 5001, phone: "08031234567" },
  total: "3250.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id", "phone"],
  respelled: { quantity: "1", phone: "234 803 123 4567" },
  different: { quantity: 2 },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: -1 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: "6" }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 1.5 }, "VALIDATION_ERROR", "quantity"],
    [{ quantity: "two" }, "VALIDATION_ERROR", "quantity"],
    [{ quantity: true }, "VALIDATION_ERROR", "quantity"],
    [{ quantity: [1] }, "VALIDATION_ERROR", "quantity"],
    [{ profile_code: "123456789" }, "VALIDATION_ERROR", "profile_code"],
    [{ profile_code: 1_234_567_890 }, "VALIDATION_ERROR", "profile_code"],
    [{ product_id: 5051 }, "VALIDATION_ERROR", "profile_code"],
    [{ product_id: 5051, profile_code: "1234567890", quantity: 2 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ phone: "0800" }, "INVALID_PHONE", "phone"],
  ],
});

function pin(sequence: number) {
  return {
    sequence,
    pin: expect.stringMatching(/^[0-9]{12}$/),
    serial: expect.stringMatching(/^WRN[0-9]{9}$/),
    expires_at: expect.stringMatching(lagosInstant),
  };
}

describe("201 education", () => {
  test("answers the whole transaction object, a PIN for each one bought", () =>
    under.expectWhole(
      { quantity: 3 },
      {
        network: null,
        biller: "WAEC Result Checker",
        biller_slug: "waec",
        product_id: 5001,
        product: "WAEC Result Checker PIN",
        plan: "WAEC Result Checker PIN",
        phone: "08031234567",
        customer_ref: "08031234567",
        quantity: 3,
        unit_amount: "3500.00",
        amount: "10500.00",
        face_amount: "10500.00",
        fee: "0.00",
        discount: "750.00",
        total_deducted: "9750.00",
        balance_after: "90250.00",
        delivery: {
          kind: "pins",
          exam: "WASSCE",
          pins: [pin(1), pin(2), pin(3)],
          check_url: "https://www.waecdirect.org",
        },
      },
    ));

  test("no PIN and no serial is handed out twice", async () => {
    const bought = await Promise.all([1, 2, 3].map(() => under.send({ quantity: 5 })));
    const pins = bought.flatMap(({ body }) => body.delivery.pins);
    for (const field of ["pin", "serial"]) expect(new Set(pins.map((row) => row[field])).size).toBe(15);
  });

  test("a registration is bought with the candidate's profile code", async () => {
    expectPurchase(await under.send({ product_id: 5051, profile_code: "1234567890" }), "education", {
      status: "successful",
    });
  });
});

test("400 what a product needs beyond its schema is refused by a message that names the field", async () => {
  const { body } = await under.send({ product_id: 5051 });
  expect([body.message, body.errors]).toEqual([
    "The field profile_code is required for this product.",
    { profile_code: ["Is required for this product."] },
  ]);
});

test("400 QUANTITY_OUT_OF_RANGE tells the endpoint's range, and the product's where that is narrower", async () => {
  const [many, two] = [
    await under.send({ quantity: 6 }),
    { product_id: 5051, profile_code: "1234567890", quantity: 2 },
  ];
  const fields = ["quantity"];
  expectProblem(many, 400, "QUANTITY_OUT_OF_RANGE", { fields, meta: { min_quantity: 1, max_quantity: 5 } });
  expectProblem(await under.send(two), 400, "QUANTITY_OUT_OF_RANGE", {
    fields,
    meta: { min_quantity: 1, max_quantity: 1 },
  });
});
