import { expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { answerLater, type FakeSupplier, openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";

const plan = 1002; // 640 naira
const lines = 40;
const phones = Array.from({ length: lines }, (_, i) => `080600000${String(i).padStart(2, "0")}`);

async function place(app: TestApp, key: string) {
  const answer = await app.call(key, "/data/bulk", { body: { reference: "order", product_id: plan, phones } });
  expect([answer.status, answer.body.pending]).toEqual([202, lines]);
}

async function untilOver(app: TestApp, key: string): Promise<unknown> {
  for (let i = 0; i < 600; i++) {
    const { body } = await app.call(key, "/bulk/order");
    if (body.pending === 0) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the order did not end");
}

/** How often the supplier was asked to vend, by its reference. */
function vendsOf(supplier: FakeSupplier): Map<string, number> {
  const vends = new Map<string, number>();
  for (const { question, request } of supplier.calls) {
    const { supplierReference } = request;
    if (question === "vend") vends.set(supplierReference, (vends.get(supplierReference) ?? 0) + 1);
  }
  return vends;
}

test("a live order is charged at once and vended in the background, each line once", async () => {
  const supplier = openFakeSupplier();
  const app = await startApp({ suppliers: [supplier], workers: true });
  try {
    const key = app.merchant.liveKey ?? "";
    await place(app, key);
    expect((await app.call(key, "/wallet/balance")).body.balance).toBe("974400.00");
    expect(await untilOver(app, key)).toMatchObject({
      status: "completed",
      successful: lines,
      total_deducted: "25600.00",
    });
    expect([...vendsOf(supplier).values()]).toEqual(Array(lines).fill(1));
  } finally {
    await app.close();
  }
});

test("a service that dies in the middle of an order ends it after its restart, and vends no line twice", async () => {
  const supplier = openFakeSupplier();
  // The supplier vends, and its answers do not come as long as the first process counts: what it asked is lost with it.
  const answerTheDead = answerLater(supplier);
  const first = await startApp({ suppliers: [supplier] });
  const key = first.merchant.liveKey ?? "";
  await place(first, key);
  const stopWorkers = first.services.startWorkers();
  for (let i = 0; i < 1_000 && vendsOf(supplier).size === 0; i++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const calls = vendsOf(supplier).size;
  expect(calls).toBeGreaterThan(0);

  supplier.answer = vended;
  const second = await startApp({ suppliers: [supplier], workers: true, database: first.fresh });
  try {
    // The leases of the dead run out.
    await first.fresh.pool.query("update inflight set due_at = now() where step = 'dispatch'");
    expect(await untilOver(second, key)).toMatchObject({ status: "completed", successful: lines });
    expect([...vendsOf(supplier).values()]).toEqual(Array(lines).fill(1));
    const again = supplier.calls.filter(({ question }) => question === "requery");
    expect(again.length).toBeGreaterThanOrEqual(calls);
  } finally {
    answerTheDead(silent);
    await stopWorkers();
    await second.close();
    await first.close();
  }
});
