import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp } from "./app.ts";
import { callLegacy, expectLegacyError, postLegacy, refusalBody } from "./legacy-endpoint.ts";
import { type LegacyPurchaseEndpoint, LegacyUnderTest } from "./legacy-under-test.ts";
import { declined, vended } from "./told-supplier.ts";
import { transactionIdForms } from "./transaction-id-forms.ts";

/** Registers what both endpoints promise, by status. Returns the endpoint for a file's own tests. */
export function describeLegacyPurchases(endpoint: LegacyPurchaseEndpoint): LegacyUnderTest {
  const under = new LegacyUnderTest(endpoint);
  beforeAll(() => under.open());
  afterAll(() => under.app.close());
  describe("200", () => describeRequests(under));
  describe("what became of it", () => describeResults(under));
  describe("ident", () => describeIdents(under));
  describe("Ported_number", () => describePorted(under));
  describe("400", () => describeInvalid(under));
  describe("other refusals", () => describeRefusals(under));
  return under;
}

function describeRequests(under: LegacyUnderTest): void {
  const { endpoint } = under;

  test("it is a purchase like any other: the merchant API tells the same of it", async () => {
    const { body } = await under.send();
    const transaction = (await under.app.call(under.key, `/transactions/${body.ident}`)).body;
    expect(transaction).toMatchObject({
      status: "successful",
      channel: "legacy",
      category: endpoint.category,
      phone: "08031234567",
      total_deducted: endpoint.total,
      balance_before: body.balance_before,
      balance_after: body.balance_after,
      message: body.api_response,
      metadata: null,
    });
    // Local time without its offset, to the microsecond, as Django writes it.
    expect(body.create_date).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/);
    expect(`${body.create_date.slice(0, 19)}+01:00`).toBe(transaction.purchased_at);
  });

  test.each(["json", "form", "multipart"] as const)("as %s, with and without a trailing slash", async (form) => {
    for (const path of [endpoint.path, `${endpoint.path}/`]) {
      const answer = await under.send({}, { form, path });
      expect([answer.status, answer.body.Status, answer.body.status]).toEqual([200, "successful", "success"]);
    }
  });

  test.each([
    ["numbers and booleans as strings", endpoint.asStrings],
    ["blanks around values, as forms are typed", { network: " 1 ", mobile_number: "08031234567\n" }],
    ["an international number", { mobile_number: "+234 803 123 4567" }],
    ["a number that lost its zero", { mobile_number: 8_031_234_567 }],
    ["a number that lost its zero in a form", { mobile_number: "8031234567" }],
    ["an international number as a number", { mobile_number: 2_348_031_234_567 }],
    ["null for what is not said", { Ported_number: null }],
    ["nothing for what is not said", { Ported_number: "" }],
    ["fields of other deployments", { payment_medium: "x", pin: "1234", customer_ref: "7" }],
  ])("%s", async (_name, changes) => {
    const answer = await under.send(changes);
    const bought = { Status: "successful", network: 1, plan_network: "MTN", mobile_number: "08031234567" };
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(bought)]);
  });

  test("JSON that calls itself a form, as PHP's cURL sends it without a content type", async () => {
    const ident = under.ident();
    const answer = await under.raw("application/x-www-form-urlencoded", JSON.stringify({ ...endpoint.usual, ident }));
    expect([answer.status, answer.body.ident]).toEqual([200, ident]);
  });

  test("a live key buys live", async () => {
    under.supplier.answer = vended;
    const answer = await under.send({}, { as: under.app.merchant.liveKey ?? "" });
    expect([answer.status, answer.body.Status, answer.body.balance_before]).toEqual([200, "successful", "1000000.00"]);
    expect(under.supplier.asked.at(-1)?.request).toMatchObject({ mode: "live", category: endpoint.category });
  });
}

function describeResults(under: LegacyUnderTest): void {
  test("failed: refunded, at the balance of before", async () => {
    const before = await under.balance();
    const answer = await under.send({ mobile_number: "08031230002" });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ Status: "failed", balance_before: before, balance_after: before });
    expect(answer.body).toMatchObject(refusalBody([answer.body.api_response]));
    expect(answer.body.api_response).toMatch(/failed and refunded\./);
    expect(await under.balance()).toBe(before);
  });

  test("failed, live: the supplier's own words are not told", async () => {
    under.supplier.answer = declined;
    const answer = await under.send({}, { as: under.app.merchant.liveKey ?? "" });
    expect([answer.status, answer.body.Status]).toEqual([400, "failed"]);
    expect(JSON.stringify(answer.body)).not.toContain("RC 99");
  });

  test.each(["08031230003", "08031230004"])("processing: charged meanwhile (%s)", async (mobileNumber) => {
    const answer = await under.send({ mobile_number: mobileNumber });
    expect([answer.status, answer.body.Status, answer.body.status]).toEqual([200, "processing", "processing"]);
    expect(Object.keys(answer.body)).not.toContain("error");
    expect(await under.balance()).toBe(answer.body.balance_after);
  });
}

function describeIdents(under: LegacyUnderTest): void {
  const { endpoint } = under;

  test.each([
    ["text", "order:1.a_b-c"],
    ["an integer", 1_763_683_200],
    ["digits", "20261120140309"],
  ])("as %s it is the reference: again, it answers the original and charges once", async (_kind, ident) => {
    const first = await under.send({ ident });
    const charged = await under.balance();
    const again = await under.send({ ident, ...endpoint.asStrings });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(first.body.ident).toBe(String(ident));
    expect(await under.balance()).toBe(charged);
  });

  test("it shares its names with the merchant API: the same purchase answers, another one conflicts", async () => {
    const { path, body } = endpoint.successor;
    const bought = await under.app.call(under.key, path, { body: { ...body, reference: "shared" } });
    const again = await under.send({ ident: "shared" });
    const { balance_after, message } = bought.body;
    expect([again.status, again.body]).toEqual([
      200,
      expect.objectContaining({ ident: "shared", balance_after, api_response: message }),
    ]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const conflict = await under.send({ ident: "shared", ...endpoint.different });
    expectLegacyError(conflict, 400, [
      "This reference was used for a different purchase: choose a new reference for this one.",
    ]);
  });

  test.each(["a b", "a/b", "..", "r".repeat(101), -5, 1.5, true, { a: 1 }, ...transactionIdForms])(
    "400 for %j",
    (ident) => under.expectRefused({ ident }, 400, ["ident: Must be…"]),
  );
}

function describePorted(under: LegacyUnderTest): void {
  // 0805 is a prefix of Glo's. What is asked for airtime to another network's prefix is in a file of its own.
  const number = under.endpoint.category === "data" ? "08051234567" : "08031234567";
  test.each([true, "true", "True", "1", 1, "on", undefined])("%j is told as it was sent", async (ported) => {
    const { body } = await under.send({ mobile_number: number, Ported_number: ported });
    expect([body.Status, body.Ported_number]).toEqual(["successful", true]);
  });

  test.each([false, "false", "False", "0", 0, "off"])("%j refuses another network's prefix", async (ported) => {
    await under.expectRefused({ mobile_number: "08051234567", Ported_number: ported }, 400, [
      "mobile_number: The number's prefix belongs to GLO, the product to MTN.",
    ]);
    const { body } = await under.send({ Ported_number: ported });
    expect([body.Status, body.Ported_number]).toEqual(["successful", false]);
  });

  test.each(["maybe", 2, -1, "2", []])("400 for %j", (ported) =>
    under.expectRefused({ Ported_number: ported }, 400, ["Ported_number: Must be true or false."]),
  );
}

const noPhone = "mobile_number: Must be a Nigerian mobile number such as 08031234567.";
const noNetwork = "network: Must be a network's number or name.";
const unknownNetwork = "network: Must be a network's number (1 MTN, 2 GLO, 3 9MOBILE, 4 AIRTEL) or name.";

function describeInvalid(under: LegacyUnderTest): void {
  const { path, required, malformed } = under.endpoint;
  const missing = required.map((field) => `${field}: Is required.`);

  test.each(["json", "form", "multipart"] as const)("every missing field of a %s is named", async (form) => {
    expectLegacyError(await postLegacy(under.app, under.key, path, { other: 1 }, form), 400, missing);
  });

  test("a body that is missing lacks the same fields", async () => {
    expectLegacyError(await callLegacy(under.app, under.key, path, { method: "POST" }), 400, missing);
  });

  test.each([
    ...malformed,
    ...[0, -1, 100, "1.0", "M T N", true, [1]].map((network) => [{ network }, noNetwork] as const),
    ...[5, "05", "0", "VODAFONE"].map((network) => [{ network }, unknownNetwork] as const),
    ...["0803123456", "12345678901", 7_777_777_777, 1].map((number) => [{ mobile_number: number }, noPhone] as const),
    [{ mobile_number: "0\u0000" }, "mobile_number: Must not contain a NUL character."],
  ] as const)("%j is %s", (change, text) => under.expectRefused(change, 400, [text]));

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
    for (const [name, value] of Object.entries(under.endpoint.usual)) body.set(name, String(value));
    body.set("network", new Blob(["1"]), "network.txt");
    expectLegacyError(await under.raw("", body), 400, ["network: Is required."]);
  });
}

function describeRefusals(under: LegacyUnderTest): void {
  const { total, usual, path } = under.endpoint;

  test("400 for a poor wallet begins with the words that clients look for", async () => {
    const answer = await under.send({}, { as: under.poor.testKey });
    const text = `Insufficient balance. The purchase costs ${total}, the wallet holds 0.01. POST /api/v1/merchant/sandbox/reset fills the sandbox wallet up again.`;
    expectLegacyError(answer, 400, [text]);
  });

  test("400 where the category is hidden from the merchant", async () => {
    const answer = await under.send({}, { as: under.excluded.testKey });
    expectLegacyError(answer, 400, ["This account cannot buy in this category."]);
  });

  test("400 a body above 1 MiB, and a form above 64 KiB", async () => {
    await under.expectRefused({ note: "x".repeat(1_048_576) }, 400, ["The body is too large."]);
    for (const form of ["form", "multipart"] as const) {
      const answer = await under.send({ note: "x".repeat(65_536) }, { form });
      expectLegacyError(answer, 400, ["The body is too large."]);
      expect((await under.send({ note: "x".repeat(60_000) }, { form })).status).toBe(200);
    }
  });

  test.each(["text/xml", "text/plain", "application/octet-stream"])("400 %s", async (type) => {
    expectLegacyError(await under.raw(type, "x"), 400, ["Send the body as JSON or as a form."]);
  });

  test("503 live without a supplier, and when to come back", async () => {
    const alone = await startApp({ database: under.app.fresh });
    const answer = await postLegacy(alone, under.app.merchant.liveKey ?? "", path, { ...usual, ident: "none" });
    await alone.close();
    expectLegacyError(answer, 503, ["This product is not available right now."]);
    expect(answer.headers.get("retry-after")).toBe("300");
  });
}
