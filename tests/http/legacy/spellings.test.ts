import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { callLegacy, expectLegacyError, postLegacy } from "../../support/legacy-endpoint.ts";
import { sharedApp } from "../../support/shared-app.ts";

const app = await sharedApp();
const key = (await app.createMerchant({ testCredit: kobo(1_000_000_000n) })).testKey;

const json = { "content-type": "application/json" };
const bought = { Status: "successful", mobile_number: "08031234567", plan_network: "MTN" };
let count = 0;
const fresh = () => `spelled-${++count}`;

describe("a field goes by its other names, too", () => {
  test.each([
    ["/api/data/", { network: 1, phone: "08031234567", plan: 2, Ported_number: true }],
    ["/api/data/", { network: 1, mobile_number: "08031234567", data_plan: "2", ported_number: true }],
    ["/api/data/", { network: 1, mobile_number: "08031234567", phone: "080", plan: 2, data_plan: 777 }],
    ["/api/topup/", { network: "1", phone: "08031234567", amount: 100, airtime_type: "VTU" }],
  ])("%s takes the fields %j", async (path, fields) => {
    const { status, body } = await postLegacy(app, key, path, { ...fields, ident: fresh() });
    expect([status, body]).toEqual([200, expect.objectContaining(bought)]);
  });

  test("ported_number false is believed", async () => {
    const fields = { network: 1, mobile_number: "08051234567", plan: 2, ported_number: "false" };
    expectLegacyError(await postLegacy(app, key, "/api/data/", fields), 400, ["mobile_number: The number's prefix…"]);
  });

  test("a missing field is asked for by its own name", async () => {
    const answer = await postLegacy(app, key, "/api/data/", { network: 1, phone: "x", data_plan: "y" });
    expectLegacyError(answer, 400, [
      "mobile_number: Must be a Nigerian mobile number such as 08031234567.",
      "plan: Must be a whole number from 1 to 2147483647.",
    ]);
  });
});

describe("the client's own reference", () => {
  const fields = { network: 1, mobile_number: "08031234567", plan: 2 };

  test.each(["request_id", "ref"])("as %s: sent again it answers the original", async (name) => {
    const reference = fresh();
    const first = await postLegacy(app, key, "/api/data/", { ...fields, [name]: reference });
    const again = await postLegacy(app, key, "/api/data/", { ...fields, [name]: reference });
    expect([first.status, first.body.ident]).toEqual([200, reference]);
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
  });

  test("as the header request-id", async () => {
    const headers = { ...json, "Request-Id": fresh() };
    const send = () => callLegacy(app, key, "/api/data/", { body: JSON.stringify(fields), headers });
    const [first, again] = [await send(), await send()];
    expect([first.status, first.body.ident]).toEqual([200, headers["Request-Id"]]);
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
  });

  test("as ident it comes before all others", async () => {
    const ident = fresh();
    const body = { ...fields, ref: fresh(), request_id: fresh(), ident };
    expect((await postLegacy(app, key, "/api/data/", body)).body.ident).toBe(ident);
  });

  test("one that is no reference is refused in each place", async () => {
    for (const name of ["ident", "request_id", "ref"]) {
      const answer = await postLegacy(app, key, "/api/data/", { ...fields, [name]: "a b" });
      expectLegacyError(answer, 400, ["ident: Must be 1 to 100…"]);
    }
  });
});

describe("bodies", () => {
  const form = "network=1&mobile_number=08031234567&plan=2&Ported_number=true";

  test("a form that calls itself JSON", async () => {
    const answer = await callLegacy(app, key, "/api/data/", { body: `${form}&ident=${fresh()}`, headers: json });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining(bought)]);
  });

  test("no form is read as JSON that is larger than a form may be", async () => {
    const body = `${form}&note=${"x".repeat(65_536)}`;
    expectLegacyError(await callLegacy(app, key, "/api/data/", { body, headers: json }), 400, [
      "The body is too large.",
    ]);
  });

  test("JSON over several lines, behind a blank one", async () => {
    const body = `\n${JSON.stringify({ network: 1, mobile_number: "08031234567", plan: 2, ident: fresh() }, null, 2)}\n`;
    expect((await callLegacy(app, key, "/api/data/", { body, headers: json })).body).toMatchObject(bought);
  });

  test.each(["network", "network:1", "=1", "1=1", "<a b=c>"])("neither JSON nor a form: %j", async (body) => {
    expectLegacyError(await callLegacy(app, key, "/api/data/", { body, headers: json }), 400, ["…"]);
  });
});

describe("the key", () => {
  test.each(["Token", "token", "Token ", "Token  ", "TOKEN", "Bearer   "])(
    "a key is taken behind %j",
    async (scheme) => {
      const answer = await callLegacy(app, null, "/api/user", { headers: { authorization: `${scheme}${key}` } });
      expect([answer.status, answer.headers.get("x-api-mode")]).toEqual([200, "test"]);
    },
  );

  test("in two headers at once", async () => {
    const headers = { authorization: `Bearer ${key}`, "x-api-key": key };
    expect((await callLegacy(app, null, "/api/user", { headers })).status).toBe(200);
  });

  test.each(["Bearer", "Tokenish ", "Tokensk_test_", "Basic"])("no key is taken behind %j", async (scheme) => {
    const answer = await callLegacy(app, null, "/api/user", { headers: { authorization: `${scheme}${key}` } });
    expect(answer.status).toBe(401);
  });
});
