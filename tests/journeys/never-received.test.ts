import { expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { openFakeSupplier, rawText, silent } from "../support/fake-supplier.ts";

// That a supplier never received an attempt is believed the second time. Another process may hear it than the first time.

const absent: VendOutcome = { kind: "unknown", evidence: rawText, received: false };
const known: VendOutcome = { kind: "unknown", evidence: rawText, received: true };
const supplier = openFakeSupplier("only");

const fresh = closing(await stockedDatabase());

async function startProcess(): Promise<TestApp> {
  return startApp({ suppliers: [supplier], workers: true, database: fresh });
}

const requeries = () => supplier.calls.filter(({ question }) => question === "requery");

/** Has the worker ask once more, and answers so. @returns for how long the supplier was told to have said "never" */
async function requestedWith(answer: VendOutcome): Promise<number | null | undefined> {
  const before = requeries().length;
  const evidence = `answer behind ${before} questions`;
  supplier.answer = { ...answer, evidence };
  const { epoch } = await inflight();
  await expect
    .poll(async () => {
      await makeDue(epoch);
      return (await inflight()).last_answer;
    })
    .toBe(evidence);
  // Nor does it come due by itself meanwhile: starting a process may take longer than its next wait.
  await fresh.pool.query("update inflight set due_at = now() + interval '1 day'");
  return requeries()[before]?.request.notReceivedMs;
}

/**
 * Claiming raises the epoch: a row that a worker holds already is not made due a second time. What became of an earlier
 * question may be written just behind this, with a wait of its own: so it is done until the row is claimed.
 */
async function makeDue(epoch: number): Promise<void> {
  const text = "update inflight set due_at = least(due_at, now()) where step = 'requery' and epoch = $1";
  await fresh.pool.query(text, [epoch]);
}

async function inflight(): Promise<{ readonly epoch: number; readonly last_answer: string | null }> {
  const { rows } = await fresh.pool.query("select epoch, last_answer from inflight");
  return rows[0];
}

test("since when a supplier has said that it never received an attempt is known to whichever process asks next", async () => {
  const first = await startProcess();
  supplier.answer = silent;
  const body = { reference: "never-1", product_id: 1002, phone: "08031234567" };
  expect((await first.call(first.merchant.liveKey, "/data/purchase", { body })).status).toBe(202);
  expect(await requestedWith(absent)).toBeNull();
  expect(await requestedWith(absent)).toBeGreaterThan(0);
  await first.close();
  await fresh.pool.query("update inflight set not_received_since = not_received_since - interval '1 h'");

  const second = await startProcess();
  // Silence in between is no word for or against.
  expect(await requestedWith(silent)).toBeGreaterThan(3_600_000);
  expect(await requestedWith(known)).toBeGreaterThan(3_600_000);
  expect(await requestedWith(absent)).toBeNull();
  await second.close();
});
