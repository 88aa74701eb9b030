import { describe, expect, test, vi } from "vitest";
import { describeVerifyEndpoint } from "../../support/verify-endpoint.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const under = describeVerifyEndpoint({
  path: "/electricity/verify",
  category: "electricity",
  body: { biller: "ikeja-electric", meter_number: "45012345678", meter_type: "prepaid" },
  numberField: "meter_number",
  numbered: (suffix) => `4501234${suffix}`,
  required: ["meter_number", "meter_type"],
  malformed: [
    [{ meter_number: "12345" }, "INVALID_METER", "meter_number"],
    [{ meter_number: "4501 2345 678" }, "INVALID_METER", "meter_number"],
    [{ meter_number: 45_012_345_678 }, "VALIDATION_ERROR", "meter_number"],
    [{ meter_type: "smart" }, "VALIDATION_ERROR", "meter_type"],
    [{ meter_type: "PREPAID" }, "VALIDATION_ERROR", "meter_type"],
    [{ biller: "Ikeja Electric" }, "VALIDATION_ERROR", "biller"],
    [{ biller: undefined }, "VALIDATION_ERROR", ["product_id", "biller"]],
    [{ product_id: "x" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: 3003 }, "VALIDATION_ERROR", "biller"],
    [{ product_id: 3002, biller: undefined }, "VALIDATION_ERROR", "meter_type"],
  ],
  findings: {
    customer_name: "ADEYEMI TUNDE",
    customer_address: "12 Allen Avenue, Ikeja",
    tariff_class: null,
    outstanding_debt: "1250.00",
    can_vend: false,
  },
});

describe("200 electricity", () => {
  test("answers exactly what the contract names", async () => {
    const { body } = await under.send();
    expect(body).toEqual({
      verified: true,
      biller_slug: "ikeja-electric",
      meter_number: "45012345678",
      meter_type: "prepaid",
      customer_name: expect.any(String),
      customer_address: expect.stringMatching(/Testville$/),
      tariff_class: expect.stringMatching(/^[A-E]$/),
      min_amount: "1000.00",
      max_amount: "200000.00",
      outstanding_debt: "0.00",
      can_vend: true,
      verification_id: expect.stringMatching(/^ver_[A-Za-z0-9_-]{28}$/),
      expires_at: expect.any(String),
      sandbox: true,
    });
  });

  test("a product stands for its biller, also as a string of digits and next to it", async () => {
    for (const selector of [{ product_id: 3002, biller: undefined }, { product_id: "3002" }]) {
      const { status, body } = await under.send({ ...selector, meter_type: "postpaid" });
      expect([status, body.biller_slug, body.meter_type]).toEqual([200, "ikeja-electric", "postpaid"]);
    }
  });

  test("the least amount is the disco's own", async () => {
    expect((await under.send({ biller: "ibadan-electric" })).body.min_amount).toBe("2000.00");
  });

  test("a meter ending in 0008 has a debt, and is sold to all the same", async () => {
    const { body } = await under.send(under.number("0008"));
    expect(body).toMatchObject({ outstanding_debt: "500.00", can_vend: true });
  });
});

describe("400, 404 and 503 electricity", () => {
  test("a meter type that the disco lacks", async () => {
    const { pool } = under.app.fresh;
    await pool.query("update products set meter_type = 'prepaid' where id = 3006");
    await pool.query("update revisions set revision = revision + 1 where subject = 'catalogue'");
    const answer = await vi.waitFor(
      async () => {
        const refused = await under.send({ biller: "abuja-electric", meter_type: "postpaid" });
        expect(refused.status).not.toBe(200);
        return refused;
      },
      { timeout: 20_000, interval: 25 },
    );
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["meter_type"] });
  });

  test("a product of another category, and one that never was", async () => {
    for (const productId of [1002, 2_147_483_647]) {
      const answer = await under.send({ product_id: productId, biller: undefined });
      expectProblem(answer, 404, "PRODUCT_NOT_FOUND");
    }
  });

  test("a meter type whose products are withdrawn", async () => {
    const { pool } = under.app.fresh;
    await pool.query("update products set available = false where id = 3007");
    await pool.query("update revisions set revision = revision + 1 where subject = 'catalogue'");
    const send = () => under.send({ biller: "kano-electric", meter_type: "prepaid" });
    await vi.waitUntil(async () => (await send()).status !== 200, { timeout: 20_000, interval: 25 });
    expectProblem(await send(), 503, "PRODUCT_UNAVAILABLE");
    expect((await under.send({ biller: "kano-electric", meter_type: "postpaid" })).status).toBe(200);
  });
});
