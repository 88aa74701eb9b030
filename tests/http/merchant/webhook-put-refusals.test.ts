import { describe, expect, test } from "vitest";
import type { ProblemCode } from "../../../src/kernel/problems.ts";
import type { ResolveName } from "../../../src/platform/outbound-http/guarded-connect.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { testWebhooks } from "../../support/webhooks.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const url = "https://example.com/webhooks/dispense";

const calls: string[] = [];

const resolveName: ResolveName = async (host) => {
  calls.push(host);
  if (host === "mixed.example.com") return { kind: "addresses", addresses: ["93.184.215.14", "10.0.0.1"] };
  if (host === "mixed6.example.com") return { kind: "addresses", addresses: ["93.184.215.14", "::1"] };
  if (host === "metadata.example.com") return { kind: "addresses", addresses: ["169.254.169.254"] };
  return { kind: "addresses", addresses: ["93.184.215.14", "2606:2800:220:1::1"] };
};

const app = closing(await startApp({ webhooks: { ...testWebhooks, resolveName } }));

const put = (key: string | null, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });
/** The row behind the endpoint, as somebody sees it who reads the database. */
async function stored(merchantId: number) {
  const { rows } = await app.fresh.pool.query(
    "select url, secret, secret_hint, previous_secret, disabled_reason from webhook_endpoints where merchant_id = $1",
    [merchantId],
  );
  return rows[0];
}

test.each([
  "http://example.com/hook",
  "https://localhost/hook",
  "https://127.0.0.1/hook",
  "https://mixed.example.com/hook",
])("%s is refused with what to do on one's own machine", async (local) => {
  const { body } = await put(app.merchant.testKey, { url: local });
  expect(body.code).toBe("INVALID_WEBHOOK_URL");
  expect(body.message).toMatch(/tunnel.*WEBHOOK_ALLOW_PRIVATE=true/);
});

describe("400", () => {
  const faults: readonly (readonly [body: object, code: ProblemCode, ...fields: string[]])[] = [
    [{}, "VALIDATION_ERROR", "url"],
    [{ enabled: true }, "VALIDATION_ERROR", "url"],
    [{ rotate_secret: true }, "VALIDATION_ERROR", "url"],
    [{ url: null, rotate_secret: true }, "VALIDATION_ERROR", "rotate_secret"],
    ...[
      5,
      true,
      ["https://example.com/"],
      "",
      " ",
      "example.com",
      "/webhooks",
      "http://example.com/",
      "ftp://example.com/",
      "javascript:alert(1)",
      "https://",
      "https://user:pass@example.com/",
      "https://example.com:80/",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://[::1]/",
      "https://10.0.0.1/",
      "https://169.254.169.254/latest/meta-data",
      "https://localhost/",
      "https://db.internal/",
      "https://intranet/",
      "https://mixed.example.com/",
      "https://mixed6.example.com/",
      "https://metadata.example.com/",
      `https://example.com/${"x".repeat(2_048)}`,
    ].map((value) => [{ url: value }, "INVALID_WEBHOOK_URL" as const, "url"] as const),
    [{ url, enabled: "true" }, "VALIDATION_ERROR", "enabled"],
    [{ url, enabled: 1 }, "VALIDATION_ERROR", "enabled"],
    [{ url, events: [] }, "VALIDATION_ERROR", "events"],
    [{ url, events: "*" }, "VALIDATION_ERROR", "events"],
    [{ url, events: ["transaction.successful", "transaction.pending"] }, "VALIDATION_ERROR", "events.1"],
    [{ url, events: ["transaction.*"] }, "VALIDATION_ERROR", "events.0"],
    [{ url, events: [7] }, "VALIDATION_ERROR", "events.0"],
    [{ url, events: Array.from({ length: 21 }, () => "*") }, "VALIDATION_ERROR", "events"],
    [{ url, notify: "none" }, "VALIDATION_ERROR", "notify"],
    [{ url, notify: ["all"] }, "VALIDATION_ERROR", "notify"],
    [{ url, rotate_secret: "yes" }, "VALIDATION_ERROR", "rotate_secret"],
    [{ url, overlap_hours: 1 }, "VALIDATION_ERROR", "overlap_hours"],
    [{ url, rotate_secret: false, overlap_hours: 0 }, "VALIDATION_ERROR", "overlap_hours"],
    [{ url, rotate_secret: true, overlap_hours: 169 }, "VALIDATION_ERROR", "overlap_hours"],
    [{ url, rotate_secret: true, overlap_hours: -1 }, "VALIDATION_ERROR", "overlap_hours"],
    [{ url, rotate_secret: true, overlap_hours: 1.5 }, "VALIDATION_ERROR", "overlap_hours"],
    [{ url: 5, enabled: "x", notify: 1 }, "VALIDATION_ERROR", "url", "enabled", "notify"],
  ];

  const named = faults.map(([body, code, ...fields]) => ({
    name: JSON.stringify(body).slice(0, 90),
    body,
    code,
    fields,
  }));
  test.each(named)("$name is $code on $fields, and sets nothing", async ({ body, code, fields }) => {
    const { testKey, id } = await app.createMerchant();
    const answer = await put(testKey, body);
    expectProblem(answer, 400, code, { fields });
    expect(await stored(id)).toBeUndefined();
  });

  test.each([
    [{}, "The field url is required."],
    [{ url: "https://example.com:444/" }, "The field url must use port 443 or 8443."],
    [{ url, overlap_hours: 1 }, "The field overlap_hours belongs to a request with rotate_secret true."],
  ])("%j is refused by a message that names the field", async (body, message) => {
    const { testKey } = await app.createMerchant();
    expect((await put(testKey, body)).body.message).toBe(message);
  });

  test("leaves what was set before, secret and all", async () => {
    const { testKey, id } = await app.createMerchant();
    await put(testKey, { url });
    const before = await stored(id);
    for (const body of [{ url: "https://127.0.0.1/" }, { url, notify: "x" }, { url: null, rotate_secret: true }]) {
      expect((await put(testKey, body)).status).toBe(400);
    }
    expect(await stored(id)).toEqual(before);
  });

  test("never asks a name server about an address, nor about a URL that is refused for its form", async () => {
    const { testKey } = await app.createMerchant();
    const before = calls.length;
    for (const bad of ["https://127.0.0.1/", "https://8.8.8.8:99/", "https://localhost/", "https://u@example.com/"]) {
      await put(testKey, { url: bad });
    }
    expect((await put(testKey, { url: "https://8.8.8.8/" })).status).toBe(200);
    expect(calls).toHaveLength(before);
  });

  test.each([
    ["no body", undefined],
    ["an empty body", ""],
    ["half of a body", '{"url":'],
  ])("%s is INVALID_JSON", async (_name, body) => {
    const headers = { "content-type": "application/json" };
    const answer = await app.call(app.merchant.testKey, "/webhook", { method: "PUT", body, headers });
    expectProblem(answer, 400, "INVALID_JSON");
  });

  test("a list is no settings", async () => {
    expectProblem(await put(app.merchant.testKey, [url]), 400, "VALIDATION_ERROR", { fields: ["body"] });
  });
});

describe("where the operator allows private addresses", () => {
  test("http, any port, local names and addresses are taken; credentials and other schemes are not", async () => {
    const local = await startApp({ database: app.fresh, webhooks: { ...testWebhooks, allowPrivate: true } });
    const save = (value: string) =>
      local.call(app.merchant.testKey, "/webhook", { method: "PUT", body: { url: value } });
    for (const good of ["http://127.0.0.1:9000/hook", "http://localhost:3000", "https://[::1]:1/", "http://sink/"]) {
      expect((await save(good)).body).toMatchObject({ url: good });
    }
    for (const bad of ["http://u:p@127.0.0.1/", "ftp://localhost/", "file:///etc/passwd", "localhost:3000"]) {
      expectProblem(await save(bad), 400, "INVALID_WEBHOOK_URL", { fields: ["url"] });
    }
    await local.close();
  });
});
