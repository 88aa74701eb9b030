import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { declined, openFakeSupplier, rawText, silent, vended } from "../support/fake-supplier.ts";
import { callLegacy, postLegacy } from "../support/legacy-endpoint.ts";
import { sampleOf, samplePurchases } from "../support/sample-purchases.ts";
import { expectListed, expectPurchase, expectRequery } from "../support/wire-expectations.ts";

const pendingSeconds = 1;
const supplier = openFakeSupplier();

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: pendingSeconds, suppliers: [supplier] }));
const liveKey = app.merchant.liveKey ?? "";

/** What is answered once it is pending no longer. */
async function ended(ask: () => Promise<Answer>): Promise<Answer> {
  const isPending = ({ body }: Answer) => body.status === "pending" || body.Status === "processing";
  await expect.poll(async () => isPending(await ask()), { interval: 50 }).toBe(false);
  return ask();
}

const transaction = (key: string, reference: string) => ended(() => app.call(key, `/transactions/${reference}`));
const balanceOf = async (key: string): Promise<string> => (await app.call(key, "/wallet/balance")).body.balance;

/** The supplier's next question is seconds away; the test does not wait for it. */
async function askNow(): Promise<void> {
  const advance = "update inflight set due_at = now() where step = 'requery'";
  await expect.poll(async () => (await app.fresh.pool.query(advance)).rowCount).toBe(1);
}

/** A purchase of every category, each pending by the ending of its number. */
function buyAll(key: string, suffix: string) {
  return Promise.all(
    samplePurchases.map(async ({ category, path, body, numbered }) => {
      const sent = { reference: category, ...body, ...numbered(suffix) };
      const answer = await app.call(key, path, { body: sent });
      expectPurchase(answer, category, { status: "pending" });
      expect(answer.headers.get("retry-after")).toBe(String(pendingSeconds));
      return { category, path, sent, pending: answer.body };
    }),
  );
}

test("a purchase of every category that waits becomes what it would have been at once", async () => {
  const { testKey: key } = await app.createMerchant({ testCredit: kobo(100_000_000n) });
  const before = await balanceOf(key);
  const bought = await buyAll(key, "0003");
  const charged = await balanceOf(key);

  let total = 0n;
  for (const { category, path, sent, pending } of bought) {
    const requeried = await transaction(key, category);
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
  expect(await balanceOf(key)).toBe(charged);
  expect(BigInt(before.replace(".", "")) - BigInt(charged.replace(".", ""))).toBe(total);

  const { transactions, meta } = (await app.call(key, "/transactions?status=successful")).body;
  expect(meta.total).toBe(samplePurchases.length);
  for (const row of transactions) expectListed(row);
  expect((await app.call(key, "/transactions?status=pending")).body.meta.total).toBe(0);
});

test("it waits its time, not less", async () => {
  const { testKey } = await app.createMerchant();
  const { path, body, numbered } = sampleOf("data");
  const startedMs = performance.now();
  await app.call(testKey, path, { body: { reference: "timed", ...body, ...numbered("0003") } });
  expect((await transaction(testKey, "timed")).body.status).toBe("successful");
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(pendingSeconds * 1_000);
});

test("a purchase of every category that ends in 0004 fails and gives its money back", async () => {
  const { testKey: key } = await app.createMerchant({ testCredit: kobo(100_000_000n) });
  const before = await balanceOf(key);
  const bought = await buyAll(key, "0004");
  expect(await balanceOf(key)).not.toBe(before);
  for (const { category, path, sent, pending } of bought) {
    const requeried = await transaction(key, category);
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
  await transaction(key, "refunded");
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
  await transaction(key, "reset");
  expect(await balanceOf(key)).toBe("100640.00");
});

test("live: a supplier that did not answer is asked again, and its late yes counts", async () => {
  const { path, body } = sampleOf("data");
  supplier.answer = silent;
  const pending = await app.call(liveKey, path, { body: { reference: "late-yes", ...body } });
  expectPurchase(pending, "data", { status: "pending", mode: "live" });
  expect(JSON.stringify(pending.body)).not.toContain(rawText);
  expectRequery(await app.call(liveKey, "/transactions/late-yes"), "pending", "live");

  supplier.answer = vended;
  await askNow();
  const answer = await transaction(liveKey, "late-yes");
  expectRequery(answer, "successful", "live");
  expect(answer.body).toMatchObject({ provider_reference: "SUP-1", delivery: { kind: "topup" } });
  expect(await balanceOf(liveKey)).toBe(pending.body.balance_after);

  // One vend, and only questions after it, all under one name.
  const questions = supplier.calls.map(({ question }) => question);
  expect([questions[0], new Set(questions.slice(1))]).toEqual(["vend", new Set(["requery"])]);
  const names = new Set(supplier.calls.map(({ request }) => request.supplierReference));
  expect(names).toEqual(new Set([`${pending.body.transaction_id}-1`]));
});

test("live: a supplier's no is answered at once, refunded, and in our words", async () => {
  const { path, body } = sampleOf("airtime");
  supplier.answer = declined;
  const before = await balanceOf(liveKey);
  const failed = await app.call(liveKey, path, { body: { reference: "no", ...body } });
  expectPurchase(failed, "airtime", { status: "failed", mode: "live" });
  expect(failed.body.error_code).toBe("RECIPIENT_BARRED");
  expect(await balanceOf(liveKey)).toBe(before);
  const found = await app.call(liveKey, "/transactions/no");
  expectRequery(found, "failed", "live");
  expect(JSON.stringify([failed.body, found.body])).not.toContain(rawText);
});

test("live: a supplier's late no gives the money back", async () => {
  const { path, body } = sampleOf("airtime");
  supplier.answer = silent;
  const before = await balanceOf(liveKey);
  const pending = await app.call(liveKey, path, { body: { reference: "late-no", ...body } });
  expectPurchase(pending, "airtime", { status: "pending", mode: "live" });
  expect(await balanceOf(liveKey)).toBe(pending.body.balance_after);
  supplier.answer = declined;
  await askNow();
  expectRequery(await transaction(liveKey, "late-no"), "failed", "live");
  expect(await balanceOf(liveKey)).toBe(before);
});

// A client of the legacy endpoints hears "processing" and asks by the id until it hears how it ended.
const purchases = [
  ["/api/data", { network: 1, mobile_number: "08031230003", plan: 2 }],
  ["/api/topup", { network: 1, mobile_number: "08031230003", amount: 100 }],
] as const;

const byId = (path: string, id: number, key: string) => ended(() => callLegacy(app, key, `${path}/${id}/`));

test.each(purchases)("%s: processing becomes successful, and nothing else changes", async (path, fields) => {
  const { testKey } = await app.createMerchant();
  const pending = await postLegacy(app, testKey, path, fields);
  expect([pending.status, pending.body.Status]).toEqual([200, "processing"]);
  const answer = await byId(path, pending.body.id, testKey);
  const message = expect.stringMatching(/: successful\.$/);
  const reply = { Status: "successful", status: "success", api_response: message, message };
  expect([answer.status, answer.body]).toEqual([200, { ...pending.body, ...reply }]);
});

test.each(purchases)("%s: processing becomes failed, and the money is back", async (path, fields) => {
  const { testKey } = await app.createMerchant();
  const failing = { ...fields, mobile_number: "08031230004", ident: "failing" };
  const pending = await postLegacy(app, testKey, path, failing);
  expect(pending.body.Status).toBe("processing");
  const { status, body } = await byId(path, pending.body.id, testKey);
  expect(status).toBe(400);
  expect(body).toMatchObject({ Status: "failed", balance_before: "100000.00", balance_after: "100000.00" });
  expect((await callLegacy(app, testKey, "/api/user")).body.user.wallet_balance).toBe("100000.00");

  // The same ident tells the same, and does not buy again.
  const again = await postLegacy(app, testKey, path, failing);
  expect([again.status, again.body]).toEqual([400, body]);
});

test("live: a supplier's late yes is told by the legacy id", async () => {
  supplier.answer = silent;
  const [path, fields] = purchases[0];
  const pending = await postLegacy(app, liveKey, path, fields);
  expect(pending.body.Status).toBe("processing");
  supplier.answer = vended;
  await askNow();
  expect((await byId(path, pending.body.id, liveKey)).body.Status).toBe("successful");
});
