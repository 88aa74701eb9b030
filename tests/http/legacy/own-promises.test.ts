import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../../src/domain/purchases/fingerprint.ts";
import { expectLegacyError, postLegacy } from "../../support/legacy-endpoint.ts";
import { LegacyUnderTest, openLegacyShop } from "./endpoint.ts";
import * as endpoints from "./endpoints.ts";

// What one endpoint alone promises, beyond its row.

const shop = await openLegacyShop();
const { app, key } = shop;
const data = new LegacyUnderTest(shop, endpoints.data);
const topup = new LegacyUnderTest(shop, endpoints.topup);

describe.each([data, topup])("$endpoint.path: Ported_number", (under) => {
  // 0805 is a prefix of Glo's. What is asked for airtime to another network's prefix is in a file of its own.
  const number = under === data ? "08051234567" : "08031234567";

  test.each([true, "true", "True", "1", 1, "on", undefined])("%j is told as it was sent", async (ported) => {
    const { body } = await under.send({ mobile_number: number, Ported_number: ported });
    expect([body.Status, body.Ported_number]).toEqual(["successful", true]);
  });

  test.each([false, "false", "False", "0", 0, "off"])("%j refuses another network's prefix", async (ported) => {
    const text = "mobile_number: The number's prefix belongs to GLO, the product to MTN.";
    await under.expectRefused({ mobile_number: "08051234567", Ported_number: ported }, [text]);
    const { body } = await under.send({ Ported_number: ported });
    expect([body.Status, body.Ported_number]).toEqual(["successful", false]);
  });

  test.each(["maybe", 2, -1, "2", []])("400 for %j", (ported) =>
    under.expectRefused({ Ported_number: ported }, ["Ported_number: Must be true or false."]),
  );
});

describe("/api/data: plan", () => {
  test.each([
    [1, 2, "MTN", 1002],
    [2, 202, "GLO", 1202],
    [3, 402, "9MOBILE", 1402],
    [4, 622, "AIRTEL", 1622],
  ])("network %d knows plan %d as one of %s", async (network, plan, name, productId) => {
    const { body } = await data.send({ network, plan });
    expect(body).toMatchObject({ network, plan, plan_network: name, Status: "successful" });
    const transaction = await app.call(key, `/transactions/${body.ident}`);
    expect(transaction.body.product_id).toBe(productId);
  });

  test.each([1002, "1002"])("the product_id %j is told as first sent, and is the same purchase", async (plan) => {
    const first = await data.send({ plan });
    expect(first.body).toMatchObject({ plan: 1002, plan_name: "1GB", plan_amount: "640.00" });
    const again = await data.send({ ident: first.body.ident, plan: 2, Ported_number: false });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test("another network under the same ident is another purchase", async () => {
    const ident = data.ident();
    const first = await data.send({ ident });
    expectLegacyError(await data.send({ ident, network: 2 }), 400, ["This reference was used for a different…"]);
    const again = await data.send({ ident });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test("what a purchase is told from others by stays what it was: an older version's is answered, too", async () => {
    const ident = data.ident();
    const first = await data.send({ ident });
    const text = "select fingerprint from purchases where reference = $1";
    const { rows } = await app.fresh.pool.query(text, [ident]);
    expect(rows).toEqual([{ fingerprint: fingerprintOf("data", { phone: "08031234567", product_id: 1002 }) }]);
    expect((await data.send({ ident, network: "1", plan: 1002 })).body).toEqual(first.body);
  });

  test("the supplier of a live purchase is told what the client said", async () => {
    await data.send({}, { as: app.merchant.liveKey });
    const { request } = shop.supplier.calls.at(-1) ?? {};
    expect(request).toMatchObject({ productId: 1002, phone: "08031234567", details: { plan: 2, ported: true } });
  });
});

describe("/api/topup: amount and network", () => {
  test.each([
    [1, "MTN", "96.80", "0803"],
    [2, "GLO", "95.00", "0805"],
    [3, "9MOBILE", "97.00", "0809"],
    [4, "AIRTEL", "97.50", "0802"],
  ])("network %d is %s and charges its price", async (network, name, paid, prefix) => {
    const { body } = await topup.send({ network, mobile_number: `${prefix}1234567` });
    expect(body).toMatchObject({ network, plan_network: name, paid_amount: paid, Status: "successful" });
  });

  test.each([
    [50, "50.00"],
    ["50000", "50000.00"],
    ["100.5", "100.50"],
    [123.45, "123.45"],
    [" 100 ", "100.00"],
  ])("%j is told as %s", async (amount, reply) => {
    const { body } = await topup.send({ amount });
    expect(body).toMatchObject({ amount: reply, plan_amount: reply, Status: "successful" });
  });

  test.each(["VTU", "vtu", "Vtu", "", null, undefined])("airtime_type %j is VTU", async (type) => {
    const { body } = await topup.send({ airtime_type: type });
    expect([body.Status, body.airtime_type]).toEqual(["successful", "VTU"]);
  });

  test("what failed was not paid", async () => {
    const { body } = await topup.send({ mobile_number: "08031230002" });
    expect(body).toMatchObject({ Status: "failed", amount: "100.00", paid_amount: "0.00" });
  });
});

test("postpaid has no token, and NECO and a card's product_id are found", async () => {
  const postpaid = await postLegacy(app, key, "/api/billpayment/", {
    disco_name: "Port Harcourt Electric",
    amount: 2_000,
    meter_number: "45012345678",
    MeterType: 2,
    phone: "08031234567",
  });
  const { Status, token, MeterType, Customer_Phone, disco_name } = postpaid.body;
  expect({ Status, token, MeterType, Customer_Phone, disco_name }).toEqual({
    Status: "successful",
    token: "",
    MeterType: 2,
    Customer_Phone: "08031234567",
    disco_name: "Port Harcourt Electric",
  });
  expect((await postLegacy(app, key, "/api/epin/", { exam_name: "neco" })).body.exam_name).toBe("NECO");
  const card = await postLegacy(app, key, "/api/rechargepin/", { network: "glo", network_amount: 10_102 });
  expect([card.body.plan_network, card.body.network_amount]).toEqual(["GLO", "200.00"]);
});

test("a meter whose key changes has every token, in the order in which the customer enters them", async () => {
  const fields = { disco_name: 1, amount: 5_000, meter_number: "45012340007", MeterType: 1, ident: "key-change" };
  const { body } = await postLegacy(app, key, "/api/billpayment/", fields);
  const { delivery } = (await app.call(key, "/transactions/key-change")).body;
  const values = delivery.tokens.map(({ value }: { value: string }) => value);
  expect([values.length, body.token]).toEqual([3, values.join(",")]);
});
