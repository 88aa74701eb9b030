import { afterEach, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { answerLater, type FakeSupplier, openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";

// A bulk order's lines are sent long after their routes were chosen.

const first = openFakeSupplier("first");
const second = openFakeSupplier("second");
const plan = 1002;
const phones = Array.from({ length: 30 }, (_, i) => `080600000${String(i).padStart(2, "0")}`);
let nowMs = Date.now();
let app: TestApp;

async function open(suppliers: readonly FakeSupplier[]): Promise<void> {
  for (const supplier of suppliers) {
    supplier.calls.length = 0;
    supplier.answer = vended;
  }
  nowMs = Date.now();
  app = await startApp({ suppliers, clock: { now: () => nowMs } });
  const body = { reference: "order", product_id: plan, phones };
  expect((await app.call(app.merchant.liveKey, "/data/bulk", { body })).body.pending).toBe(phones.length);
}

afterEach(() => app.close());

async function set(supplier: FakeSupplier, state: "enabled" | "disabled"): Promise<void> {
  await app.fresh.pool.query("update suppliers set state = $2 where name = $1", [supplier.name, state]);
  await app.feel("routes");
}

/** Works until no line is due. */
async function work(): Promise<void> {
  const stop = app.services.startWorkers();
  for (let look = 0; look < 400; look++) {
    const due = "select 1 from inflight where due_at <= now() + interval '2 s' or step = 'dispatch'";
    if ((await app.fresh.pool.query(due)).rows.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await stop();
}

/** Of the first supplier, by purchases that are not asked about any more. */
async function openBreaker(): Promise<void> {
  first.answer = silent;
  for (let i = 0; i < 10; i++) {
    const body = { reference: `silent-${i}`, product_id: plan, phone: "08031234567" };
    expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(202);
  }
  await app.fresh.pool.query("update inflight set due_at = now() + interval '1 h' where step <> 'queued'");
}

const vendsOf = ({ calls }: FakeSupplier) => calls.filter(({ question }) => question === "vend").length;

async function order() {
  const { successful, pending, failed } = (await app.call(app.merchant.liveKey, "/bulk/order")).body;
  return { successful, pending, failed };
}

test("a supplier that is switched off gets none of the lines that wait: the next one does", async () => {
  await open([first, second]);
  await set(first, "disabled");
  await work();
  expect([vendsOf(first), vendsOf(second)]).toEqual([0, phones.length]);
  expect(await order()).toEqual({ successful: phones.length, pending: 0, failed: 0 });
});

test("a supplier whose breaker is open gets none of the lines that wait: the next one does", async () => {
  await open([first, second]);
  await openBreaker();
  const before = vendsOf(first);
  await work();
  expect([vendsOf(first) - before, vendsOf(second)]).toEqual([0, phones.length]);
});

test("of the lines that wait, a half-open supplier gets one: the next supplier gets the others", async () => {
  await open([first, second]);
  await openBreaker();
  nowMs += 30_000;
  const before = vendsOf(first);
  const answer = answerLater(first);
  const stop = app.services.startWorkers();
  await expect.poll(() => vendsOf(second)).toBe(phones.length - 1);
  expect(vendsOf(first) - before).toBe(1);
  answer(vended);
  await expect.poll(order).toEqual({ successful: phones.length, pending: 0, failed: 0 });
  await stop();
});

test("of the lines that wait, a half-open supplier gets one, and the others wait on where nobody else sells them", async () => {
  await open([first]);
  await openBreaker();
  nowMs += 30_000;
  const before = vendsOf(first);
  await work();
  expect([vendsOf(first) - before, await order()]).toEqual([1, { successful: 0, pending: phones.length, failed: 0 }]);
});

test("where nobody takes them, lines wait unsent, and are sent once when the supplier is there again", async () => {
  await open([first]);
  await set(first, "disabled");
  await work();
  expect(vendsOf(first)).toBe(0);
  expect(await order()).toEqual({ successful: 0, pending: phones.length, failed: 0 });
  await set(first, "enabled");
  await app.fresh.pool.query("update inflight set due_at = now()");
  await work();
  expect(first.calls.map(({ question }) => question)).toEqual(Array(phones.length).fill("vend"));
  expect(await order()).toEqual({ successful: phones.length, pending: 0, failed: 0 });
});

test("lines that nobody took for an hour are given back, unsent", async () => {
  await open([first]);
  await set(first, "disabled");
  const before = (await app.call(app.merchant.liveKey, "/wallet/balance")).body.balance;
  nowMs += 3_600_000;
  await work();
  expect([vendsOf(first), await order()]).toEqual([0, { successful: 0, pending: 0, failed: phones.length }]);
  expect([before, (await app.call(app.merchant.liveKey, "/wallet/balance")).body.balance]).toEqual([
    "980800.00",
    "1000000.00",
  ]);
});
