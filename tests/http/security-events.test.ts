import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { setAllowlist, setMerchantStatus } from "../../src/domain/merchants/administration.ts";
import { mintKey } from "../../src/domain/merchants/key-format.ts";
import { parseAddressRange } from "../../src/platform/address.ts";
import { clock, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { sendRaw } from "../support/raw-request.ts";

let lines: Record<string, unknown>[];
const proxies = ["127.0.0.0/8"].map(parseAddressRange).filter((range) => range !== null);
const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
// Thousands of refused requests left no trace: neither a line nor a figure.
const app = closing(await startApp({ trustedProxies: proxies, rateLimitPerMinute: 1_000, log }));
beforeEach(() => {
  lines = [];
});

const from = (address: string) => ({ "x-forwarded-for": address });

/** What a figure of /metrics says now; 0 where it has no such series yet. */
async function figure(name: string, labels: Record<string, string>): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  const line = text
    .split("\n")
    .find((each) => each.startsWith(`${name}{`) && wants(labels).every((needed) => each.includes(needed)));
  return line === undefined ? 0 : Number(line.split(" ").at(-1));
}
const wants = (labels: Record<string, string>) => Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
const answers = (labels: Record<string, string>) => figure("dispense_http_answers_total", labels);

test("failed keys are told by source and beginning, never the key, and an IPv6 source by its /64", async () => {
  const key = mintKey("live", randomBytes).text;
  const before = await answers({ route: "/api/v1/merchant/wallet/balance", status: "401", reason: "UNAUTHORIZED" });
  for (let i = 0; i < 50; i++) await app.call(key, "/wallet/balance", { headers: from("203.0.113.9") });
  await app.call("sk_live_51Habcdefghijklm", "/wallet/balance", { headers: from("2001:db8:1:2:3::4") });
  await app.call("ds_test_mistyped", "/wallet/balance", { headers: from("2001:db8:1:2:ffff::1") });
  app.services.security.report();
  const failed = lines.filter(({ event }) => event === "security.key_failed");
  expect(failed).toMatchObject([
    { level: 40, source: "203.0.113.9", count: 1, about: [`${key.slice(0, 12)}…`] },
    { source: "2001:db8:1:2::", count: 1, about: ["not of our form"] },
    { source: "203.0.113.9", count: 49, about: [`${key.slice(0, 12)}…`] },
    { source: "2001:db8:1:2::", count: 1, about: ["ds_test_…"] },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/51Habc|mistyped/);
  expect(JSON.stringify(lines)).not.toContain(key.slice(12));
  const after = await answers({ route: "/api/v1/merchant/wallet/balance", status: "401", reason: "UNAUTHORIZED" });
  expect(after - before).toBe(52);
});

test("allowlist denials, suspended accounts and limits are told with the key that was used", async () => {
  const listed = await app.createMerchant();
  await setAllowlist({ database: app.services.database, clock }, listed.id, ["198.51.100.0/24"]);
  const ask = (address: string) => app.call(listed.testKey, "/wallet/balance", { headers: from(address) });
  await expect.poll(async () => (await ask("203.0.113.10")).body.code).toBe("IP_NOT_ALLOWED");
  await setMerchantStatus({ database: app.services.database, clock }, listed.id, "suspended");
  await expect.poll(async () => (await ask("203.0.113.11")).body.code).toBe("ACCOUNT_SUSPENDED");
  const busy = await app.createMerchant();
  const statuses: number[] = [];
  // Once more where the first ones fell into two minutes.
  for (let round = 0; round < 2 && !statuses.includes(429); round++) {
    const calls = Array.from({ length: 1_100 }, () =>
      app.call(busy.testKey, "/nowhere", { headers: from("::ffff:1.2.3.4") }),
    );
    statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
  }
  expect(statuses).toContain(429);
  const about = (id: number) => [expect.stringMatching(new RegExp(`^mer_${id} key_[0-9]+$`))];
  const reply = (event: string) => lines.find((line) => line.event === event);
  expect(reply("security.address_denied")).toMatchObject({ source: "203.0.113.10", about: about(listed.id) });
  expect(reply("security.account_denied")).toMatchObject({ source: "203.0.113.11", about: about(listed.id) });
  expect(reply("security.limit_hit")).toMatchObject({ source: "1.2.3.4", about: about(busy.id) });
  expect(await answers({ status: "403", reason: "IP_NOT_ALLOWED" })).toBeGreaterThan(0);
  expect(await answers({ status: "403", reason: "ACCOUNT_SUSPENDED" })).toBeGreaterThan(0);
  expect(await answers({ status: "429", reason: "RATE_LIMITED" })).toBe(
    statuses.filter((status) => status === 429).length,
  );
});

const purchase = "/data/purchase";
let sources = 0;
const deep = `{"a":${"[".repeat(40)}${"]".repeat(40)}}`;

test.each([
  ["415", "UNSUPPORTED_MEDIA_TYPE", "<a/>", "text/xml"],
  ["413", "PAYLOAD_TOO_LARGE", `{"a":"${"x".repeat(1_100_000)}"}`, "application/json"],
  ["400", "INVALID_JSON", '{"a":', "application/json"],
  ["400", "INVALID_JSON", deep, "application/json"],
])("a body that is refused with %s %s is told with its route", async (status, reason, body, type) => {
  const before = await answers({ status, reason, route: `/api/v1/merchant${purchase}` });
  sources += 1;
  const source = `203.0.114.${sources}`;
  await app.call(app.merchant.testKey, purchase, { body, headers: { ...from(source), "content-type": type } });
  expect(lines.map((line) => [line.event, line.source])).toContainEqual(["security.request_refused", source]);
  expect(lines.at(-1)?.about).toEqual([`${reason} POST /api/v1/merchant${purchase}`]);
  expect(await answers({ status, reason, route: `/api/v1/merchant${purchase}` })).toBe(before + 1);
});

test("bytes that are no request are told, too, by the connection's own address", async () => {
  await sendRaw(app.url, { head: [`GET /${"a".repeat(20_000)} HTTP/1.1`, "Host: x"] });
  const line = lines.find(({ event }) => event === "security.request_refused");
  expect(line).toMatchObject({ source: "127.0.0.1", about: ["PAYLOAD_TOO_LARGE unreadable"] });
  expect(await answers({ status: "413", reason: "PAYLOAD_TOO_LARGE", route: "none" })).toBe(1);
});

test("a callback that nobody sent is told, whether it names a supplier or none", async () => {
  const before = await figure("dispense_security_events_total", { kind: "callback_forged" });
  const call = () =>
    fetch(`${app.url}/supplier-callbacks/nobody/guess`, { method: "POST", body: "{}", headers: from("203.0.113.12") });
  await (await call()).arrayBuffer();
  await (await call()).arrayBuffer();
  expect(lines.filter(({ event }) => event === "security.callback_forged")).toMatchObject([
    { source: "203.0.113.12", count: 1 },
  ]);
  expect(await figure("dispense_security_events_total", { kind: "callback_forged" })).toBe(before + 2);
});

test("answers are counted by the route as it is registered, never by what stands in its place", async () => {
  const route = "/api/v1/merchant/transactions/:reference";
  for (const name of ["a", "b", "08031234567"]) await app.call(app.merchant.testKey, `/transactions/${name}`);
  await app.call(app.merchant.testKey, "/nowhere/08031234567");
  expect(await answers({ method: "GET", route, status: "404", reason: "TRANSACTION_NOT_FOUND" })).toBe(3);
  expect(await (await fetch(`${app.url}/metrics`)).text()).not.toContain("08031234567");
});

test("a purchase that failed is counted with the reason, a success without one", async () => {
  const buy = (reference: string, phone: string) =>
    app.call(app.merchant.testKey, purchase, { body: { reference, phone, product_id: 1002 } });
  const route = `/api/v1/merchant${purchase}`;
  expect((await buy("counted-1", "08031230002")).status).toBe(422);
  expect((await buy("counted-2", "08031231234")).status).toBe(201);
  expect(await answers({ method: "POST", route, status: "422", reason: "SANDBOX_FORCED_FAILURE" })).toBe(1);
  expect(await answers({ method: "POST", route, status: "201", reason: "" })).toBe(1);
});

test("the figures beside them are read as before", async () => {
  const answer = await fetch(`${app.url}/metrics`);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  expect(text).toContain("# TYPE dispense_in_review gauge");
  expect(text).toContain("# TYPE dispense_http_answers_total counter");
  for (const line of text.split("\n").filter((each) => each !== ""))
    expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z_]+(\{.*\})? \S+)$/);
});
