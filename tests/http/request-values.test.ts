import { describe, expect, test } from "vitest";
import { sharedApp } from "../support/shared-app.ts";
import { expectProblem } from "../support/wire-expectations.ts";

const app = await sharedApp();
const key = app.merchant.testKey;

/** Airtime that costs 96.80, as JSON text: `JSON.stringify` would write numbers in its own way. */
function airtime(reference: string, fields: string): string {
  return `{"reference":"${reference}","network":"MTN","phone":"08031234567",${fields}}`;
}

function buy(body: string) {
  return app.call(key, "/airtime/purchase", { body });
}

describe("a number that JSON can write in several ways", () => {
  test("201 in metadata it is the double that it is, now and whenever it is asked for", async () => {
    const body = airtime("decimals", '"amount":100,"metadata":{"rate":1.0e-7,"php":0.10000000000000001,"far":[1e21]}');
    const answers = [await buy(body), await buy(body), await app.call(key, "/transactions/decimals")];
    const metadata = { rate: 1e-7, php: 0.1, far: [1e21] };
    expect(answers.map((answer) => [answer.status, answer.body.metadata])).toEqual(
      [201, 201, 200].map((status) => [status, metadata]),
    );
  });

  test("201 in a field that nothing reads it may be anything", async () => {
    const bought = await buy(airtime("ignored", '"amount":100,"lat":6.45e0,"order":12345678901234567891,"far":1e400'));
    expect([bought.status, bought.body.total_deducted]).toEqual([201, "96.80"]);
    const items = '[{"phone":"08031234567","product_id":1002,"lat":6.45e0,"metadata":{"id":9007199254740993}}]';
    const ordered = await app.call(key, "/data/bulk", { body: `{"reference":"ignored-bulk","items":${items}}` });
    expect(ordered.status).toBe(201);
  });

  test("201 where it is read it counts by its value", async () => {
    const bought = await buy(airtime("by-value", '"amount":1e2,"product_id":2.001e3,"expected_price":968E-1'));
    expect([bought.status, bought.body.total_deducted]).toEqual([201, "96.80"]);
    const items = '[{"phone":"08031234567","product_id":1002},{"phone":"08031234567","product_id":1.002e3}]';
    expect((await app.call(key, "/data/bulk", { body: `{"reference":"by-value-bulk","items":${items}}` })).status).toBe(
      201,
    );
    const body = '{"network":1,"mobile_number":"08031234567","amount":1e2,"ident":"by-value-legacy"}';
    const headers = { authorization: `Token ${key}`, "content-type": "application/json" };
    expect((await fetch(`${app.url}/api/topup/`, { method: "POST", headers, body })).status).toBe(200);
  });

  test.each([
    ["an amount of three decimals", '"amount":100.125', "amount"],
    ["an amount larger than any double", '"amount":1e400', "amount"],
    ["an expected price below a kobo", '"amount":100,"expected_price":1e-5', "expected_price"],
    ["a product that is no whole number", '"amount":100,"product_id":2001.5', "product_id"],
    ["metadata that is a number", '"amount":100,"metadata":1e5', "metadata"],
  ])("400 %s is refused by name, and costs nothing", async (_what, fields, field) => {
    expectProblem(await buy(airtime("refused", fields)), 400, "VALIDATION_ERROR", { fields: [field] });
    expect((await app.call(key, "/transactions/refused")).status).toBe(404);
  });
});

describe("null, as many serializers send it for what was not set", () => {
  const phone = "08031234567";
  const unset = { expected_price: null, metadata: null, beneficiary_id: null };

  test.each([
    ["/data/purchase", { product_id: 1002, phone, ported: null }],
    ["/airtime/purchase", { network: "MTN", product_id: null, phone, amount: 100, ported: null }],
    ["/airtime/purchase", { network: null, product_id: 2001, phone, amount: 100 }],
    [
      "/electricity/purchase",
      {
        product_id: 3001,
        biller: null,
        meter_type: null,
        meter_number: "45012345678",
        amount: "5000",
        phone,
        verification_id: null,
      },
    ],
    [
      "/cable/purchase",
      {
        product_id: 4004,
        biller: null,
        subscription_type: null,
        amount: null,
        smartcard_number: "7032145678",
        phone,
        months: null,
      },
    ],
    ["/education/purchase", { product_id: 5001, quantity: null, phone, profile_code: null }],
    [
      "/giftcard/purchase",
      { product_id: 11001, quantity: null, recipient_email: null, recipient_phone: null, phone: null },
    ],
    ["/esim/purchase", { product_id: 12401, quantity: null, email: null, phone: null }],
    ["/internet/purchase", { product_id: 7008, account_number: "0702123456", phone: null, amount: null }],
    [
      "/recharge-pin/purchase",
      { network: "MTN", denomination: "100", quantity: 1, business_name: null, phone: null, product_id: null },
    ],
    ["/sms/send", { sender_id: "DISPENSE", message: "Ready.", recipients: phone, route: null }],
  ])("%s with null in optional fields is the purchase without them (%#)", async (path, fields) => {
    const body = { reference: `unset-${path.split("/")[1]}-${Object.keys(fields).length}`, ...fields, ...unset };
    const bought = await app.call(key, path, { body });
    expect([bought.status, bought.body.errors]).toEqual([201, undefined]);
    const set = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const replay = await app.call(key, path, { body: set });
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(replay.body).toEqual(bought.body);
  });

  test("a beneficiary fills the number that was sent as null", async () => {
    const saved = await app.call(key, "/beneficiaries", {
      body: { label: "Ada", category: "airtime", customer_ref: phone, meter_type: null, phone: null },
    });
    const body = { reference: "unset-phone", network: "MTN", amount: 100, phone: null, beneficiary_id: saved.body.id };
    const bought = await app.call(key, "/airtime/purchase", { body });
    expect([bought.status, bought.body.phone]).toEqual([201, phone]);
  });

  test("a bulk order's lines and shorthand take it, and so do settings and verify", async () => {
    const lines = [{ phone, product_id: null, network: "MTN", amount: 100, ported: null, reference: null }];
    const byLine = await app.call(key, "/airtime/bulk", {
      body: { reference: "unset-lines", items: lines, phones: null },
    });
    expect([byLine.status, byLine.body.items[0].reference]).toEqual([201, "unset-lines-1"]);
    const shared = { reference: "unset-phones", items: null, product_id: 1002, ported: null, phones: [phone] };
    expect((await app.call(key, "/data/bulk", { body: shared })).status).toBe(201);
    const url = "https://example.com/hooks";
    const wish = { url, enabled: null, events: null, notify: null, rotate_secret: null, overlap_hours: null };
    const saved = await app.call(key, "/webhook", { method: "PUT", body: wish });
    expect([saved.status, saved.body.url]).toEqual([200, url]);
    const calls = { product_id: 3001, biller: null, meter_number: "45012345678", meter_type: "prepaid" };
    expect((await app.call(key, "/electricity/verify", { body: calls })).status).toBe(200);
  });

  test("a null that means something keeps its meaning", async () => {
    const emptied = await app.call(key, "/webhook", { method: "PUT", body: { url: null } });
    expect([emptied.status, emptied.body.url]).toEqual([200, null]);
    const facts = { label: "Shop", category: "electricity", customer_ref: "45012345678", meter_type: "prepaid" };
    const saved = await app.call(key, "/beneficiaries", { body: facts });
    const change = { label: null, meter_type: null };
    const changed = await app.call(key, `/beneficiaries/${saved.body.id}`, { method: "PUT", body: change });
    expect([changed.status, changed.body.label, changed.body.meter_type]).toEqual([200, "Shop", null]);
  });

  test("400 a required field is required, and a list's item has to be one", async () => {
    const refused = await app.call(key, "/airtime/purchase", { body: { reference: "r", phone: null, amount: null } });
    expectProblem(refused, 400, "VALIDATION_ERROR", { fields: ["amount", "phone"] });
    expect(refused.body.errors).toEqual({ amount: ["Is required."], phone: ["Is required."] });
    const items = [{ phone: null, product_id: 1002 }, null];
    const ordered = await app.call(key, "/data/bulk", { body: { reference: "r", items } });
    expect(ordered.body.errors).toEqual({ "items.0.phone": ["Is required."], "items.1": ["Must be an object."] });
  });
});

describe("a list with two wrong filters", () => {
  const lists = ["/transactions", "/webhook/deliveries"];

  test.each(lists)("400 %s answers the code of the one that is declared first, and names both", async (path) => {
    for (const query of ["per_page=0&status=x", "status=x&per_page=0"]) {
      const refused = await app.call(key, `${path}?${query}`);
      expectProblem(refused, 400, "INVALID_STATUS", { fields: ["status", "per_page"] });
      expect(refused.body.message).toMatch(/^The field status must be one of .* 1 more field is wrong\.$/);
    }
    const paging = await app.call(key, `${path}?per_page=101&page=0`);
    expectProblem(paging, 400, "INVALID_PAGE", { fields: ["page", "per_page"] });
  });

  test("400 one without a code of its own comes first where it is declared first", async () => {
    const refused = await app.call(key, "/transactions?channel=x&per_page=0");
    expectProblem(refused, 400, "VALIDATION_ERROR", { fields: ["channel", "per_page"] });
  });
});
