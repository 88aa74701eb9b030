import { describe, expect, test } from "vitest";
import { type Answer, startApp, type TestApp } from "./app.ts";
import type { Fields } from "./endpoint-under-test.ts";
import { refusedMerchant, refusedStates } from "./refused-merchants.ts";
import { expectChallenge, expectHeaders } from "./wire-expectations.ts";

export type LegacyForm = "json" | "form" | "multipart";

/** Calls at the host's root with the header that older clients send. `key` null: without one. */
export async function callLegacy(
  app: TestApp,
  key: string | null,
  path: string,
  request: { method?: string; body?: string | FormData | URLSearchParams; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${app.url}${path}`, {
    method: request.method ?? (request.body === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: { ...(key === null ? {} : { authorization: `Token ${key}` }), ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

/** Sends fields as JSON, as a form or as multipart; `undefined` leaves a field out. */
export function postLegacy(
  app: TestApp,
  key: string,
  path: string,
  fields: Fields,
  form: LegacyForm = "json",
): Promise<Answer> {
  if (form === "json") {
    const headers = { "content-type": "application/json" };
    return callLegacy(app, key, path, { body: JSON.stringify(fields), headers });
  }
  const body = form === "form" ? new URLSearchParams() : new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, String(value));
  return callLegacy(app, key, path, { body });
}

/** The headers of every legacy answer; `known` unless no key opened the door. */
export function expectLegacyHeaders(
  answer: Answer,
  key: { mode: "test" | "live" | null; known: boolean } = { mode: "test", known: true },
): void {
  expectHeaders(answer, key);
  expect(answer.headers.get("deprecation")).toBe("@1767225600");
  expect(answer.headers.get("link")).toMatch(
    /^<\/docs>; rel="deprecation"; type="text\/html", <\/api\/v1\/merchant\/[a-z/-]+>; rel="successor-version"$/,
  );
}

/** A refusal in all the ways in which clients look for one. A text that ends in an ellipsis is how one begins. */
export function refusalBody(texts: readonly string[]) {
  const whole = texts.map(textLike).length === 1 ? textLike(texts[0] ?? "") : texts.join(" ");
  return { Status: "failed", status: "failed", message: whole, error: texts.map(textLike), detail: whole };
}

function textLike(text: string) {
  return text.endsWith("…") ? expect.stringMatching(new RegExp(`^${escaped(text.slice(0, -1))}.*\\.$`)) : text;
}

/** A refusal with exactly these texts, and the headers of an answer to a key that is known. */
export function expectLegacyError(
  answer: Answer,
  status: number,
  texts: readonly string[],
  mode: "test" | "live" = "test",
): void {
  expect([answer.status, answer.body]).toEqual([status, refusalBody(texts)]);
  expectLegacyHeaders(answer, { mode, known: true });
  expect(answer.headers.get("idempotent-replayed")).toBeNull();
}

/** The same where no key may have opened the door. */
export function expectLegacyDetail(answer: Answer, status: number, detail: string): void {
  expect([answer.status, answer.body]).toEqual([status, refusalBody([detail])]);
  expectChallenge(answer);
}

/** A refusal that leaves open what became of a purchase. */
export function expectLeftOpen(answer: Answer, status: number): void {
  const message = "It is not known yet what became of this purchase. Ask for it, or wait; do not buy again.";
  expect([answer.status, answer.body]).toEqual([status, { Status: "processing", status: "processing", message }]);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Registers what a legacy path promises before it looks at anything, with and without its trailing slash. */
export function describeLegacyDoor(
  endpoint: { method: "GET" | "POST"; path: string; allow?: string },
  appOf: () => TestApp,
): void {
  const { method, path, allow = method === "GET" ? "GET, HEAD" : method } = endpoint;
  const paths = [path, `${path}/`];

  describe("401", () => {
    test.each([
      ["no key", {}, null],
      ["an unknown sandbox key", { authorization: `Token ds_test_${"x".repeat(38)}` }, "test"],
      ["an unknown live key", { "x-api-key": `ds_live_${"x".repeat(38)}` }, "live"],
      ["a key of the service that was used before", { authorization: "Token 66f2e5c39ac8640f13cd888f1613" }, null],
      ["another scheme", { authorization: "Basic ZHNfdGVzdF86" }, null],
    ] as const)("%s", async (_name, headers, mode) => {
      for (const each of paths) {
        const answer = await callLegacy(appOf(), null, each, { method, headers: { ...headers } });
        expectLegacyDetail(answer, 401, "Invalid token.");
        expectLegacyHeaders(answer, { mode, known: false });
      }
    });
  });

  test.each(["Bearer", "Token", "token", null])("a key opens the door as %s", async (scheme) => {
    const key = appOf().merchant.testKey;
    const headers: Record<string, string> =
      scheme === null ? { "x-api-key": key } : { authorization: `${scheme} ${key}` };
    const answer = await callLegacy(appOf(), null, path, { method, headers });
    expect(answer.status).not.toBe(401);
    expectLegacyHeaders(answer);
  });

  test.each(methods.filter((name) => !allow.split(", ").includes(name)))(
    "405 %s names the method that works",
    async (other) => {
      for (const each of paths) {
        const answer = await callLegacy(appOf(), appOf().merchant.testKey, each, { method: other });
        expectLegacyError(answer, 405, ["This address does not take this method."]);
        expect(answer.headers.get("allow")).toBe(allow);
      }
    },
  );

  test.each(refusedStates)("403 an account that is $state", async (refused) => {
    const { testKey } = await refusedMerchant(appOf(), refused);
    for (const each of paths) {
      expectLegacyError(await callLegacy(appOf(), testKey, each, { method }), 403, [refused.text]);
    }
  });

  test("429 past the key's requests of the minute", async () => {
    const { testKey } = await appOf().createMerchant();
    const limited = await startApp({ database: appOf().fresh, rateLimitPerMinute: 1 });
    await callLegacy(limited, testKey, path, { method });
    const answer = await callLegacy(limited, testKey, path, { method });
    await limited.close();
    expectLegacyDetail(answer, 429, "This key may send 1 requests a minute.");
    expectLegacyHeaders(answer);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
  });

  test("404 below it, where nothing is", async () => {
    const answer = await callLegacy(appOf(), appOf().merchant.testKey, `${path}/some/where`, { method });
    expectLegacyDetail(answer, 404, "Not found.");
    expectLegacyHeaders(answer);
  });
}
