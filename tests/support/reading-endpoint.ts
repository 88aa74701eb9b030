import { describe, expect, test } from "vitest";
import { startApp, type TestApp } from "./app.ts";
import { expectHeaders, expectProblem } from "./wire-expectations.ts";

/** Registers what an endpoint promises before it looks at anything: a key, its method, the rate, and the headers. */
export function describeDoor(
  endpoint: { method: "GET" | "POST" | "PUT" | "DELETE"; path: string; allow?: readonly string[] },
  appOf: () => TestApp,
): void {
  const { method, path, allow = [method] } = endpoint;

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
