import { expect, test } from "vitest";
import { buildProbes } from "../../src/http/open-http.ts";
import { buildHttp } from "../../src/main/build-http.ts";
import { parseAddressRange } from "../../src/platform/address.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";

const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };

const app = closing(await startApp({ clock }));

/** Asks when what was seen the last time is no longer kept. */
async function ask(path: string, url = app.url): Promise<readonly [number, unknown]> {
  clock.aheadMs += 1_000;
  const response = await fetch(`${url}${path}`);
  app.throwFaults();
  return [response.status, await response.json()];
}

test("200 both answer without a key while there is nothing to do", async () => {
  expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
  expect(await ask("/readyz")).toEqual([200, { status: "ready", database: "up" }]);
});

test("work that waits, as where no worker runs, makes nobody unready: neither who sells nor who works", async () => {
  const { testKey } = app.merchant;
  const body = { reference: "waits", product_id: 1002, phone: "08031230003" };
  expect((await app.call(testKey, "/data/purchase", { body })).status).toBe(202);
  await app.call(testKey, "/webhook", { method: "PUT", body: { url: "https://example.com/hook" } });
  expect((await app.call(testKey, "/webhook/test", { method: "POST" })).status).toBe(202);
  await app.fresh.pool.query("update inflight set due_at = now() - interval '200 seconds'");
  await app.fresh.pool.query("update webhook_outbox set due_at = now() - interval '200 seconds'");
  expect(await ask("/readyz")).toEqual([200, { status: "ready", database: "up" }]);
  const worker = buildProbes(app.services);
  expect((await worker.inject("/readyz")).statusCode).toBe(200);
  await worker.close();
});

test("503 not ready while the database does not answer, though the process is up", async () => {
  const away = () => Promise.reject(new Error("Connection terminated unexpectedly"));
  const stranded = await buildHttp({ ...app.services, findCommitBlock: away });
  const url = await stranded.listen({ port: 0, host: "127.0.0.1" });
  try {
    expect(await ask("/readyz", url)).toEqual([503, { status: "not_ready", database: "down" }]);
    expect(await ask("/healthz", url)).toEqual([200, { status: "ok" }]);
  } finally {
    await stranded.close();
  }
});

test("one look at the database serves everybody who asks meanwhile and a second after", async () => {
  let looks = 0;
  const frozen = { nowMs: 0, now: () => frozen.nowMs };
  const findCommitBlock = async () => {
    looks += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (looks === 2) throw new Error("Connection terminated unexpectedly");
    return looks === 3 ? "read_only" : null;
  };
  const http = buildProbes({ ...app.services, clock: frozen, findCommitBlock });
  const crowd = async () => {
    const calls = Array.from({ length: 20 }, () => http.inject("/readyz"));
    return [...new Set((await Promise.all(calls)).map((answer) => `${answer.statusCode} ${answer.body}`))];
  };
  const ready = ['200 {"status":"ready","database":"up"}'];
  expect(await crowd()).toEqual(ready);
  frozen.nowMs = 999;
  expect([await crowd(), looks]).toEqual([ready, 1]);
  frozen.nowMs = 1_000;
  const away = ['503 {"status":"not_ready","database":"down"}'];
  expect([await crowd(), await crowd(), looks]).toEqual([away, away, 2]);
  frozen.nowMs = 500;
  expect([await crowd(), looks]).toEqual([away, 3]);
  await http.close();
});

test("metrics are for the machine itself and whom the operator names, and never come through a proxy", async () => {
  const ranges = [parseAddressRange("10.1.0.0/16")].filter((range) => range !== null);
  const http = buildProbes({ ...app.services, metricsReaders: ranges });
  const calls = (remoteAddress: string, headers = {}) =>
    http.inject({ path: "/metrics", remoteAddress, headers }).then(({ statusCode }) => statusCode);
  const proxied = { "x-forwarded-for": "10.1.2.3" };
  expect(await Promise.all([calls("127.0.0.1"), calls("::ffff:127.0.0.1"), calls("::1"), calls("10.1.2.3")])).toEqual([
    200, 200, 200, 200,
  ]);
  expect(await Promise.all([calls("10.2.0.1"), calls("::ffff:10.2.0.1"), calls("127.0.0.1", proxied)])).toEqual([
    404, 404, 404,
  ]);
  await http.close();
});

test("404 metrics for whoever asks a proxy on this machine that passes on nothing but the name it was asked under", async () => {
  const http = buildProbes(app.services);
  const of = (host: string) => http.inject({ path: "/metrics", remoteAddress: "127.0.0.1", headers: { host } });
  const statuses = async (...hosts: string[]) => Promise.all(hosts.map(async (host) => (await of(host)).statusCode));
  expect(await statuses("pay.example", "localhost.example", "127.0.0.1.example", "10.0.0.7:3000")).toEqual([
    ...[404, 404, 404, 404],
  ]);
  expect(await statuses("localhost:3000", "127.0.0.1:3000", "[::1]:3000")).toEqual([200, 200, 200]);
  await http.close();
});

test.each([
  ...["Forwarded", "Via", "X-Real-IP", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded", "Forwarded-For"],
  ...["X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "CF-Ray", "Fastly-Client-IP", "X-Original-Host", "X-Any"],
])("404 metrics for whoever came through a proxy on this machine that says so by %s", async (header) => {
  const http = buildProbes(app.services);
  const { statusCode } = await http.inject({ path: "/metrics", remoteAddress: "::1", headers: { [header]: "x" } });
  expect(statusCode).toBe(404);
  await http.close();
});

test.each(["/healthz", "/readyz"])("405 %s is only read", async (path) => {
  const response = await fetch(`${app.url}${path}`, { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
