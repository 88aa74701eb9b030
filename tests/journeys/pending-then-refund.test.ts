import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { declined, openFakeSupplier, rawText, silent } from "../support/fake-supplier.ts";
import { sampleOf, samplePurchases } from "../support/sample-purchases.ts";
import { expectPurchase, expectRequery } from "../support/wire-expectations.ts";

const supplier = openFakeSupplier();

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: 1, suppliers: [supplier] }));

async function ended(key: string, reference: string): Promise<Answer> {
  const ask = () => app.call(key, `/transactions/${reference}`);
  await expect.poll(async () => (await ask()).body.status, { timeout: 20_000, interval: 50 }).not.toBe("pending");
  return ask();
}

const balanceOf = async (key: string): Promise<string> => (await app.call(key, "/wallet/balance")).body.balance;

test("a purchase of every category that ends in 0004 fails and gives its money back", async () => {
  const { testKey: key } = await app.createMerchant({ testCredit: kobo(100_000_000n) });
  const before = await balanceOf(key);
  const bought = await Promise.all(
    samplePurchases.map(async ({ category, path, body, numbered }) => {
      const sent = { reference: category, ...body, ...numbered("0004") };
      const answer = await app.call(key, path, { body: sent });
      expectPurchase(answer, category, { status: "pending" });
      return { category, path, sent, pending: answer.body };
    }),
  );
  expect(await balanceOf(key)).not.toBe(before);
  for (const { category, path, sent, pending } of bought) {
    const requeried = await ended(key, category);
    expectRequery(requeried, "failed");
    expect(requeried.body).toMatchObject({
      transaction_id: pending.transaction_id,
      error_code: "SANDBOX_FORCED_FAILURE",
      amount: pending.amount,
      fee: pending.fee,
      discount: pending.discount,
      balance_before: pending.balance_before,
      balance_after: pending.balance_before,
    });
    const replayed = await app.call(key, path, { body: sent });
    expectPurchase(replayed, category, { status: "failed", replayed: true });
  }
  expect(await balanceOf(key)).toBe(before);
  expect((await app.call(key, "/transactions?status=failed")).body.meta.total).toBe(samplePurchases.length);
});

test("the wallet keeps both movements with their true running balances", async () => {
  const { id, testKey: key } = await app.createMerchant();
  const { path, body, numbered } = sampleOf("data");
  await app.call(key, path, { body: { reference: "refunded", ...body, ...numbered("0004") } });
  const between = await app.call(key, path, { body: { reference: "between", ...body } });
  expect(between.body).toMatchObject({ balance_before: "99360.00", balance_after: "98720.00" });
  await ended(key, "refunded");
  expect(await balanceOf(key)).toBe("99360.00");
  const { rows } = await app.fresh.pool.query(
    `select kind, delta, balance_after
       from ledger_entries
      where wallet_id = -$1::integer and purchase_id is not null
      order by seq`,
    [id],
  );
  expect(rows).toEqual([
    { kind: "purchase", delta: "-64000", balance_after: "9936000" },
    { kind: "purchase", delta: "-64000", balance_after: "9872000" },
    { kind: "refund", delta: "64000", balance_after: "9936000" },
  ]);
});

test("a refund after a reset comes on top", async () => {
  const { testKey: key } = await app.createMerchant();
  const { path, body, numbered } = sampleOf("data");
  await app.call(key, path, { body: { reference: "reset", ...body, ...numbered("0004") } });
  await app.call(key, "/sandbox/reset", { method: "POST" });
  expect(await balanceOf(key)).toBe("100000.00");
  await ended(key, "reset");
  expect(await balanceOf(key)).toBe("100640.00");
});

test("live: a supplier's no is answered at once, refunded, and in our words", async () => {
  const key = app.merchant.liveKey ?? "";
  const { path, body } = sampleOf("airtime");
  supplier.answer = declined;
  const before = await balanceOf(key);
  const failed = await app.call(key, path, { body: { reference: "no", ...body } });
  expectPurchase(failed, "airtime", { status: "failed", mode: "live" });
  expect(failed.body.error_code).toBe("RECIPIENT_BARRED");
  expect(await balanceOf(key)).toBe(before);
  const calls = await app.call(key, "/transactions/no");
  expectRequery(calls, "failed", "live");
  expect(JSON.stringify([failed.body, calls.body])).not.toContain(rawText);
});

test("live: a supplier's late no gives the money back", async () => {
  const key = app.merchant.liveKey ?? "";
  const { path, body } = sampleOf("airtime");
  supplier.answer = silent;
  const before = await balanceOf(key);
  const pending = await app.call(key, path, { body: { reference: "late-no", ...body } });
  expectPurchase(pending, "airtime", { status: "pending", mode: "live" });
  expect(await balanceOf(key)).toBe(pending.body.balance_after);
  supplier.answer = declined;
  await expect
    .poll(
      async () => (await app.fresh.pool.query("update inflight set due_at = now() where step = 'requery'")).rowCount,
    )
    .toBe(1);
  expectRequery(await ended(key, "late-no"), "failed", "live");
  expect(await balanceOf(key)).toBe(before);
});
