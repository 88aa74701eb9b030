import { afterEach, expect, test } from "vitest";
import type { Clock } from "../../src/kernel/clock.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";

// A process that is stopped (a frozen machine, a debugger, a page fault that takes seconds) and goes on later.

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const buy = (app: TestApp) =>
  app.call(app.merchant.liveKey, "/data/purchase", {
    body: { product_id: 1002, phone: "08031234567", reference: "stopped-1" },
  });

test("one that stops within a transaction holds nobody's wallet for longer than seconds", async () => {
  const app = await startApp({ suppliers: [openFakeSupplier()] });
  undo.push(() => app.close());
  let goOn = () => {};
  const stopped = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const transaction = app.services.database.transaction(async (tx) => {
    await tx.query({ name: "hold_wallets", text: "select 1 from wallets for update" });
    await stopped;
  });
  const lost = expect(transaction).rejects.toThrow();
  expect(await buy(app)).toMatchObject({ status: 201 });
  goOn();
  await lost;
});

test("one that stops before it could send a purchase leaves it to be sent by another, once", async () => {
  let aheadMs = 0;
  const clock: Clock = { now: () => Date.now() + aheadMs };
  const supplier = openFakeSupplier();
  const app = await startApp({ suppliers: [supplier], clock });
  undo.push(() => app.close());
  const client = await app.fresh.pool.connect();
  await client.query("begin");
  await client.query("select 1 from wallets for update");
  const bought = buy(app);
  await expect.poll(() => blocked(app)).toBe(1);
  aheadMs = 31_000;
  await client.query("commit");
  client.release();
  expect(await bought).toMatchObject({ status: 202, body: { status: "pending" } });
  expect(supplier.calls).toEqual([]);
  const { rows } = await app.fresh.pool.query("select step, epoch from inflight");
  expect(rows).toEqual([{ step: "queued", epoch: 0 }]);

  supplier.answer = vended;
  const stopWorkers = app.services.startWorkers();
  undo.push(stopWorkers);
  await app.fresh.pool.query("update inflight set due_at = now()");
  const status = async () => (await app.call(app.merchant.liveKey, "/transactions/stopped-1")).body.status;
  await expect.poll(status).toBe("successful");
  expect(supplier.calls.map(({ question }) => question)).toEqual(["vend"]);
});

async function blocked(app: TestApp): Promise<number> {
  const { rows } = await app.fresh.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}
