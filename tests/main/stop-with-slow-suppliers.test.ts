import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { dispenseKey, dispenseStub, dispenseWebhookSecret } from "../support/suppliers/dispense-stub.ts";
import { type StubServer, startStub } from "../support/suppliers/stub-server.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// Product 1002 is a data plan of 640 naira.

let scratch: ScratchDirectory;
let fresh: FreshDatabase;
let merchants: TestApp;
let stub: StubServer;
const programs = openPrograms();

beforeAll(async () => {
  scratch = await makeScratchDirectory();
  fresh = await stockedDatabase();
  merchants = await startApp({ database: fresh });
  stub = await startStub(dispenseStub);
});
afterAll(async () => {
  programs.killAll();
  await stub.close();
  await merchants.close();
  await fresh.drop();
  await scratch.remove();
});

const environment = () => ({
  DATABASE_URL: fresh.url,
  DATA_DIR: scratch.folder,
  ENCRYPTION_KEY: testEncryptionKey,
  SUPPLIER_ORIGINS: stub.url,
  PORT: "0",
});

async function operate(...words: string[]): Promise<void> {
  expect(await programs.start(["operator", ...words], environment()).ended).toMatchObject({ code: 0 });
}

async function startService(): Promise<{ readonly url: string; stop(): Promise<number | null> }> {
  const program = programs.start(["start"], environment());
  await program.saying("Docs");
  const url = /runs at (http:\/\/127\.0\.0\.1:\d+)/.exec(program.out())?.[1] ?? "";
  return {
    url,
    async stop() {
      program.child.kill("SIGTERM");
      return (await program.ended).code;
    },
  };
}

test("a stop while suppliers are slow answers who waits with the truth, and the next start ends the purchases", async () => {
  const credentials = path.join(scratch.folder, "credentials.json");
  writeFileSync(credentials, JSON.stringify({ api_key: dispenseKey, webhook_secret: dispenseWebhookSecret }));
  const settings = JSON.stringify({ base_url: `${stub.url}/api/v1/merchant` });
  await operate(
    "supplier",
    "add",
    "slow",
    "--connector",
    "dispense",
    "--settings",
    settings,
    "--credentials",
    credentials,
  );
  await operate("route", "set", "1002", "slow", "--code", "1002", "--cost", "500.00");
  await operate("route", "set", "3001", "slow", "--code", "3001", "--cost", "1.00");
  stub.play = "slow";
  stub.slowMs = 60_000;
  stub.inquiries = "ignored";
  const service = await startService();
  const headers = { authorization: `Bearer ${merchants.merchant.liveKey}`, "content-type": "application/json" };
  const kept = { label: "Ada", category: "data", customer_ref: "08031234567" };
  const calls = { method: "POST", headers, body: JSON.stringify(kept) };
  const saved = await (await fetch(`${service.url}/api/v1/merchant/beneficiaries`, calls)).json();
  const customer = (i: number) =>
    i % 2 === 0 ? { phone: "08031234567" } : { beneficiary_id: (saved as { id: string }).id };
  const buy = async (reference: string, i: number) => {
    const body = JSON.stringify({ product_id: 1002, ...customer(i), reference });
    const answer = await fetch(`${service.url}/api/v1/merchant/data/purchase`, { method: "POST", headers, body });
    const { status, message } = (await answer.json()) as { status: string; message: string };
    return { code: answer.status, status, closes: answer.headers.get("connection") === "close", message };
  };
  const waiting = Array.from({ length: 8 }, (_, i) => buy(`stop-${i}`, i));
  const validating = fetch(`${service.url}/api/validatemeter?meternumber=45012345678&disconame=1&mtype=1`, {
    headers: { authorization: `Token ${merchants.merchant.liveKey}` },
  });
  await expect.poll(() => stub.log.filter(({ question }) => question === "vend").length).toBe(8);
  await expect.poll(() => stub.log.filter(({ question }) => question === "verify").length).toBe(1);

  expect(await service.stop()).toBe(0);
  const validated = await validating;
  expect([validated.status, await validated.json()]).toEqual([503, expect.objectContaining({ Status: "failed" })]);
  const answers = await Promise.all(waiting);
  expect(answers).toEqual(answers.map(({ message }) => ({ code: 202, status: "pending", closes: true, message })));

  stub.play = "vended";
  const next = await startService();
  await expect
    .poll(
      async () => {
        await fresh.pool.query("update inflight set due_at = least(due_at, now())");
        const { rows } = await fresh.pool.query("select distinct status from purchases");
        return rows;
      },
      { timeout: 60_000 },
    )
    .toEqual([{ status: "successful" }]);
  expect(await next.stop()).toBe(0);
  expect(stub.log.filter(({ question }) => question === "vend")).toHaveLength(8);
});
