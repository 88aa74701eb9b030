import { afterAll, describe, expect, test } from "vitest";
import type { VerifyRequest } from "../../../src/categories/supplier-request.ts";
import { hideCategory } from "../../../src/domain/catalogue/changes/administration.ts";
import type { Connector, VerifyOutcome } from "../../../src/providers/contract.ts";
import { type Answer, startApp } from "../../support/app.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";
import { betting, cable, electricity, type Fields, internet, type VerifyEndpoint } from "./verify-endpoints.ts";

const endpoints = [betting, cable, electricity, internet];

/** A live supplier that was told what to say of numbers. */
const never = async () => ({ kind: "unknown", evidence: "not asked" }) as const;
const calls: VerifyRequest[] = [];
let outcome: VerifyOutcome | Error = { kind: "unverifiable", evidence: "" };
const supplier: Connector = {
  ...{ name: "told", vend: never, requery: never },
  async verify(request) {
    calls.push(request);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  },
};

const app = await startApp();
/** The same deployment with a live supplier. */
const live = await startApp({ database: app.fresh, suppliers: [supplier] });
const excluded = await app.createMerchant();
for (const { category } of endpoints) await hideCategory(app.services.database, excluded.id, category);
afterAll(async () => {
  await live.close();
  await app.close();
});

/** Sends an endpoint's complete request with these changes; `undefined` leaves a field out. */
function sendTo(endpoint: VerifyEndpoint, changes: Fields = {}, key = app.merchant.testKey): Promise<Answer> {
  return app.call(key, endpoint.path, { body: { ...endpoint.body, ...changes } });
}

/** Runs a statement that changes the catalogue. */
async function change(text: string): Promise<void> {
  await app.fresh.pool.query(text);
  await app.feel("catalogue");
}

describe.each(endpoints)("$path", (endpoint) => {
  const { body, category, numberField, numbered, required, malformed, findings } = endpoint;
  const send = (changes: Fields = {}, key?: string) => sendTo(endpoint, changes, key);
  const sendLive = (changes: Fields = {}, of: VerifyOutcome | Error = { kind: "verified", findings }) => {
    outcome = of;
    calls.length = 0;
    return live.call(app.merchant.liveKey, endpoint.path, { body: { ...body, ...changes } });
  };

  test("200 tells whom the number belongs to, every documented field and no other, for half an hour", async () => {
    const before = Date.now();
    const answer = await send();
    const { biller, ...sent } = body;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...{ verified: true, sandbox: true, biller_slug: biller },
        ...sent,
        customer_name: expect.stringMatching(/^TEST \S/),
        verification_id: expect.stringMatching(/^ver_[A-Za-z0-9_-]{28}$/),
        expires_at: expect.stringMatching(lagosInstant),
        ...endpoint.reply,
      },
    ]);
    const leftMs = Date.parse(answer.body.expires_at) - before;
    expect(leftMs).toBeGreaterThanOrEqual(30 * 60_000);
    expect(leftMs).toBeLessThan(30 * 60_000 + 5_000);
  });

  test("200 asked again it tells the same, and money and transactions stay as they were", async () => {
    const { testKey } = await app.createMerchant();
    const [first, second] = [await send({}, testKey), await send({ colour: "green" }, testKey)];
    const { verification_id: _one, expires_at: _then, ...reply } = first.body;
    expect(second.body).toMatchObject(reply);
    expect((await app.call(testKey, "/wallet/balance")).body.balance).toBe("100000.00");
    expect((await app.call(testKey, "/transactions")).body.meta.total).toBe(0);
  });

  test.each(["0002", "0003", "0004"])("200 %s is verified: only its purchases end otherwise", async (end) => {
    const answer = await send({ [numberField]: numbered(end) });
    expect([answer.status, answer.body.verified]).toEqual([200, true]);
  });

  test("200 live, the supplier's findings are told, and nothing of a sandbox", async () => {
    const answer = await sendLive({ [numberField]: numbered("0009") });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(findings)]);
    expect("sandbox" in answer.body).toBe(false);
    expect(calls).toMatchObject([{ mode: "live", category, billerSlug: body.biller, customerRef: numbered("0009") }]);
    expect(Object.keys(calls[0] ?? {}).join(" ")).not.toMatch(/merchant|wallet|key/i);
  });

  test("400 a number ending in 0009 can't be verified", async () => {
    expectProblem(await send({ [numberField]: numbered("0009") }), 400, "VERIFICATION_FAILED");
  });

  test("400 live, a number that the supplier does not know can't be verified; its words stay with us", async () => {
    const answer = await sendLive({}, { kind: "unverifiable", evidence: "RC 12 at 10.0.0.7" });
    expectProblem(answer, 400, "VERIFICATION_FAILED");
    expect(JSON.stringify(answer.body)).not.toContain("10.0.0.7");
  });

  test("400 an empty object names every field that is missing", async () => {
    const answer = await app.call(app.merchant.testKey, endpoint.path, { body: {} });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: required });
  });

  const missing = required.map((field) => [{ [field]: undefined }, "VALIDATION_ERROR", field] as const);
  test.each([...missing, ...malformed])("400 %j is %s on %s", async (changes, code, named) => {
    expectProblem(await send(changes), 400, code, { fields: [named].flat() });
  });

  test("403 where the category is hidden from the merchant", async () => {
    expectProblem(await send({}, excluded.testKey), 403, "CATEGORY_NOT_ALLOWED");
  });

  test.each(["nobody", "mtn-data"])("404 the biller %s", async (biller) => {
    expectProblem(await send({ biller }), 404, "BILLER_NOT_FOUND");
  });

  test.each<VerifyOutcome | Error>([
    { kind: "unavailable", evidence: "502 from 10.0.0.7" },
    new Error("ECONNRESET 10.0.0.7"),
    { kind: "verified", findings: { customer_name: "10.0.0.7 ".repeat(50) } },
  ])("502 live, where the supplier gives no answer that can be used: %j", async (of) => {
    const answer = await sendLive({}, of);
    expectProblem(answer, 502, "PROVIDER_UNAVAILABLE");
    expect(JSON.stringify(answer.body)).not.toContain("10.0.0.7");
  });

  test("503 live, where its supplier can't be asked about such numbers", async () => {
    const answer = await sendLive({}, { kind: "unasked", evidence: "it verifies no such thing" });
    expectProblem(answer, 503, "BILLER_UNAVAILABLE");
    expect(answer.headers.get("retry-after")).toBe("300");
  });

  test("503 live, as long as no supplier is configured", async () => {
    expectProblem(await send({}, app.merchant.liveKey ?? ""), 503, "BILLER_UNAVAILABLE");
  });

  test("503 a biller that is switched off", async () => {
    const set = (status: string) => `update billers set status = '${status}' where slug = '${body.biller}'`;
    await change(set("unavailable"));
    expectProblem(await send(), 503, "BILLER_UNAVAILABLE");
    await change(set("available"));
    expect((await send()).status).toBe(200);
  });
});

describe("a smartcard", () => {
  const send = (changes: Fields) => sendTo(cable, changes);

  test("has a bouquet that is a product of the biller at its price", async () => {
    for (const biller of ["dstv", "gotv", "startimes"]) {
      const { body } = await send({ biller });
      const { products } = (await app.call(app.merchant.testKey, `/billers/${biller}/products`)).body;
      const product = products.find((row: { product_id: number }) => row.product_id === body.current_product_id);
      expect([product.plan, product.face_amount]).toEqual([body.current_bouquet, body.renewal_amount]);
    }
  });

  test.each([
    [
      "ending in 0006 is new",
      { smartcard_number: "7032140006" },
      { account_status: "new", current_bouquet: null, renewal_amount: null },
    ],
    [
      "of Showmax, which has no renewals, names the bouquet's product alone",
      { biller: "showmax" },
      { current_product_id: expect.any(Number), renewal_amount: null },
    ],
  ])("such a number %s", async (_name, changes, reply) => {
    expect((await send(changes)).body).toMatchObject(reply);
  });
});

describe("a meter", () => {
  const send = (changes: Fields) => sendTo(electricity, changes);
  const postpaid = { biller_slug: "ikeja-electric", meter_type: "postpaid" };

  test.each([
    [
      "is asked for by a product in its biller's place",
      { product_id: 3002, biller: undefined, meter_type: "postpaid" },
      postpaid,
    ],
    [
      "is asked for by a product as digits, next to its biller",
      { product_id: "3002", meter_type: "postpaid" },
      postpaid,
    ],
    ["is sold for the least amount that is the disco's own", { biller: "ibadan-electric" }, { min_amount: "2000.00" }],
    [
      "ending in 0008 has a debt, and is sold to all the same",
      { meter_number: "45012340008" },
      { outstanding_debt: "500.00", can_vend: true },
    ],
  ])("such a number %s", async (_name, changes, reply) => {
    const { status, body } = await send(changes);
    expect([status, body]).toEqual([200, expect.objectContaining(reply)]);
  });

  test("404 of a product of another category, and of one that never was", async () => {
    for (const product_id of [1002, 2_147_483_647]) {
      expectProblem(await send({ product_id, biller: undefined }), 404, "PRODUCT_NOT_FOUND");
    }
  });

  test("400 of a type that the disco lacks, 503 of one whose products are withdrawn", async () => {
    await change("update products set meter_type = 'prepaid' where id = 3006");
    const refused = await send({ biller: "abuja-electric", meter_type: "postpaid" });
    expectProblem(refused, 400, "VALIDATION_ERROR", { fields: ["meter_type"] });
    const kano = (meter_type: string) => send({ biller: "kano-electric", meter_type });
    await change("update products set available = false where id = 3007");
    expectProblem(await kano("prepaid"), 503, "PRODUCT_UNAVAILABLE");
    expect((await kano("postpaid")).status).toBe(200);
  });
});
