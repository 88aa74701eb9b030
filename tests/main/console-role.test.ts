import { expect, test } from "vitest";
import { readConfig } from "../../src/main/configuration/config.ts";
import { runService } from "../../src/main/run-service.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const migrations = new URL("../../migrations", import.meta.url).pathname;

const environment = (more: Record<string, string> = {}) => ({
  DATABASE_URL: fresh.url,
  DATA_DIR: scratch.folder,
  ENCRYPTION_KEY: testEncryptionKey,
  LOG_LEVEL: "silent",
  HOST: "127.0.0.1",
  PORT: "0",
  ROLE: "console",
  ...more,
});

const fresh = closing(await freshDatabase());
const scratch = closing(await makeScratchDirectory());
await fresh.pool.query(
  `insert into one_time_tokens (token_hash, purpose, created_at, ends_at)
   values (sha256('ended'), 'form', now() - interval '9 days', now() - interval '8 days')`,
);
const service = closing(await runService(readConfig(environment()), { migrations }));

async function ask(path: string, init: RequestInit = {}): Promise<readonly [number, string]> {
  const response = await fetch(`${service.baseUrl}${path}`, { redirect: "manual", ...init });
  return [response.status, await response.text()];
}

test("a process of the console's own serves people's pages, the documents and the probes, and says where it begins", async () => {
  expect(service.welcome).toBe(
    `Dispense's dashboard runs at ${service.baseUrl}/log-in; other processes serve the API.\n`,
  );
  for (const path of ["/log-in", "/sign-up", "/docs", "/docs/api", "/healthz", "/readyz", "/metrics", "/"]) {
    expect([path, (await ask(path))[0]]).toEqual([path, 200]);
  }
  expect((await ask("/live/overview"))[0]).toBe(303);
  // The reference is whole, though the API is served elsewhere.
  expect((await ask("/openapi.json"))[1]).toContain('"/api/v1/merchant/data/purchase"');
});

test.each([
  ["GET", "/api/v1/merchant/wallet/balance"],
  ["POST", "/api/v1/merchant/data/purchase"],
  ["POST", "/%61pi/v1/merchant/data/purchase"],
  ["POST", "/supplier-callbacks/vtpass"],
  ["POST", "/funding/callbacks/paystack"],
])("it takes no request of the API: %s %s", async (method, path) => {
  const [status, text] = await ask(path, { method, headers: { authorization: "Bearer ds_test_anything" } });
  expect([status, text]).toEqual([404, expect.stringMatching(/ROLE=console/)]);
});

test.each([
  ["POST", "/api/data", 400],
  ["GET", "/api/user", 404],
])("older clients are told in their way that nothing was done: %s %s", async (method, path, status) => {
  const headers = { authorization: "Token ds_live_anything", "content-type": "application/json" };
  const [given, text] = await ask(path, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) });
  expect([given, JSON.parse(text)]).toEqual([
    status,
    expect.objectContaining({ Status: "failed", detail: "Not found." }),
  ]);
});

test("it makes no demo merchant, and leaves what is due to a worker", async () => {
  const counted = async (table: string) =>
    (await fresh.pool.query(`select count(*)::integer as count from ${table}`)).rows[0]?.count;
  expect(await counted("merchants")).toBe(0);
  // A worker's first look would have purged it long ago.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await counted("one_time_tokens")).toBe(1);
  const worker = await runService(readConfig(environment({ ROLE: "worker" })), { migrations });
  await expect.poll(() => counted("one_time_tokens")).toBe(0);
  await worker.stop();
});

test("a start with the console off as well is refused, as nothing would be left", () => {
  expect(() => readConfig(environment({ CONSOLE: "off" }))).toThrow(/CONSOLE is off and ROLE is console/);
});
