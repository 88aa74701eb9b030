import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/wire-expectations.ts";

let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await startApp();
  key = app.merchant.testKey;
});
afterAll(() => app.close());

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

  test.each([
    ["an id in metadata", '"amount":100,"metadata":{"order":[9007199254740993]}', "metadata.order.0"],
    ["an amount with an exponent", '"amount":1e2', "amount"],
    ["an amount with more digits than a double", '"amount":100.09999999999999', "amount"],
    ["an expected price with an exponent", '"amount":100,"expected_price":968E-1', "expected_price"],
    ["a product with an exponent", '"amount":100,"product_id":2.001e3', "product_id"],
    ["metadata that is one", '"amount":100,"metadata":1e5', "metadata"],
  ])("400 %s is refused by name, and costs nothing", async (_what, fields, field) => {
    expectProblem(await buy(airtime("refused", fields)), 400, "VALIDATION_ERROR", { fields: [field] });
    expect((await app.call(key, "/transactions/refused")).status).toBe(404);
  });

  test("400 a line of a bulk order is refused by name as well", async () => {
    const items = '[{"phone":"08031234567","product_id":1002},{"phone":"08031234567","product_id":1.002e3}]';
    const refused = await app.call(key, "/data/bulk", { body: `{"reference":"refused-bulk","items":${items}}` });
    expectProblem(refused, 400, "VALIDATION_ERROR", { fields: ["items.1.product_id"] });
    expect(refused.body.message).toBe("The field items.1.product_id must be written out, without an exponent.");
  });

  test("400 the legacy endpoints refuse it by name, too", async () => {
    const body = '{"network":1,"mobile_number":"08031234567","amount":1e2,"ident":"refused-legacy"}';
    const headers = { authorization: `Token ${key}`, "content-type": "application/json" };
    const answer = await fetch(`${app.url}/api/topup/`, { method: "POST", headers, body });
    const error = ["amount: Must be written out, without an exponent."];
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
  });
});
