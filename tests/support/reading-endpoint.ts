import { describe, expect, test } from "vitest";
import { startApp, type TestApp } from "./app.ts";
import { refusedMerchant, refusedStates } from "./refused-merchants.ts";
import { expectHeaders, expectProblem } from "./wire-expectations.ts";

interface Door {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly allow?: readonly string[];
  /** How large a body may be, where one is read. */
  readonly bodyBytesMax?: number;
}

/**
 * Registers what an endpoint promises before it looks at anything: a key, whose account may come in from there, its
 * method, the rate, a body that can be read, and the headers.
 */
export function describeDoor(endpoint: Door, appOf: () => TestApp): void {
  const { method, path, allow: named = [method] } = endpoint;
  // Whatever can be read can be asked for its head.
  const allow = named.includes("GET") ? [...named, "HEAD"].sort() : named;

  describe("401", () => {
    test.each([
      ["no key", {}, null],
      ["an unknown live key", { authorization: `Bearer ds_live_${"x".repeat(38)}` }, "live"],
      ["an unknown sandbox key", { "x-api-key": `ds_test_${"x".repeat(38)}` }, "test"],
      ["a key of nobody's", { authorization: "Token sk_test_51H" }, null],
      ["another scheme", { authorization: "Basic ZHNfdGVzdF86" }, null],
    ] as const)("%s opens no door", async (_name, headers, mode) => {
      const answer = await appOf().call(null, path, { method, headers: { ...headers } });
      expectProblem(answer, 401, "UNAUTHORIZED");
      expectHeaders(answer, { mode, known: false });
    });
  });

  describe("403", () => {
    test.each(refusedStates)("an account that is $state, with both of its keys", async (refused) => {
      const { testKey, liveKey } = await refusedMerchant(appOf(), refused);
      for (const key of [testKey, liveKey]) {
        const answer = await appOf().call(key, path, { method });
        expectProblem(answer, 403, refused.code);
        expectHeaders(answer, { mode: key === testKey ? "test" : "live", known: true });
      }
    });
  });

  if (method !== "GET") describeBodies(endpoint, appOf);

  describe("405", () => {
    const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((name) => !allow.includes(name));
    test.each(others)("%s names the method that works", async (other) => {
      const answer = await appOf().call(appOf().merchant.testKey, path, { method: other });
      expectProblem(answer, 405, "METHOD_NOT_ALLOWED");
      expectHeaders(answer, { mode: "test", known: true });
      expect(answer.headers.get("allow")).toBe(allow.join(", "));
    });
  });

  test("429 past the key's requests of the minute", async () => {
    const { testKey } = await appOf().createMerchant();
    const limited = await startApp({ database: appOf().fresh, rateLimitPerMinute: 1 });
    const first = await limited.call(testKey, path, { method });
    const second = await limited.call(testKey, path, { method });
    await limited.close();
    expectHeaders(first, { mode: "test", known: true });
    expect(first.headers.get("ratelimit-policy")).toBe('"key";q=1;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"key";r=0;t=/);
    expectProblem(second, 429, "RATE_LIMITED");
    expectHeaders(second, { mode: "test", known: true });
  });
}

function describeBodies({ method, path, bodyBytesMax = 1_048_576 }: Door, appOf: () => TestApp): void {
  test.each([
    ["400", "is no JSON", { body: "{" }, 400, "INVALID_JSON"],
    ["413", "is larger than is read", { body: " ".repeat(bodyBytesMax + 1) }, 413, "PAYLOAD_TOO_LARGE"],
    ["415", "says it is a form", { body: "a=b", headers: formHeaders }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "415",
      "says it is text",
      { body: "{}", headers: { "content-type": "text/plain" } },
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
  ] as const)("%s a body that %s", async (_status, _name, request, status, code) => {
    const answer = await appOf().call(appOf().merchant.testKey, path, { method, ...request });
    expectProblem(answer, status, code);
    expectHeaders(answer, { mode: "test", known: true });
  });
}

const formHeaders = { "content-type": "application/x-www-form-urlencoded" };
