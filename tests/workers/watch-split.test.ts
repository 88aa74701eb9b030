import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { setThreshold } from "../../src/domain/suppliers/vouchers/stock.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { readConfig } from "../../src/main/configuration/config.ts";
import { runService } from "../../src/main/run-service.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent } from "../support/fake-supplier.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// A deployment of several processes, some of them without workers: whoever is asked for metrics has the figures of all,
// and the log of all together says each thing once.

const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
const lines: { readonly event: string; readonly productId?: number }[] = [];
const say = (line: (typeof lines)[number]) => void lines.push(line);
const log = { error: say, warn: say, info: () => {}, debug: () => {} } as never;
const shelf = 5001 as ProductId;

const supplier = openFakeSupplier();
supplier.answer = silent;
const api = closing(await startApp({ suppliers: [supplier], clock, log }));
const worker = closing(await startApp({ database: api.fresh, suppliers: [supplier], clock, log }));
await api.fresh.pool.query("insert into suppliers (name, connector) values ('shelf', 'voucher-stock')");
await api.fresh.pool.query(
  "insert into supplier_routes (product_id, supplier, supplier_code, cost_basis_points) values ($1, 'shelf', '-', 9500)",
  [shelf],
);
const body = { reference: "long", product_id: 1002, phone: "08031234567" };
expect((await api.call(api.merchant.liveKey, "/data/purchase", { body })).status).toBe(202);

/** Every process looks once, and all stop. */
async function lookTogether(processes: readonly TestApp[]): Promise<string[]> {
  const stops = processes.map(({ services }) => services.startWatching());
  for (const { services } of processes) {
    const text = () => services.metrics.text();
    await expect.poll(text).toMatch(/dispense_in_review \d[\s\S]*dispense_vouchers_low_at\{/);
  }
  await Promise.all(stops.map((stop) => stop()));
  return Promise.all(processes.map(({ services }) => services.metrics.text()));
}

const reply = (event: string) => lines.filter((line) => line.event === event).length;

test("what is true of the deployment stands in every process's metrics and once in the log", async () => {
  clock.aheadMs = 3_700_000;
  for (const text of await lookTogether([api, worker])) {
    expect(text).toMatch(/dispense_pending_over_an_hour\{step="(dispatch|requery)"\} 1\n/);
    expect(text).toContain(`dispense_vouchers_left{product="${shelf}"} 0\n`);
    expect(text).toContain(`dispense_vouchers_low_at{product="${shelf}"} 100\n`);
  }
  expect([reply("pending.over_an_hour"), reply("vouchers.low")]).toEqual([1, 1]);
});

test("it is said again when its turn comes, by whichever process still runs", async () => {
  await api.fresh.pool.query("update turns set free_at = free_at - interval '15 s'");
  await setThreshold(api.services.database, shelf, 7);
  const [text] = await lookTogether([worker]);
  expect([reply("pending.over_an_hour"), reply("vouchers.low")]).toEqual([2, 1]);
  expect(text).toContain(`dispense_vouchers_low_at{product="${shelf}"} 7\n`);
  await api.fresh.pool.query("update turns set free_at = free_at - interval '600 s'");
  await lookTogether([worker]);
  expect(reply("vouchers.low")).toBe(2);
});

test.each(["api", "worker"])("a process with the role %s tells how it is, and the figures of all", async (role) => {
  const folder = mkdtempSync(path.join(tmpdir(), "dispense-split-"));
  const environment = {
    ROLE: role,
    PORT: "0",
    HOST: "127.0.0.1",
    LOG_LEVEL: "silent",
    ENCRYPTION_KEY: testEncryptionKey,
  };
  const config = readConfig({ ...environment, DATABASE_URL: api.fresh.url, DATA_DIR: folder });
  const service = await runService(config, { migrations: path.resolve(import.meta.dirname, "../../migrations") });
  const metrics = async () => (await fetch(`${service.baseUrl}/metrics`)).text();
  await expect.poll(metrics).toMatch(/dispense_in_review \d[\s\S]*dispense_vouchers_left\{/);
  const calls = ["/healthz", "/readyz", "/api/v1/merchant/wallet/balance", "/docs", "/api/user"];
  const answers = await Promise.all(calls.map(async (at) => (await fetch(`${service.baseUrl}${at}`)).status));
  expect(answers).toEqual(role === "api" ? [200, 200, 401, 200, 401] : [200, 200, 404, 404, 404]);
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
