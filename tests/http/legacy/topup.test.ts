import { describe, expect, test } from "vitest";
import { describeLegacyPurchases } from "../../support/legacy-purchases.ts";

const noAmount = "amount: Must be a positive amount with at most two decimals.";

const under = describeLegacyPurchases({
  path: "/api/topup",
  category: "airtime",
  usual: { network: 1, amount: 100, mobile_number: "08031234567", Ported_number: true, airtime_type: "VTU" },
  total: "96.80",
  asStrings: { network: "1", amount: "100", Ported_number: "true" },
  different: { amount: 101 },
  successor: { path: "/airtime/purchase", body: { network: "MTN", phone: "08031234567", amount: 100 } },
  required: ["network", "amount", "mobile_number"],
  malformed: [
    [{ amount: 0 }, noAmount],
    [{ amount: -100 }, noAmount],
    [{ amount: "1,000" }, noAmount],
    [{ amount: "₦100" }, noAmount],
    [{ amount: 100.001 }, noAmount],
    [{ amount: true }, noAmount],
    [{ amount: "49.99" }, "amount: Must be at least 50.00."],
    [{ amount: 50_001 }, "amount: Must be at most 50000.00."],
    [{ airtime_type: "Share and Sell" }, "airtime_type: Must be VTU."],
    [{ airtime_type: "awuf4U" }, "airtime_type: Must be VTU."],
  ],
});

test("a new merchant's first purchase, whole", async () => {
  const { testKey } = await under.app.createMerchant();
  const answer = await under.send({ ident: "Airtime-1" }, { as: testKey });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      id: 1,
      ident: "Airtime-1",
      airtime_type: "VTU",
      network: 1,
      paid_amount: "96.80",
      mobile_number: "08031234567",
      amount: "100.00",
      plan_amount: "100.00",
      plan_network: "MTN",
      balance_before: "100000.00",
      balance_after: "99903.20",
      Status: "successful",
      status: "success",
      api_response: "MTN Airtime for 08031234567: successful.",
      message: "MTN Airtime for 08031234567: successful.",
      create_date: expect.any(String),
      Ported_number: true,
    },
  ]);
  expect(answer.headers.get("link")).toContain("/api/v1/merchant/airtime/purchase");
});

describe("amount and network", () => {
  test.each([
    [1, "MTN", "96.80", "0803"],
    [2, "GLO", "95.00", "0805"],
    [3, "9MOBILE", "97.00", "0809"],
    [4, "AIRTEL", "97.50", "0802"],
  ])("network %d is %s and charges its price", async (network, name, paid, prefix) => {
    const { body } = await under.send({ network, mobile_number: `${prefix}1234567` });
    expect(body).toMatchObject({ network, plan_network: name, paid_amount: paid, Status: "successful" });
  });

  test.each([
    [50, "50.00"],
    ["50000", "50000.00"],
    ["100.5", "100.50"],
    [123.45, "123.45"],
    [" 100 ", "100.00"],
  ])("%j is told as %s", async (amount, told) => {
    const { body } = await under.send({ amount });
    expect(body).toMatchObject({ amount: told, plan_amount: told, Status: "successful" });
  });

  test.each(["VTU", "vtu", "Vtu", "", null, undefined])("airtime_type %j is VTU", async (type) => {
    const { body } = await under.send({ airtime_type: type });
    expect([body.Status, body.airtime_type]).toEqual(["successful", "VTU"]);
  });

  test("what failed was not paid", async () => {
    const { body } = await under.send({ mobile_number: "08031230002" });
    expect(body).toMatchObject({ Status: "failed", amount: "100.00", paid_amount: "0.00" });
  });
});
