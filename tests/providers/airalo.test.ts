import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/kernel/json.ts";
import { airalo } from "../../src/providers/airalo/dialect.ts";
import { closing } from "../support/closing.ts";
import { airaloClientId, airaloClientSecret, underTest } from "../support/suppliers/airalo-stub.ts";
import { openBench } from "../support/suppliers/connector-under-test.ts";
import { movableClock, noon, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";

// What the conformance suite cannot say of Airalo: its signature's spellings, its nested list, its filter.

const dialect = airalo({
  name: "airalo",
  baseUrl: "https://supplier.example",
  clientId: airaloClientId,
  clientSecret: airaloClientSecret,
});
const request = () => vendRequest({ ...wishes.esim, supplierCode: "kallur-digital-7days-1gb" });

const bench = closing(await openBench(underTest, movableClock()));

const hmac = (body: string) => createHmac("sha512", airaloClientSecret).update(body).digest("hex");
const read = (body: string, signature: string) =>
  dialect.callbacks!.read({
    headers: { "airalo-signature": signature },
    body,
    query: "",
    addressSecret: null,
    at: noon,
  });

test("a message may be signed as it came, without its spaces, or as PHP spells it", () => {
  const { supplierReference } = request();
  const body = `{"data": {"id": 9666, "description": "${supplierReference}",\n "qr": "https://x/é😀", "price": 9.0}}`;
  const dense = `{"data":{"id":9666,"description":"${supplierReference}","qr":"https://x/é😀","price":9.0}}`;
  const php = dense.replace("https://x/é😀", "https:\\/\\/x\\/\\u00e9\\ud83d\\ude00");
  for (const spelt of [body, dense, php]) {
    expect(read(body, hmac(spelt))).toMatchObject({ kind: "news", supplierReference, providerReference: "9666" });
    expect(read(body, hmac(spelt).toUpperCase())).toMatchObject({ kind: "news" });
  }
  expect(read(body, hmac(dense.replace("9.0", "9")))).toMatchObject({ kind: "forged" });
  expect(read("no JSON", hmac("no JSON"))).toMatchObject({ kind: "other" });
});

test("what they tell of data used and of our credit is no news", () => {
  for (const reply of [
    { message: "Surpassed 80%", remaining: 225.35 },
    { level: "75%", iccid: "87123123456889019" },
  ]) {
    const body = JSON.stringify(reply);
    expect(read(body, hmac(body))).toMatchObject({ kind: "other" });
  }
});

const again = (orders: readonly JsonObject[]) =>
  dialect.readAgain({ status: 200, json: { data: orders, meta: { message: "success" } } }, request());

test("only an empty list, or one of longer descriptions, says that they never received it", () => {
  expect(again([])).toEqual({ kind: "absent" });
  const sent = request();
  const tenth = { id: 1, description: `${sent.supplierReference}0` };
  const list = (orders: readonly JsonObject[]) => dialect.readAgain({ status: 200, json: { data: orders } }, sent);
  expect(list([tenth])).toEqual({ kind: "absent" });
  expect(list(Array.from({ length: 50 }, () => tenth))).toMatchObject({ kind: "next" });
  expect(list([tenth, { id: 2, description: null }])).toMatchObject({ kind: "next" });
  expect(dialect.readAgain({ status: 200, json: { data: {} } }, sent)).toEqual({ kind: "unknown" });
});

test("their own number, once told, is what is asked by, and a no to it is no word on the order", () => {
  const calls = { ...request(), providerReference: "9666" };
  expect(dialect.requery(calls)).toMatchObject({ path: "/orders/9666?include=sims%2Cstatus" });
  expect(dialect.readAgain({ status: 404, json: { meta: { message: "Not found" } } }, calls)).toEqual({
    kind: "unknown",
  });
  // A callback's, for one, may be anything.
  const odd = dialect.requery({ ...calls, providerReference: "9666/../../token" });
  expect(odd?.path).toContain(`filter%5Bdescription%5D=${calls.supplierReference}`);
});

test.each([
  [
    { access_token: "t", expires_in: 31_622_400 },
    { token: "t", goodForSeconds: 86_400 },
  ],
  [
    { access_token: "t", expires_in: "600" },
    { token: "t", goodForSeconds: 600 },
  ],
  [{ access_token: "t" }, { token: "t", goodForSeconds: 3_600 }],
  [{ access_token: "" }, null],
])("a token is good for a day at most: %j", (data, expected) => {
  expect(dialect.tokens!.read({ status: 200, json: { data } })).toEqual(expected);
});

test("the list of packages is read through places and operators, page by page, and its costs never rounded down", async () => {
  const cost = { kind: "fixed", currency: "USD", hundredths: 476n };
  expect(await bench.connector.catalogue!()).toEqual({
    kind: "told",
    categories: ["esim"],
    products: [
      {
        category: "esim",
        supplierCode: "kallur-digital-7days-1gb",
        name: "Faroe Islands Kallur 1 GB - 7 Days",
        biller: "Faroe Islands",
        face: null,
        cost,
      },
      { category: "esim", supplierCode: "eu-5gb", name: "Europe Kallur", biller: "Europe", face: null, cost: null },
    ],
  });
  expect(await bench.deniedAccess.catalogue!()).toMatchObject({ kind: "failed" });
});

test("the balance is told in dollars, and not where there is no account", async () => {
  expect(await bench.connector.balance!()).toMatchObject({ balance: 22_535n, currency: "USD" });
  expect(dialect.balance!.read({ status: 200, json: { data: [] } })).toBeNull();
});

test("the client's secret is in the question for the token alone, and in no evidence of it", async () => {
  const outcome = await bench.deniedAccess.vend(bench.request());
  expect(outcome.kind).toBe("declined");
  expect(outcome.evidence).toContain("no access token");
  for (const { question, body } of bench.stub.log) {
    if (question !== "token" && question !== "denied") expect(JSON.stringify(body)).not.toContain(airaloClientSecret);
  }
});
