import { afterEach, beforeEach, expect, test } from "vitest";
import { setRouteOrder, setRouteWeight } from "../../src/domain/suppliers/administration.ts";
import { keepBalance } from "../../src/domain/suppliers/balances.ts";
import { setSettings } from "../../src/domain/suppliers/settings.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";

// "first" is preferred to "second"; a purchase of the plan costs us 576.00 at either.

const first = openFakeSupplier("first");
const second = openFakeSupplier("second");
const suppliers = [first, second];
const plan = 1002 as ProductId;
const cost = 57_600n;

let nowMs = 0;
const clock = { now: () => nowMs };
const open: TestApp[] = [];
let references = 0;

async function start(given: Partial<Parameters<typeof startApp>[0]> = {}): Promise<TestApp> {
  const app = await startApp({ suppliers, clock, ...given });
  open.push(app);
  return app;
}

beforeEach(() => {
  // Not near midnight in Lagos, whatever the time is.
  nowMs = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 12 * 3_600_000;
  for (const supplier of suppliers) {
    supplier.calls.length = 0;
    supplier.answer = vended;
  }
});
afterEach(async () => {
  for (const app of open.splice(0).reverse()) await app.close();
});

async function buy(app: TestApp, key = app.merchant.liveKey) {
  references += 1;
  const body = { reference: `limit-${references}`, product_id: plan, phone: "08031234567" };
  return app.call(key, "/data/purchase", { body });
}

const vends = () => suppliers.map(({ calls }) => calls.filter(({ question }) => question === "vend").length);

/** Every process feels a change of the routes. */
const felt = () => Promise.all(open.map((app) => app.feel()));

/** As every second: each process stores what it has sent, and then knows what the others have. */
async function counted(): Promise<void> {
  for (const _ of ["stored", "read"]) for (const { services } of open) await services.routeCounts.flush();
}

async function reasonsOf(app: TestApp) {
  const { rows } = await app.fresh.pool.query<{ route_reason: string }>(
    "select route_reason from purchases order by id",
  );
  return rows.map((row) => row.route_reason);
}

test("a supplier at its cap is passed over, and where no other is left the purchase is refused uncharged", async () => {
  const app = await start();
  await setSettings(app.services.database, "first", { dayCost: kobo(2n * cost), dayPurchases: null });
  await setSettings(app.services.database, "second", { dayCost: null, dayPurchases: 1 });
  await felt();
  for (let i = 0; i < 3; i++) expect(await buy(app)).toMatchObject({ status: 201 });
  expect(vends()).toEqual([2, 1]);
  expect((await reasonsOf(app)).at(-1)).toBe("the only one; at its cap: first");
  const booked = async () => (await app.fresh.pool.query("select count(*)::int as n from purchases")).rows[0].n;
  expect(await buy(app)).toMatchObject({ status: 503, body: { code: "BILLER_UNAVAILABLE" } });
  expect([await booked(), vends()]).toEqual([3, [2, 1]]);

  // Midnight in Lagos.
  nowMs += 12 * 3_600_000;
  expect(await buy(app)).toMatchObject({ status: 201 });
  expect(vends()).toEqual([3, 1]);
});

test("a cap holds over two processes and a restart; a decline gives its room back, an unknown does not", async () => {
  const app = await start();
  const { fresh } = app;
  await setSettings(app.services.database, "first", { dayCost: null, dayPurchases: 3 });
  const other = await start({ database: fresh });
  await felt();
  first.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: "no" };
  expect(await buy(app)).toMatchObject({ status: 201 });
  first.answer = silent;
  expect(await buy(app)).toMatchObject({ status: 202 });
  first.answer = vended;
  await buy(app);
  await counted();
  expect(await buy(other)).toMatchObject({ status: 201 });
  expect(vends()).toEqual([4, 1]);
  await buy(other);
  expect(vends()).toEqual([4, 2]);
  await counted();
  await buy(app);
  expect(vends()).toEqual([4, 3]);
  const restarted = await start({ database: fresh });
  await buy(restarted);
  expect(vends()).toEqual([4, 4]);
});

test("below its floor a supplier gets nothing new; what was sent since it told is taken away, and telling more ends it", async () => {
  const app = await start();
  const { database } = app.services;
  await setSettings(database, "first", { balanceFloor: 100_000n });
  // Nothing is known of its balance yet.
  await felt();
  await buy(app);
  expect(vends()).toEqual([1, 0]);
  await counted();
  await keepBalance(database, "first", 100_000n + cost, "NGN");
  await counted();
  for (let i = 0; i < 2; i++) await buy(app);
  expect(vends()).toEqual([3, 0]);
  await buy(app);
  expect(vends()).toEqual([3, 1]);
  expect((await reasonsOf(app)).at(-1)).toBe("the only one; below its floor: first");
  // What was not stored when it tells would be taken away once more.
  await counted();
  await keepBalance(database, "first", 200_000n, "NGN");
  await counted();
  await buy(app);
  expect(vends()).toEqual([4, 1]);
});

test("lines of a bulk order that wait for a supplier at its cap go to the next one", async () => {
  const app = await start();
  const phones = Array.from({ length: 12 }, (_, i) => `080600000${String(i).padStart(2, "0")}`);
  await app.call(app.merchant.liveKey, "/data/bulk", { body: { reference: "order", product_id: plan, phones } });
  await setSettings(app.services.database, "first", { dayCost: null, dayPurchases: 1 });
  await felt();
  await buy(app);
  const stop = app.services.startWorkers();
  const order = async () => (await app.call(app.merchant.liveKey, "/bulk/order")).body;
  await expect.poll(async () => (await order()).successful).toBe(phones.length);
  await stop();
  expect(vends()).toEqual([1, phones.length]);
});

test("two processes spread purchases by weight, and each chooses the same for one reference", async () => {
  const app = await start();
  const { database, routeFor } = app.services;
  await setRouteOrder(database, plan, "weight");
  await setRouteWeight(database, { productId: plan, supplier: "first", weight: 30 });
  await setRouteWeight(database, { productId: plan, supplier: "second", weight: 70 });
  const other = await start({ database: app.fresh });
  await felt();
  const product = (await other.services.catalogue.current()).findProduct(plan);
  const buyer = { mode: "live", merchantId: app.merchant.id } as const;
  const amounts = { quantity: 1, faceAmount: kobo(64_000n) };
  const chosenBy = async (by: typeof routeFor, reference: string) =>
    (await by(buyer, product as never, amounts, reference as never)).supplier;
  let firsts = 0;
  for (let i = 0; i < 1_000; i++) {
    const chosen = await chosenBy(routeFor, `spread-${i}`);
    expect(await chosenBy(other.services.routeFor, `spread-${i}`)).toBe(chosen);
    if (chosen === "first") firsts += 1;
  }
  // Four standard deviations.
  expect(Math.abs(firsts - 300)).toBeLessThan(58);
  await buy(app);
  expect((await reasonsOf(app)).at(-1)).toMatch(/^weight (30|70) of 100$/);
});
