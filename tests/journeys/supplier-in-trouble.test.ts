import { describe, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { answerLater, type FakeSupplier, openFakeSupplier, rawText, silent, vended } from "../support/fake-supplier.ts";
import { expectProblem } from "../support/wire-expectations.ts";

// One supplier serves everything; the clock is the test's.

const supplier = openFakeSupplier();
let nowMs = Date.now();
let references = 0;

const app = closing(await startApp({ suppliers: [supplier], clock: { now: () => nowMs } }));

const key = () => app.merchant.liveKey ?? "";

function buy(path = "/data/purchase", goods: object = { product_id: 1002 }) {
  references += 1;
  return app.call(key(), path, { body: { reference: `trouble-${references}`, phone: "08031234567", ...goods } });
}

async function statusOf(slug: string, as = key()): Promise<string> {
  const { billers } = (await app.call(as, "/billers")).body;
  return billers.find((biller: { readonly slug: string }) => biller.slug === slug).status;
}

test("ten silences close a supplier's category: unavailable in the list, and refused before any charge", async () => {
  supplier.answer = silent;
  for (let i = 0; i < 10; i++) expect((await buy()).status).toBe(202);
  const calls = supplier.calls.length;
  const before = (await app.call(key(), "/wallet/balance")).body.balance;

  const refused = await buy();
  expectProblem(refused, 503, "BILLER_UNAVAILABLE");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await app.call(key(), "/wallet/balance")).body.balance).toBe(before);
  expectProblem(await app.call(key(), `/transactions/trouble-${references}`), 404, "TRANSACTION_NOT_FOUND");
  expect(supplier.calls).toHaveLength(calls);
  expect(await statusOf("mtn-data")).toBe("unavailable");
  expect(await app.services.metrics.text()).toMatch(/dispense_supplier_breaker_open\{[^}]*category="data"[^}]*\} 1\n/);
  const { products } = (await app.call(key(), "/billers/mtn-data/products")).body;
  expect(new Set(products.map(({ available }: { available: boolean }) => available))).toEqual(new Set([false]));
});

test("other categories, and sandbox, go on as ever", async () => {
  expect(await statusOf("mtn-airtime")).toBe("available");
  expect(await statusOf("mtn-data", app.merchant.testKey)).toBe("available");
  supplier.answer = vended;
  expect((await buy("/airtime/purchase", { network: "MTN", amount: "100" })).status).toBe(201);
});

test("asking what became of the silent ones is not kept back by the breaker, and ends them", async () => {
  const { rows } = await app.fresh.pool.query<{ id: string }>("select purchase_id as id from inflight");
  expect(rows).toHaveLength(10);
  supplier.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
  const waiting = supplier.calls.filter(({ question }) => question === "vend").slice(0, 10);
  for (const { request } of waiting) {
    expect(
      await app.services.requery("told", request.supplierReference, { source: "test", providerReference: null }),
    ).toBe("asked");
  }
  expect((await app.fresh.pool.query("select 1 from inflight")).rows).toEqual([]);
});

test("after half a minute one purchase tries it out, and its success opens it to everybody", async () => {
  expect(await statusOf("mtn-data")).toBe("unavailable");
  nowMs += 30_000;
  supplier.answer = vended;
  expect(await statusOf("mtn-data")).toBe("available");
  expect((await buy()).status).toBe(201);
  expect((await buy()).status).toBe(201);
});

test("a product that nobody serves is not available, and neither is its biller when none of its products is", async () => {
  const of = "product_id in (select id from products where biller_slug = 'gotv')";
  await app.fresh.pool.query(`update supplier_routes set enabled = false where ${of}`);
  await app.fresh.pool.query("update revisions set revision = revision + 1 where subject = 'routes'");
  await expect.poll(() => statusOf("gotv")).toBe("unavailable");
  const goods = { product_id: 4101, smartcard_number: "7032145678" };
  expectProblem(await buy("/cable/purchase", goods), 503, "PRODUCT_UNAVAILABLE");
});

describe("of purchases that were chosen for a half-open supplier at the same moment, one is sent there", () => {
  const count = 20;

  /** The first supplier's breaker is half open, and its probe waits for an answer. */
  async function buyAtOnce(suppliers: readonly [FakeSupplier, ...FakeSupplier[]]) {
    const [first] = suppliers;
    let time = Date.now();
    const shop = await startApp({ suppliers, clock: { now: () => time } });
    const buyOne = (reference: string) =>
      shop.call(shop.merchant.liveKey, "/data/purchase", {
        body: { reference, product_id: 1002, phone: "08031234567" },
      });
    first.answer = silent;
    for (let i = 0; i < 10; i++) expect((await buyOne(`silent-${i}`)).status).toBe(202);
    const kept = (await shop.call(shop.merchant.liveKey, "/wallet/balance")).body.balance;
    time += 30_000;
    const answer = answerLater(first);
    first.calls.length = 0;
    // Nothing is committed, and so sent, before all have their route.
    const wallets = await shop.fresh.pool.connect();
    await wallets.query("begin");
    await wallets.query("select 1 from wallets for update");
    const bought = Promise.all(Array.from({ length: count }, (_, i) => buyOne(`at-once-${i}`)));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await wallets.query("commit");
    wallets.release();
    return { shop, first, buyOne, held: kept, answer, bought };
  }

  /** When all but the probe have their answer. */
  const othersEnded = async ({ fresh }: TestApp) => {
    const ended = () => fresh.pool.query("select 1 from purchases where status <> 'pending'");
    await expect.poll(async () => (await ended()).rows.length).toBe(count - 1);
  };

  test("and the others to the next one", async () => {
    const second = openFakeSupplier("second");
    const { shop, first, buyOne, answer, bought } = await buyAtOnce([openFakeSupplier("first"), second]);
    await othersEnded(shop);
    expect([first.calls.length, second.calls.length]).toEqual([1, count - 1]);
    answer(vended);
    expect((await bought).map(({ status, body }) => [status, body.status])).toEqual(
      Array(count).fill([201, "successful"]),
    );
    first.answer = vended;
    await buyOne("afterwards");
    expect([first.calls.length, second.calls.length]).toEqual([2, count - 1]);
    await shop.close();
  });

  test("and the others, where there is no next one, fail and are refunded at once", async () => {
    const { shop, first, held: kept, answer, bought } = await buyAtOnce([openFakeSupplier("first")]);
    await othersEnded(shop);
    answer(silent);
    const failed = (await bought).filter(({ body }) => body.status === "failed");
    expect([first.calls.length, failed.length]).toEqual([1, count - 1]);
    expect(new Set(failed.map(({ body }) => body.error_code))).toEqual(new Set(["OPERATOR_UNAVAILABLE"]));
    const { balance } = (await shop.call(shop.merchant.liveKey, "/wallet/balance")).body;
    expect(Number(kept) - Number(balance)).toBe(640);
    await shop.close();
  });
});
