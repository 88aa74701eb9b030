import { afterAll, describe, expect, test } from "vitest";
import { startApp } from "../../support/app.ts";
import { declined, silent, vended } from "../../support/fake-supplier.ts";
import { callLegacy, expectLegacyError, postLegacy, refusalBody } from "../../support/legacy-endpoint.ts";
import { transactionIdForms } from "../../support/transaction-ids.ts";
import { LegacyUnderTest, openLegacyShop } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";

// Longer than the tests take: nothing that is pending in sandbox ends and changes a balance meanwhile.
const shop = await openLegacyShop({ sandboxPendingSeconds: 3_600 });
const { app, supplier } = shop;
const live = app.merchant.liveKey;
/** Processes of the same deployment: one waits for a pending purchase's end, the other has no supplier. */
const patient = await startApp({ suppliers: [supplier], database: app.fresh, legacyHoldMs: 12_000, workers: true });
const alone = await startApp({ database: app.fresh });
afterAll(async () => {
  await patient.close();
  await alone.close();
});

describe.each(endpoints)("$path", (endpoint) => {
  const under = new LegacyUnderTest(shop, endpoint);
  describe("200", () => describeSales(under));
  describe("what became of it", () => describeResults(under));
  describe("ident", () => describeIdents(under));
  describe("400", () => describeInvalid(under));
  describe("other refusals", () => describeRefusals(under));
});

function describeSales(under: LegacyUnderTest): void {
  const { path, category, total, own, successor, usual, respelled } = under.endpoint;

  test("sells, whole, and the merchant API tells the same of it and knows it as the same purchase", async () => {
    const before = await under.balance();
    const answer = await under.send({ ident: `${category}-whole` });
    const { body } = answer;
    expect([answer.status, body]).toEqual([
      200,
      {
        id: expect.any(Number),
        ident: `${category}-whole`,
        balance_before: before,
        balance_after: await under.balance(),
        plan_amount: total,
        // Local time without its offset, to the microsecond, as Django writes it.
        create_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/),
        api_response: expect.stringMatching(/: successful\.$/),
        ...own,
        ...{ Status: "successful", status: "success", message: body.api_response },
      },
    ]);
    expect(answer.headers.get("link")).toContain(`/api/v1/merchant${successor.path}`);
    const sold = (await app.call(shop.key, `/transactions/${body.ident}`)).body;
    expect(sold).toMatchObject({
      ...{ status: "successful", channel: "legacy", category, total_deducted: total, metadata: null },
      ...{ balance_before: body.balance_before, balance_after: body.balance_after, message: body.api_response },
      purchased_at: `${body.create_date.slice(0, 19)}+01:00`,
    });
    const again = await app.call(shop.key, successor.path, { body: { ...successor.body, reference: body.ident } });
    expect([again.status, again.headers.get("idempotent-replayed"), again.body.transaction_id]).toEqual([
      ...[201, "true"],
      sold.transaction_id,
    ]);
  });

  test.each(["json", "form", "multipart"] as const)("as %s, with and without a trailing slash", async (form) => {
    for (const each of [path, `${path}/`]) {
      const answer = await under.send({}, { form, path: each });
      expect([answer.status, answer.body.Status, answer.body.status]).toEqual([200, "successful", "success"]);
    }
  });

  test.each(respelled)("%j buys the same", async (changes) => {
    const { network, plan_network, mobile_number, plan_amount = total } = own;
    const shown = { network, plan_network, mobile_number, plan_amount, Status: "successful" };
    const { status, body } = await under.send(changes);
    expect([status, body]).toEqual([200, expect.objectContaining(JSON.parse(JSON.stringify(shown)))]);
  });

  test("JSON that calls itself a form, as PHP's cURL sends it without a content type", async () => {
    const ident = under.ident();
    const answer = await under.raw("application/x-www-form-urlencoded", JSON.stringify({ ...usual, ident }));
    expect([answer.status, answer.body.ident]).toEqual([200, ident]);
  });

  test("a live key buys live", async () => {
    const before = await under.balance(live);
    const answer = await under.send({}, { as: live });
    expect([answer.status, answer.body.Status, answer.body.balance_before]).toEqual([200, "successful", before]);
    expect(supplier.calls.at(-1)?.request).toMatchObject({ mode: "live", category });
  });

  test("a live answer is held until the purchase has ended", async () => {
    supplier.answer = silent;
    const buying = under.send({}, { as: live, at: patient });
    const due = "update inflight set due_at = now() where step = 'requery' and wallet_id > 0";
    await expect.poll(async () => (await app.fresh.pool.query(due)).rowCount).toBeGreaterThan(0);
    supplier.answer = vended;
    await app.fresh.pool.query(due);
    const answer = await buying;
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ Status: "successful", ...own })]);
  });
}

function describeResults(under: LegacyUnderTest): void {
  const { numbered } = under.endpoint;

  test("failed: refunded, at the balance of before", async () => {
    const before = await under.balance();
    const { status, body } = await under.send(numbered("0002"));
    expect([status, body.Status, body.balance_before, body.balance_after]).toEqual([400, "failed", before, before]);
    expect(body).toMatchObject(refusalBody([body.api_response]));
    expect(body.api_response).toMatch(/failed and refunded\./);
    expect(await under.balance()).toBe(before);
  });

  test("failed, live: nothing is handed over, and the supplier's own words are not told", async () => {
    const before = await under.balance(live);
    supplier.answer = declined;
    const { status, body } = await under.send({}, { as: live });
    supplier.answer = vended;
    expect([status, body.Status, body.balance_after]).toEqual([400, "failed", before]);
    expect([body.token, body.pins, body.data_pin].flat().filter(Boolean)).toEqual([]);
    expect(JSON.stringify(body)).not.toContain("RC 99");
    const calls = await under.ask(body.id, live);
    expect([calls.status, calls.body]).toEqual([400, body]);
  });

  test.each(["0003", "0004"])("processing: charged meanwhile (%s)", async (suffix) => {
    const answer = await under.send(numbered(suffix));
    expect([answer.status, answer.body.Status, answer.body.status]).toEqual([200, "processing", "processing"]);
    expect(Object.keys(answer.body)).not.toContain("error");
    expect(await under.balance()).toBe(answer.body.balance_after);
  });
}

function describeIdents(under: LegacyUnderTest): void {
  const { successor, respelled, different } = under.endpoint;
  const conflict = "This reference was used for a different purchase: choose a new reference for this one.";

  test.each([
    ["text", "order:1.a_b-c"],
    ["an integer", 1_763_683_200],
    ["digits", "20261120140309"],
  ])("as %s it is the reference: again, it answers the original and charges once", async (_kind, ident) => {
    const as = (await app.createMerchant()).testKey;
    const first = await under.send({ ident }, { as });
    const charged = await under.balance(as);
    const again = await under.send({ ident, ...respelled[0] }, { as });
    expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([200, first.body, "true"]);
    expect(first.body.ident).toBe(String(ident));
    expect(await under.balance(as)).toBe(charged);
  });

  test("it shares its names with the merchant API: the same purchase answers, another one conflicts", async () => {
    const reference = under.ident();
    const bought = await app.call(shop.key, successor.path, { body: { ...successor.body, reference } });
    const again = await under.send({ ident: reference });
    const { balance_after, message } = bought.body;
    const reply = expect.objectContaining({ ident: reference, balance_after, api_response: message });
    expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([200, reply, "true"]);
    expectLegacyError(await under.send({ ident: reference, ...different }), 400, [conflict]);
  });

  test("without one, the same again is refused", async () => {
    const as = (await app.createMerchant()).testKey;
    expect((await under.send({ ident: undefined }, { as })).status).toBe(200);
    expectLegacyError(await under.send({ ident: undefined }, { as }), 400, ["Duplicate transaction…"]);
  });

  test.each(["a b", "a/b", "..", "r".repeat(101), -5, 1.5, true, { a: 1 }, ...transactionIdForms])(
    "400 for %j",
    (ident) => under.expectRefused({ ident }, ["ident: Must be…"]),
  );
}

function describeInvalid(under: LegacyUnderTest): void {
  const { path, usual, required, malformed } = under.endpoint;
  const missing = required.map((field) => `${field}: Is required.`);

  test.each(["json", "form", "multipart"] as const)("every missing field of a %s is named", async (form) => {
    expectLegacyError(await postLegacy(app, shop.key, path, { other: 1 }, form), 400, missing);
  });

  test("a body that is missing lacks the same fields", async () => {
    expectLegacyError(await callLegacy(app, shop.key, path, { method: "POST" }), 400, missing);
  });

  test.each(malformed)("%j is %s", (change, text) => under.expectRefused(change, [text]));

  test.each([
    ["application/json", "{"],
    ["application/json", "[1]"],
    ["application/json", '"text"'],
    ["application/json", '{"network":1e0}'],
    ["application/x-www-form-urlencoded", "{broken"],
    ["application/x-www-form-urlencoded", "%%%=&&&"],
    ["multipart/form-data", "network=1"],
    ["multipart/form-data; boundary=x", "--x\r\nnonsense"],
    ["multipart/form-data; boundary=x", ""],
  ])("an unreadable body of %s: %j", async (type, body) => {
    const answer = await under.raw(type, body);
    expect([answer.status, answer.body]).toEqual([400, refusalBody(answer.body.error)]);
  });

  test("a file in a form is no field of it", async () => {
    const body = new FormData();
    const [field = ""] = required;
    for (const [name, value] of Object.entries(usual)) body.set(name, String(value));
    body.set(field, new Blob(["1"]), "field.txt");
    expectLegacyError(await under.raw("", body), 400, [`${field}: Is required.`]);
  });
}

function describeRefusals(under: LegacyUnderTest): void {
  const { total } = under.endpoint;

  test("400 for a poor wallet begins with the words that clients look for", async () => {
    const answer = await under.send({}, { as: shop.poor.testKey });
    const costs = `Insufficient balance. The purchase costs ${total}, the wallet holds 0.01.`;
    const refill = "POST /api/v1/merchant/sandbox/reset fills the sandbox wallet up again.";
    expectLegacyError(answer, 400, [`${costs} ${refill}`]);
  });

  test("400 where the category is hidden from the merchant", async () => {
    const answer = await under.send({}, { as: shop.excluded.testKey });
    expectLegacyError(answer, 400, ["This account cannot buy in this category."]);
  });

  test("400 a body above 1 MiB, and a form above 64 KiB", async () => {
    await under.expectRefused({ note: "x".repeat(1_048_576) }, ["The body is too large."]);
    for (const form of ["form", "multipart"] as const) {
      const answer = await under.send({ note: "x".repeat(65_536) }, { form });
      expectLegacyError(answer, 400, ["The body is too large."]);
      expect((await under.send({ note: "x".repeat(60_000) }, { form })).status).toBe(200);
    }
  });

  test.each(["text/xml", "text/plain", "application/octet-stream"])("400 a body of %s is refused", async (type) => {
    expectLegacyError(await under.raw(type, "x"), 400, ["Send the body as JSON or as a form."]);
  });

  test("503 live without a supplier, and when to come back", async () => {
    const answer = await under.send({}, { as: live, at: alone });
    expectLegacyError(answer, 503, ["This product is not available right now."]);
    expect(answer.headers.get("retry-after")).toBe("300");
  });
}
