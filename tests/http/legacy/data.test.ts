import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../../src/domain/purchases/fingerprint.ts";
import { expectLegacyError } from "../../support/legacy-endpoint.ts";
import { describeLegacyPurchases } from "../../support/legacy-purchases.ts";

const noSuchPlan = "plan: There is no such data plan.";
const noPlan = "plan: Must be a whole number from 1 to 2147483647.";

const under = describeLegacyPurchases({
  path: "/api/data",
  category: "data",
  usual: { network: 1, mobile_number: "08031234567", plan: 2, Ported_number: true },
  total: "640.00",
  asStrings: { network: "1", plan: "2", Ported_number: "True" },
  different: { plan: 3 },
  successor: { path: "/data/purchase", body: { product_id: 1002, phone: "08031234567" } },
  required: ["network", "mobile_number", "plan"],
  malformed: [
    [{ plan: 777 }, noSuchPlan],
    [{ plan: 999_999 }, noSuchPlan],
    [{ plan: 2001 }, noSuchPlan],
    [{ plan: "1GB" }, noPlan],
    [{ plan: 1.5 }, noPlan],
    [{ plan: 0 }, noPlan],
    [{ plan: "9".repeat(200) }, noPlan],
    [{ network: 2 }, 'network: Does not fit the product 1002, "MTN 1GB SME (30 days)".'],
  ],
});

test("a new merchant's first purchase, whole", async () => {
  const { testKey } = await under.app.createMerchant();
  const answer = await under.send({ ident: "Data12345678901234567890" }, { as: testKey });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      id: 1,
      ident: "Data12345678901234567890",
      network: 1,
      balance_before: "100000.00",
      balance_after: "99360.00",
      payment_medium: "MAIN WALLET",
      mobile_number: "08031234567",
      plan: 2,
      plan_type: "SME",
      duration: "30 days",
      Status: "successful",
      status: "success",
      api_response: "MTN 1GB SME (30 days) for 08031234567: successful.",
      message: "MTN 1GB SME (30 days) for 08031234567: successful.",
      plan_network: "MTN",
      plan_name: "1GB",
      plan_amount: "640.00",
      create_date: expect.any(String),
      Ported_number: true,
    },
  ]);
  expect(answer.headers.get("link")).toContain("/api/v1/merchant/data/purchase");
});

describe("plan", () => {
  test.each([
    [1, 2, "MTN", 1002],
    [2, 202, "GLO", 1202],
    [3, 402, "9MOBILE", 1402],
    [4, 622, "AIRTEL", 1622],
  ])("network %d knows plan %d as one of %s", async (network, plan, name, productId) => {
    const { body } = await under.send({ network, plan });
    expect(body).toMatchObject({ network, plan, plan_network: name, Status: "successful" });
    const transaction = await under.app.call(under.key, `/transactions/${body.ident}`);
    expect(transaction.body.product_id).toBe(productId);
  });

  test.each([1002, "1002"])("the product_id %j is told as first sent, and is the same purchase", async (plan) => {
    const first = await under.send({ plan });
    expect(first.body).toMatchObject({ plan: 1002, plan_name: "1GB", plan_amount: "640.00" });
    const again = await under.send({ ident: first.body.ident, plan: 2, Ported_number: false });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test("another network under the same ident is another purchase", async () => {
    const ident = under.ident();
    const first = await under.send({ ident });
    const conflict = await under.send({ ident, network: 2 });
    expectLegacyError(conflict, 400, [
      "This reference was used for a different purchase: choose a new reference for this one.",
    ]);
    const again = await under.send({ ident });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test("what a purchase is told from others by stays what it was: an older version's is answered, too", async () => {
    const ident = under.ident();
    const first = await under.send({ ident });
    const text = "select fingerprint from purchases where reference = $1";
    const { rows } = await under.app.fresh.pool.query(text, [ident]);
    expect(rows).toEqual([{ fingerprint: fingerprintOf("data", { phone: "08031234567", product_id: 1002 }) }]);
    expect((await under.send({ ident, network: "1", plan: 1002 })).body).toEqual(first.body);
  });

  test("the supplier of a live purchase is told what the client said", async () => {
    await under.send({}, { as: under.app.merchant.liveKey ?? "" });
    const { request } = under.supplier.asked.at(-1) ?? {};
    expect(request).toMatchObject({ productId: 1002, phone: "08031234567", details: { plan: 2, ported: true } });
  });
});
