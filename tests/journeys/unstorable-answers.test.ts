import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/kernel/json.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";

// A word that PostgreSQL does not take, from a connector that let it through: the money must not hang on it.

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const unstorable = "A\u0000B";
const yes = { kind: "vended", providerReference: unstorable, fulfilment: { kind: "topup" } } as const;
const no = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: unstorable } as const;

async function open(options: { readonly suppliers?: number; readonly workers?: boolean } = {}) {
  const lines: string[] = [];
  const log = openLog({ level: "error", output: { write: (line) => void lines.push(line) } });
  const suppliers = Array.from({ length: options.suppliers ?? 1 }, (_, i) => openFakeSupplier(`told-${i + 1}`));
  const app = await startApp({ suppliers, log, workers: options.workers ?? false });
  undo.push(() => app.close());
  return { app, supplier: suppliers[0]!, lines };
}

async function buyAirtime(app: TestApp) {
  const body = { reference: "unstorable", network: "MTN", phone: "08031234567", amount: "100.00" };
  return app.call(app.merchant.liveKey, "/airtime/purchase", { body });
}

async function waiting(app: TestApp): Promise<JsonObject[]> {
  const { rows } = await app.fresh.pool.query<JsonObject>("select step, last_answer from inflight");
  return rows;
}

test.each([
  ["yes", yes, "vended", 1],
  ["no", no, "declined", 1],
  ["no, with another supplier left,", { ...no, errorCode: "PROVIDER_DECLINED" } as const, "declined", 2],
])(
  "a %s that cannot be stored goes to a person at once, and the log tells of it",
  async (_, answer, kind, suppliers) => {
    const { app, supplier, lines } = await open({ suppliers });
    supplier.answer = answer;
    expect(await buyAirtime(app)).toMatchObject({ status: 202, body: { status: "pending" } });
    expect(await waiting(app)).toEqual([
      { step: "review", last_answer: expect.stringMatching(new RegExp(`^${kind}, but .* cannot be stored`)) },
    ]);
    expect(lines.filter((line) => line.includes("purchase.answer_not_stored"))).toHaveLength(1);
  },
);

test("an answer that says nothing in words that cannot be stored is asked for again", async () => {
  const { app, supplier, lines } = await open();
  supplier.answer = { kind: "unknown", evidence: "202 pending", providerReference: unstorable };
  expect(await buyAirtime(app)).toMatchObject({ status: 202 });
  expect(await waiting(app)).toEqual([{ step: "requery", last_answer: expect.stringContaining("cannot be stored") }]);
  expect(lines.join()).toContain("purchase.answer_not_stored");
});

test("a worker that asks again and hears what cannot be stored leaves the purchase to a person", async () => {
  const { app, supplier } = await open({ workers: true });
  supplier.answer = { kind: "unknown", evidence: "202 pending" };
  await buyAirtime(app);
  supplier.answer = yes;
  await app.fresh.pool.query("update inflight set due_at = now()");
  await expect.poll(() => waiting(app)).toMatchObject([{ step: "review" }]);
});

test("a question that a callback led to is over when its answer cannot be stored, and the purchase has its own", async () => {
  const { app, supplier } = await open();
  supplier.answer = { kind: "unknown", evidence: "202 pending" };
  const { body } = await buyAirtime(app);
  supplier.answer = yes;
  const occasion = { source: "callback", providerReference: null };
  expect(await app.services.requery("told-1", `${body.transaction_id}-1`, occasion)).toBe("asked");
  expect(await waiting(app)).toEqual([{ step: "requery", last_answer: "202 pending" }]);
});
