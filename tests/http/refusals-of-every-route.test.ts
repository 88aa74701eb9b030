import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { switchSandbox } from "../../src/domain/merchants/administration.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { bodyBytesMax } from "../../src/http/plugins/json-reader.ts";
import { merchantPrefix } from "../../src/main/build-http.ts";
import { parseAddressRange } from "../../src/platform/address.ts";
import { type Answer, clock, startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { type DescribedRoute, describedRoutes, otherMethods } from "../support/described-routes.ts";
import { refusedMerchant, refusedStates } from "../support/refused-merchants.ts";
import { expectHeaders, expectProblem } from "../support/wire-expectations.ts";

// What every endpoint of the merchant API promises before it looks at anything: a key, whose account may come in from
// there, its method, the rate, a body that can be read, and the headers.

const all = await describedRoutes();
const routes = all
  .filter(({ path }) => path.startsWith(`${merchantPrefix}/`))
  .map((route, index) => ({ ...route, path: route.path.slice(merchantPrefix.length), from: `198.51.100.${index}` }));
type Route = (typeof routes)[number];
const writing = routes.filter(({ method }) => method !== "GET");
const readOfBulk = 4 * bodyBytesMax;

// More than 300 failed keys a minute from one address look like an attack: each route is called from its own address.
const trustedProxies = ["127.0.0.0/8"].map(parseAddressRange).filter((range) => range !== null);
const app = closing(await startApp({ trustedProxies }));
/** Sends only what is refused. */
const careless = await app.createMerchant();

/** The route's usual request with these changes: without them it is carried out. */
function send(
  { method, path, query, body, from }: Route,
  key: string | null,
  changes: { method?: string; body?: string | undefined; headers?: Record<string, string>; at?: TestApp } = {},
): Promise<Answer> {
  const { at = app, headers, ...given } = changes;
  const usual = { method, body: body === undefined ? undefined : JSON.stringify(body) };
  const request = { ...usual, ...given, headers: { ...headers, "x-forwarded-for": from } };
  return at.call(key, `${path}${query}`, request);
}

test("every route is the merchant API's, an older service's, or asks for no key on purpose", () => {
  const known = (route: DescribedRoute) => /^\/api\/(v1\/merchant\/|(?!v1\/))/.test(route.path);
  expect(all.filter((route) => !known(route)).map(({ name }) => name)).toEqual(["GET /healthz", "GET /readyz"]);
  expect(routes.length).toBeGreaterThan(40);
});

describe.each(routes)("$name", (route) => {
  test.each([
    ["no key", {}, null],
    ["an unknown live key", { authorization: `Bearer ds_live_${"x".repeat(38)}` }, "live"],
    ["an unknown sandbox key", { "x-api-key": `ds_test_${"x".repeat(38)}` }, "test"],
    ["a key of nobody's", { authorization: "Token sk_test_51H" }, null],
    ["another scheme", { authorization: "Basic ZHNfdGVzdF86" }, null],
  ] as const)("401 %s opens no door, whatever the body", async (_name, headers, mode) => {
    for (const changes of route.method === "GET" ? [{}] : [{}, { body: "{" }]) {
      const answer = await send(route, null, { ...changes, headers: { ...headers } });
      expectProblem(answer, 401, "UNAUTHORIZED");
      expectHeaders(answer, { mode, known: false });
    }
  });

  test.each(otherMethods(route))("405 %s names the method that works", async (method) => {
    const answer = await send(route, careless.testKey, { method, body: undefined });
    expectProblem(answer, 405, "METHOD_NOT_ALLOWED");
    expectHeaders(answer, { mode: "test", known: true });
    expect(answer.headers.get("allow")).toBe(route.allow.join(", "));
  });
});

describe.each(refusedStates)("403 an account that is $state, with each of its keys", (refused) => {
  let merchant: RegisteredMerchant;
  beforeAll(async () => {
    merchant = await refusedMerchant(app, refused);
  });

  test.each(routes)("403 whatever is asked: $name", async (route) => {
    for (const mode of refused.modes) {
      const answer = await send(route, mode === "test" ? merchant.testKey : merchant.liveKey);
      expectProblem(answer, 403, refused.code);
      expectHeaders(answer, { mode, known: true });
    }
  });
});

describe("a body", () => {
  test.each(writing)("400 that is no JSON: $name", async (route) => {
    const answer = await send(route, careless.testKey, { body: "{" });
    expectProblem(answer, 400, "INVALID_JSON");
    expectHeaders(answer, { mode: "test", known: true });
  });

  test.each(writing)("413 that is larger by a byte than is read: $name", async (route) => {
    const bytesMax = route.path.endsWith("/bulk") ? readOfBulk : bodyBytesMax;
    const answer = await send(route, careless.testKey, { body: JSON.stringify(route.body ?? {}).padEnd(bytesMax + 1) });
    expectProblem(answer, 413, "PAYLOAD_TOO_LARGE");
    expectHeaders(answer, { mode: "test", known: true });
  });

  test.each(writing)("415 that calls itself something else than JSON: $name", async (route) => {
    const text = JSON.stringify(route.body ?? {});
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]) {
      const answer = await send(route, careless.testKey, { body: text, headers: { "content-type": type } });
      expectProblem(answer, 415, "UNSUPPORTED_MEDIA_TYPE");
      expectHeaders(answer, { mode: "test", known: true });
    }
  });

  test("none of these bought, saved or changed anything", async () => {
    const { testKey } = careless;
    expect((await app.call(testKey, "/wallet/balance")).body.balance).toBe("100000.00");
    for (const list of ["/transactions", "/beneficiaries", "/webhook/deliveries"]) {
      expect([list, (await app.call(testKey, list)).body.meta.total]).toEqual([list, 0]);
    }
    expect((await app.call(testKey, "/webhook/endpoints")).body.endpoints).toEqual([]);
  });
});

describe("429 past the key's requests of the minute, also for what would be a replay", () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await startApp({ database: app.fresh, rateLimitPerMinute: 1 });
  });
  afterAll(() => limited.close());

  test.each(routes)("429 the second request: $name", async (route) => {
    const { testKey } = await limited.createMerchant();
    const [first, second] = [await send(route, testKey, { at: limited }), await send(route, testKey, { at: limited })];
    expect([401, 403, 405, 413, 415, 429, 500]).not.toContain(first.status);
    expectHeaders(first, { mode: "test", known: true });
    expect(first.headers.get("ratelimit-policy")).toBe('"key";q=1;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"key";r=0;t=/);
    expectProblem(second, 429, "RATE_LIMITED");
    expectHeaders(second, { mode: "test", known: true });
    expect(second.headers.get("ratelimit-policy")).toBe('"key";q=1;w=60');
  });
});

describe("403 a sandbox key while the sandbox is off", () => {
  const administration = () => ({ database: app.services.database, clock });
  beforeAll(async () => {
    await switchSandbox(administration(), false);
    const ask = async () => (await app.call(app.merchant.testKey, "/wallet/balance")).status;
    await vi.waitUntil(async () => (await ask()) === 403, { timeout: 60_000, interval: 25 });
  });
  afterAll(() => switchSandbox(administration(), true));

  test.each(routes)("403 whatever is asked: $name", async (route) => {
    const answer = await send(route, app.merchant.testKey);
    expectProblem(answer, 403, "SANDBOX_DISABLED");
    expectHeaders(answer, { mode: "test", known: true });
  });
});
