import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { sharedApp } from "../support/shared-app.ts";

// What RFC 9110 asks of every server, and what monitors ask of this one.

const app = await sharedApp();

const merchant = "/api/v1/merchant";

async function ask(method: "GET" | "HEAD", path: string, key: string | null = app.merchant.testKey) {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(`${app.url}${path}`, { method, headers });
  const text = await response.text();
  app.throwFaults();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

/** Headers that differ from one request to the next, and those of the connection, which `fetch` sets for a HEAD. */
const passing = ["date", "x-request-id", "ratelimit", "content-security-policy", "connection", "keep-alive"];

test.each([
  ["/healthz", null, 200],
  ["/readyz", null, 200],
  ["/metrics", null, 200],
  ["/docs", null, 200],
  ["/docs/api", null, 200],
  ["/docs/errors", null, 200],
  ["/docs/scalar.js", null, 200],
  ["/openapi.json", null, 200],
  [`${merchant}/wallet/balance`, "its key", 200],
  [`${merchant}/billers?category=data`, "its key", 200],
  [`${merchant}/transactions/none`, "its key", 404],
  [`${merchant}/transactions?page=none`, "its key", 400],
  [`${merchant}/wallet/balance`, null, 401],
  [`${merchant}/nowhere`, "its key", 404],
  [`${merchant}/nowhere`, null, 401],
  ["/api/user/", "its key", 200],
  ["/api/data/7", "its key", 404],
  ["/api/user", null, 401],
  ["/nothing", null, 404],
])("HEAD %s with %s is answered as GET is, without the body", async (path, with_, status) => {
  const key = with_ === null ? null : app.merchant.testKey;
  const [got, head] = [await ask("GET", path, key), await ask("HEAD", path, key)];
  expect([head.status, head.text]).toEqual([status, ""]);
  expect(got.status).toBe(status);
  const lasting = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)));
  expect(lasting(head.headers)).toEqual({
    ...lasting(got.headers),
    // Two pages of the reference have two nonces, which pack to different lengths.
    ...(["/metrics", "/docs/api"].includes(path) && { "content-length": expect.any(String) }),
  });
});

test("405 HEAD where nothing is read", async () => {
  const { status, headers, text } = await ask("HEAD", `${merchant}/data/purchase`);
  expect([status, headers.allow, text]).toEqual([405, "POST", ""]);
});

test("a HEAD costs one of the minute's requests, and is refused beyond them", async () => {
  const limited = await startApp({ database: app.fresh, rateLimitPerMinute: 1 });
  const { testKey } = await app.createMerchant();
  const head = () => limited.call(testKey, "/wallet/balance", { method: "HEAD" });
  const [first, second] = [await head(), await head()];
  await limited.close();
  expect([first.status, first.headers.get("ratelimit")?.slice(0, 9)]).toEqual([200, '"key";r=0']);
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^[1-9]/)]);
});

test.each([
  ["/wallet/balance/", "balance"],
  ["/billers/mtn-data/products/", "products"],
  ["/transactions/", "transactions"],
  ["/transactions/?per_page=1", "transactions"],
])("GET %s is answered as without the slash at its end", async (path, field) => {
  const { status, body } = await app.call(app.merchant.testKey, path);
  expect(status).toBe(200);
  expect(body).toHaveProperty(field);
});

test("a purchase at a path that ends in a slash is made once", async () => {
  const body = { reference: "slash-1", product_id: 1002, phone: "08031234567" };
  const bought = await app.call(app.merchant.testKey, "/data/purchase/", { body });
  expect(bought.status).toBe(201);
  const replayed = await app.call(app.merchant.testKey, "/data/purchase", { body });
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body).toEqual(bought.body);
});

const everyPath = [
  "/docs",
  "/healthz",
  "/api/v1/merchant/wallet/balance",
  "/nowhere",
  "/api/v1/merchant/transactions/%zz",
];

/** What browsers are told about https, on every path. */
async function reply(headers: Record<string, string>): Promise<readonly (string | null)[]> {
  const answers = await Promise.all(everyPath.map((path) => fetch(`${app.url}${path}`, { headers })));
  return answers.map((answer) => answer.headers.get("strict-transport-security"));
}

test.each(["https", "HTTPS", "https, http"])(
  "whoever came to the proxy over https (%s) is told to come by nothing else for a year, refused or not",
  async (protocol) => {
    expect(await reply({ "x-forwarded-proto": protocol })).toEqual(everyPath.map(() => "max-age=31536000"));
  },
);

test.each([{}, { "x-forwarded-proto": "http" }, { "x-forwarded-proto": "http, https" }])(
  "nobody is told so over http: %j",
  async (headers) => {
    expect(await reply(headers)).toEqual(everyPath.map(() => null));
  },
);
