import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, rawText, silent, vended } from "../support/fake-supplier.ts";
import { sampleOf, samplePurchases } from "../support/sample-purchases.ts";
import { expectListed, expectPurchase, expectRequery } from "../support/wire-expectations.ts";

const pendingSeconds = 1;
const supplier = openFakeSupplier();

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: pendingSeconds, suppliers: [supplier] }));
const key = (await app.createMerchant({ testCredit: kobo(100_000_000n) })).testKey;

async function ended(reference: string, as = key): Promise<Answer> {
  const ask = () => app.call(as, `/transactions/${reference}`);
  await expect.poll(async () => (await ask()).body.status, { timeout: 20_000, interval: 50 }).not.toBe("pending");
  return ask();
}

test("a purchase of every category that waits becomes what it would have been at once", async () => {
  const before = (await app.call(key, "/wallet/balance")).body.balance;
  const bought = await Promise.all(
    samplePurchases.map(async ({ category, path, body, numbered }) => {
      const sent = { reference: category, ...body, ...numbered("0003") };
      const answer = await app.call(key, path, { body: sent });
      expectPurchase(answer, category, { status: "pending" });
      expect(answer.headers.get("retry-after")).toBe(String(pendingSeconds));
      return { category, path, sent, pending: answer.body };
    }),
  );
  const charged = (await app.call(key, "/wallet/balance")).body.balance;

  let total = 0n;
  for (const { category, path, sent, pending } of bought) {
    const requeried = await ended(category);
    expectRequery(requeried, "successful");
    const replayed = await app.call(key, path, { body: sent });
    expectPurchase(replayed, category, { status: "successful", replayed: true });
    expect(requeried.body).toMatchObject(replayed.body);

    // Nothing that was told of the money, the goods or the time of the purchase changes.
    const { status, message, delivery, token, provider_reference, completed_at, ...same } = pending;
    expect(replayed.body).toMatchObject(same);
    expect(Date.parse(replayed.body.completed_at)).toBeGreaterThanOrEqual(Date.parse(pending.purchased_at));
    total += BigInt(pending.total_deducted.replace(".", ""));
  }
  expect((await app.call(key, "/wallet/balance")).body.balance).toBe(charged);
  expect(BigInt(before.replace(".", "")) - BigInt(charged.replace(".", ""))).toBe(total);

  const { transactions, meta } = (await app.call(key, "/transactions?status=successful")).body;
  expect(meta.total).toBe(samplePurchases.length);
  for (const row of transactions) expectListed(row);
  expect((await app.call(key, "/transactions?status=pending")).body.meta.total).toBe(0);
});

test("it waits its time, not less", async () => {
  const { path, body, numbered } = sampleOf("data");
  const startedMs = performance.now();
  await app.call(key, path, { body: { reference: "timed", ...body, ...numbered("0003") } });
  const answer = await ended("timed");
  const tookMs = performance.now() - startedMs;
  expect(answer.body.status).toBe("successful");
  expect(tookMs).toBeGreaterThanOrEqual(pendingSeconds * 1_000);
});

test("live: a supplier that did not answer is asked again, and its late yes counts", async () => {
  const { liveKey } = app.merchant;
  const { path, body } = sampleOf("data");
  supplier.answer = silent;
  const pending = await app.call(liveKey, path, { body: { reference: "late-yes", ...body } });
  expectPurchase(pending, "data", { status: "pending", mode: "live" });
  expect(JSON.stringify(pending.body)).not.toContain(rawText);
  const calls = await app.call(liveKey, "/transactions/late-yes");
  expectRequery(calls, "pending", "live");

  supplier.answer = vended;
  // Its next question is seconds away; the test does not wait for it.
  await expect
    .poll(
      async () => (await app.fresh.pool.query("update inflight set due_at = now() where step = 'requery'")).rowCount,
    )
    .toBe(1);
  const answer = await ended("late-yes", liveKey ?? "");
  expectRequery(answer, "successful", "live");
  expect(answer.body).toMatchObject({ provider_reference: "SUP-1", delivery: { kind: "topup" } });
  expect((await app.call(liveKey, "/wallet/balance")).body.balance).toBe(pending.body.balance_after);

  // One vend, and only questions after it, all under one name.
  const questions = supplier.calls.map(({ question }) => question);
  expect([questions[0], new Set(questions.slice(1))]).toEqual(["vend", new Set(["requery"])]);
  const names = new Set(supplier.calls.map(({ request }) => request.supplierReference));
  expect(names).toEqual(new Set([`${pending.body.transaction_id}-1`]));
});
