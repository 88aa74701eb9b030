import { describe, expect, test } from "vitest";
import { setAllowlist } from "../../../src/domain/merchants/administration.ts";
import { headersMax } from "../../../src/http/plugins/connections/unreadable-requests.ts";
import { parseAddressRange } from "../../../src/platform/address.ts";
import { type Answer, clock, startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { sendRaw } from "../../support/raw-request.ts";

// Node drops headers beyond a number and says nothing. What stands behind it is what the proxies added: the client's
// address, or that there is a proxy at all.

const inside = "203.0.113.9";
const outside = "198.51.100.7";

const proxies = ["127.0.0.0/8"].map(parseAddressRange).filter((range) => range !== null);
const app = closing(await startApp({ trustedProxies: proxies }));
const key = app.merchant.testKey;
await setAllowlist({ database: app.services.database, clock }, app.merchant.id, [`${inside}/32`]);

/** Short, so that Node's bound of the head in bytes is not reached first. */
const fillers = (count: number) => Array.from({ length: count }, () => "x:y");

async function ask(path: string, headers: readonly string[], version = "1.1"): Promise<Answer | null> {
  const answer = await sendRaw(app.url, { head: [`GET ${path} HTTP/${version}`, ...headers] });
  app.throwFaults();
  return answer;
}

const balance = "/api/v1/merchant/wallet/balance";
const host = "Host: localhost";

/** As it comes through a proxy that appends what it knows to what the client sent. */
function throughProxy(sent: readonly string[], address = outside): readonly string[] {
  return [host, `Authorization: Bearer ${key}`, ...sent, `X-Forwarded-For: ${address}`, "X-Forwarded-Proto: https"];
}

describe("an address on the allowlist", () => {
  test("is let in, and one that is not is refused, as the proxy has the last word", async () => {
    expect((await ask(balance, throughProxy([], inside)))?.status).toBe(200);
    expect((await ask(balance, throughProxy([`X-Forwarded-For: ${inside}`])))?.body.code).toBe("IP_NOT_ALLOWED");
  });

  test.each([1_000, 1_200, 1_500, 1_990, 2_000, 2_100, 4_000])(
    "is not to be forged behind %i headers that push the proxy's own out of what is read",
    async (count) => {
      const answer = await ask(balance, throughProxy([`X-Forwarded-For: ${inside}`, ...fillers(count)]));
      expect([answer?.status, answer?.body]).toMatchObject([
        431,
        { status: "error", code: "HEADERS_TOO_MANY", meta: { max_headers: headersMax } },
      ]);
    },
  );

  test("is not to be forged by headers that come in many pieces", async () => {
    const head = throughProxy([`X-Forwarded-For: ${inside}`, ...fillers(1_300)]);
    const answer = await sendRaw(app.url, {
      head: [`GET ${balance} HTTP/1.1`, ...head.slice(0, 700)],
      tail: [head.slice(700, 1_100), head.slice(1_100)],
    });
    expect(answer?.status).toBe(431);
  });
});

test("metrics are not to be read through a proxy behind 1,200 headers", async () => {
  const direct = await ask("/metrics", [host, "Connection: close"]);
  expect(direct?.status).toBe(200);
  expect((await ask("/metrics", [host, "Connection: close", "Via: 1.1 Caddy"]))?.status).toBe(404);
  const filled = await ask("/metrics", [host, "Connection: close", ...fillers(1_200), "Via: 1.1 Caddy"]);
  expect([filled?.status, filled?.body.code]).toEqual([431, "HEADERS_TOO_MANY"]);
});

test("a thousand headers are taken, one more is not", async () => {
  const ours = throughProxy([], inside);
  expect((await ask(balance, [...fillers(headersMax - ours.length), ...ours]))?.status).toBe(200);
  expect((await ask(balance, [...fillers(headersMax - ours.length + 1), ...ours]))?.status).toBe(431);
});

test.each(["/healthz", "/nowhere", "/api/v1/merchant/transactions/%zz", "/supplier-callbacks/vtpass"])(
  "431 at %s as everywhere",
  async (path) => {
    const answer = await ask(path, [host, ...fillers(1_200)]);
    expect([answer?.status, answer?.body]).toMatchObject([431, { code: "HEADERS_TOO_MANY" }]);
  },
);

test("431 in the form of the legacy endpoints there", async () => {
  const answer = await ask("/api/user", [host, ...fillers(1_200)]);
  expect([answer?.status, answer?.body]).toMatchObject([431, { error: ["The request has too many headers."] }]);
});

describe("the request's host", () => {
  const message = (count: string) => ({
    code: "INVALID_JSON",
    message: `Not a readable HTTP request: it has ${count} Host header${count === "no" ? "" : "s"}.`,
  });

  test.each([
    ["the same twice", [host, host]],
    ["two that differ, in another case", [host, "HOST: elsewhere.test"]],
    ["the second behind others", [host, ...fillers(500), "host: elsewhere.test"]],
  ])("400 %s", async (_what, headers) => {
    const answer = await ask(balance, [...headers, `Authorization: Bearer ${key}`]);
    expect([answer?.status, answer?.body]).toMatchObject([400, message("two")]);
  });

  test("400 where there is none, with a body and a request id as every answer", async () => {
    const answer = await ask("/healthz", []);
    expect([answer?.status, answer?.body]).toMatchObject([400, message("no")]);
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
  });

  test("HTTP/1.0 has none to name", async () => {
    expect((await ask("/healthz", [], "1.0"))?.status).toBe(200);
  });
});
