import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { isLegacyUrl } from "../../../src/legacy/errors.ts";
import { parseAddressRange } from "../../../src/platform/address.ts";
import { type Answer, startApp, type TestApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { type DescribedRoute, describedRoutes, otherMethods } from "../../support/described-routes.ts";
import {
  callLegacy,
  expectLeftOpen,
  expectLegacyDetail,
  expectLegacyError,
  expectLegacyHeaders,
} from "../../support/legacy-endpoint.ts";
import { refusedMerchant, refusedStates } from "../../support/refused-merchants.ts";

// What every endpoint of older services promises before it looks at anything, with and without its trailing slash.

const routes = (await describedRoutes())
  .filter(({ path }) => isLegacyUrl(path))
  .map((route, index) => ({ ...route, from: `198.51.100.${index}` }));
type Route = (typeof routes)[number];

/** A read of purchases by their id or as a list: nothing that it answers may say that a purchase failed. */
const asksAfterPurchases = ({ operation, method, path }: DescribedRoute) =>
  method === "GET" && (operation.operationId.startsWith("legacyList") || /\/1$/.test(path));

// More than 300 failed keys a minute from one address look like an attack: each route is called from its own address.
const trustedProxies = ["127.0.0.0/8"].map(parseAddressRange).filter((range) => range !== null);
const app = closing(await startApp({ trustedProxies }));

/** The route's path in both spellings. */
const spellings = ({ path, query }: Route) => [`${path}${query}`, `${path}/${query}`];

/** Asks the route for nothing in particular, at one of its spellings. */
function ask(
  { method, from }: Route,
  key: string | null,
  url: string,
  changes: { method?: string; headers?: Record<string, string>; at?: TestApp } = {},
): Promise<Answer> {
  const { at = app, headers, ...given } = changes;
  return callLegacy(at, key, url, { method, ...given, headers: { ...headers, "x-forwarded-for": from } });
}

test("the routes of older services are among those of the document", () => {
  expect(routes.length).toBeGreaterThan(15);
  expect(routes.filter(asksAfterPurchases).map(({ name }) => name)).toHaveLength(8);
});

describe.each(routes)("$name", (route) => {
  test.each([
    ["no key", {}, null],
    ["an unknown sandbox key", { authorization: `Token ds_test_${"x".repeat(38)}` }, "test"],
    ["an unknown live key", { "x-api-key": `ds_live_${"x".repeat(38)}` }, "live"],
    ["a key of the service that was used before", { authorization: "Token 66f2e5c39ac8640f13cd888f1613" }, null],
    ["another scheme", { authorization: "Basic ZHNfdGVzdF86" }, null],
  ] as const)("401 %s", async (_name, headers, mode) => {
    for (const url of spellings(route)) {
      const answer = await ask(route, null, url, { headers: { ...headers } });
      expectLegacyDetail(answer, 401, "Invalid token.");
      expectLegacyHeaders(answer, { mode, known: false });
    }
  });

  test.each(["Bearer", "Token", "token", null])("a key opens the door as %s", async (scheme) => {
    const key = app.merchant.testKey;
    const headers: Record<string, string> =
      scheme === null ? { "x-api-key": key } : { authorization: `${scheme} ${key}` };
    const answer = await ask(route, null, route.path, { headers });
    expect(answer.status).not.toBe(401);
    expectLegacyHeaders(answer);
  });

  test.each(otherMethods(route).filter((method) => method !== "OPTIONS"))(
    "405 %s names the method that works",
    async (method) => {
      for (const url of spellings(route)) {
        const answer = await ask(route, app.merchant.testKey, url, { method });
        expectLegacyError(answer, 405, ["This address does not take this method."]);
        expect(answer.headers.get("allow")).toBe(route.allow.join(", "));
      }
    },
  );

  test("404 below it, where nothing is", async () => {
    const answer = await ask(route, app.merchant.testKey, `${route.path}/some/where`);
    expectLegacyDetail(answer, 404, "Not found.");
    expectLegacyHeaders(answer);
  });
});

describe.each(refusedStates)("403 an account that is $state, with each of its keys", (refused) => {
  let merchant: RegisteredMerchant;
  beforeAll(async () => {
    merchant = await refusedMerchant(app, refused);
  });

  test.each(routes)("403 whatever is asked: $name", async (route) => {
    for (const mode of refused.modes) {
      for (const url of spellings(route)) {
        const answer = await ask(route, (mode === "test" ? merchant.testKey : merchant.liveKey) ?? "", url);
        expectLegacyError(answer, 403, [refused.text]);
      }
    }
  });
});

describe("429 past the key's requests of the minute", () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await startApp({ database: app.fresh, rateLimitPerMinute: 1 });
  });
  afterAll(() => limited.close());

  test.each(routes)("429 the second request: $name", async (route) => {
    const { testKey } = await limited.createMerchant();
    await ask(route, testKey, route.path, { at: limited });
    const answer = await ask(route, testKey, route.path, { at: limited });
    if (asksAfterPurchases(route)) expectLeftOpen(answer, 429);
    else expectLegacyDetail(answer, 429, "This key may send 1 requests a minute.");
    expectLegacyHeaders(answer);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
  });
});
