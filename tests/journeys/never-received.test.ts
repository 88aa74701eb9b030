import { afterAll, beforeAll, expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { openToldSupplier, rawText, silent } from "../support/told-supplier.ts";

// That a supplier never received an attempt is believed the second time. Another process may hear it than the first time.

const absent: VendOutcome = { kind: "unknown", evidence: rawText, received: false };
const known: VendOutcome = { kind: "unknown", evidence: rawText, received: true };
const supplier = openToldSupplier("only");
let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await stockedDatabase();
});
afterAll(() => fresh.drop());

async function startProcess(): Promise<TestApp> {
  return startApp({ suppliers: [supplier], workers: true, database: fresh });
}

const requeries = () => supplier.asked.filter(({ question }) => question === "requery");

/** Has the worker ask once more, and answers so. @returns for how long the supplier was told to have said "never" */
async function askedWith(answer: VendOutcome): Promise<number | null | undefined> {
  const before = requeries().length;
  supplier.answer = answer;
  const { epoch, tries } = await step();
  // Claiming raises the epoch: a row that a worker holds already is not made due a second time.
  await fresh.pool.query("update inflight set due_at = least(due_at, now()) where step = 'requery' and epoch = $1", [
    epoch,
  ]);
  // Asked, and the answer recorded: one question may have been under way before.
  await expect.poll(async () => requeries().length > before && (await step()).tries > tries).toBe(true);
  // Nor does it come due by itself meanwhile: starting a process may take longer than its next wait.
  await fresh.pool.query("update inflight set due_at = now() + interval '1 day'");
  return requeries()[before]?.request.notReceivedMs;
}

async function step(): Promise<{ readonly epoch: number; readonly tries: number }> {
  const { rows } = await fresh.pool.query("select epoch, tries from inflight");
  return rows[0];
}

test("since when a supplier has said that it never received an attempt is known to whichever process asks next", async () => {
  const first = await startProcess();
  supplier.answer = silent;
  const body = { reference: "never-1", product_id: 1002, phone: "08031234567" };
  expect((await first.call(first.merchant.liveKey, "/data/purchase", { body })).status).toBe(202);
  expect(await askedWith(absent)).toBeNull();
  expect(await askedWith(absent)).toBeGreaterThan(0);
  await first.close();
  await fresh.pool.query("update inflight set not_received_since = not_received_since - interval '1 h'");

  const second = await startProcess();
  // Silence in between is no word for or against.
  expect(await askedWith(silent)).toBeGreaterThan(3_600_000);
  expect(await askedWith(known)).toBeGreaterThan(3_600_000);
  expect(await askedWith(absent)).toBeNull();
  await second.close();
});
