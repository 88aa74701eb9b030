import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase, expectRequery } from "../../support/wire-expectations.ts";

const under = describePurchaseEndpoint({
  path: "/electricity/purchase",
  category: "electricity",
  body: {
    biller: "ikeja-electric",
    meter_type: "prepaid",
    meter_number: "45012345678",
    amount: "5000.00",
    phone: "08031234567",
  },
  total: "4975.00",
  numbered: (suffix) => ({ meter_number: `4501234${suffix}` }),
  required: ["meter_number", "amount", "phone"],
  // Neither the contact phone nor a verification is part of what is bought.
  respelled: { amount: 5000, phone: "08051234567" },
  different: { meter_type: "postpaid" },
  malformed: [
    [{ meter_number: "12345" }, "INVALID_METER", "meter_number"],
    [{ meter_number: "45012345678901" }, "INVALID_METER", "meter_number"],
    [{ meter_number: "4501 2345 678" }, "INVALID_METER", "meter_number"],
    [{ meter_number: 45_012_345_678 }, "VALIDATION_ERROR", "meter_number"],
    [{ meter_type: "smart" }, "VALIDATION_ERROR", "meter_type"],
    [{ meter_type: undefined }, "VALIDATION_ERROR", "meter_type"],
    [{ biller: undefined }, "VALIDATION_ERROR", ["product_id", "biller"]],
    [{ biller: "Ikeja Electric" }, "VALIDATION_ERROR", "biller"],
    [{ product_id: 3002, biller: undefined }, "VALIDATION_ERROR", "meter_type"],
    [{ product_id: 3003 }, "VALIDATION_ERROR", "biller"],
    [{ amount: "999.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ amount: "200000.01" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ amount: "5000.005" }, "VALIDATION_ERROR", "amount"],
    [{ phone: "4501" }, "INVALID_PHONE", "phone"],
  ],
});

const decimal = expect.stringMatching(/^[0-9]+\.[0-9]{2}$/);
const token = expect.stringMatching(/^[0-9]{20}$/);

describe("201 electricity", () => {
  test("answers the whole transaction object, the token at top level too", () =>
    under.expectWhole(
      {},
      {
        network: null,
        biller: "Ikeja Electric (IKEDC)",
        biller_slug: "ikeja-electric",
        product_id: 3001,
        product: "Ikeja Electric (IKEDC) Prepaid",
        plan: null,
        phone: "08031234567",
        customer_ref: "45012345678",
        quantity: 1,
        unit_amount: "5000.00",
        amount: "5000.00",
        face_amount: "5000.00",
        fee: "0.00",
        discount: "25.00",
        total_deducted: "4975.00",
        balance_after: "95025.00",
        token,
        delivery: {
          kind: "electricity",
          token,
          token_formatted: expect.stringMatching(/^[0-9]{4}(-[0-9]{4}){4}$/),
          units: decimal,
          tokens: [{ type: "main", value: token, order: 1 }],
          tariff: decimal,
          tariff_band: expect.stringMatching(/^[A-E]$/),
          amount_breakdown: { energy: "4651.16", vat: "348.84", debt_recovered: "0.00" },
          receipt_number: expect.stringMatching(/\S/),
          meter_number: "45012345678",
          customer_name: expect.stringMatching(/\S/),
          customer_address: expect.stringMatching(/\S/),
        },
      },
    ));

  test("one token stands in all its places, and the requery tells it again", async () => {
    const reference = under.reference();
    const { body } = await under.send({ reference });
    const { delivery } = body;
    expect(body.token).toBe(delivery.token);
    expect(delivery.token_formatted.replaceAll("-", "")).toBe(delivery.token);
    expect(delivery.tokens.at(-1).value).toBe(delivery.token);
    expect((await under.requery(reference)).body).toMatchObject({ token: body.token, delivery });
  });

  test("a postpaid meter gets a receipt and no token", async () => {
    const answer = await under.send({ meter_type: "postpaid" });
    expectPurchase(answer, "electricity", { status: "successful" });
    const { token: topLevel, delivery } = answer.body;
    expect([topLevel, delivery.token, delivery.token_formatted, delivery.units, delivery.tokens]).toEqual([
      null,
      null,
      null,
      null,
      [],
    ]);
  });

  test("key-change tokens come first, in the order of entry", async () => {
    const { body } = await under.send({ meter_number: "45012340007" });
    const { tokens } = body.delivery;
    expect(tokens.map((row: { type: string; order: number }) => [row.order, row.type])).toEqual([
      [1, "kct1"],
      [2, "kct2"],
      [3, "main"],
    ]);
    expect(body.token).toBe(tokens[2].value);
  });

  test("the product may be named by its id alone, or with facts that agree", async () => {
    for (const selector of [{ biller: undefined, meter_type: undefined }, {}]) {
      const answer = await under.send({ product_id: "3001", ...selector });
      expectPurchase(answer, "electricity", { status: "successful" });
      expect(answer.body.product_id).toBe(3001);
    }
  });
});

describe("202 and 422 electricity", () => {
  test.each([
    ["0002", "failed"],
    ["0003", "pending"],
  ] as const)("%s has a token field, and nothing in it", async (suffix, status) => {
    const reference = under.reference();
    const answer = await under.send({ reference, meter_number: `4501234${suffix}` });
    expectPurchase(answer, "electricity", { status });
    const asked = await under.requery(reference);
    expectRequery(asked, status);
    expect([answer.body.token, asked.body.token]).toEqual([null, null]);
  });
});

test("404 a biller of another category is not found, nor one that never was", async () => {
  for (const biller of ["dstv", "nobody-electric"]) {
    expectProblem(await under.send({ biller }), 404, "BILLER_NOT_FOUND");
  }
});
