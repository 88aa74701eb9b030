import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Answer, startApp, type TestApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { answerLater, declined, openFakeSupplier, silent, vended } from "../../support/fake-supplier.ts";
import type { Fields } from "../../support/legacy-endpoint.ts";
import { postLegacy } from "../../support/legacy-endpoint.ts";
import { sendRaw } from "../../support/raw-request.ts";

/** Longer than a slow machine needs for what is to happen meanwhile; the shorter one is for those that wait it out. */
const holdMs = 12_000;
const shortHoldMs = 1_500;
const supplier = openFakeSupplier();
let app: TestApp;
let key: string;

/** Two processes of one deployment: the first one alone asks suppliers again. */
const worker = closing(await startApp({ suppliers: [supplier], workers: true }));

// Anew for each test: a process keeps away from a supplier that tells nothing ten times in a row.
beforeEach(async () => {
  supplier.answer = silent;
  app = await holdingFor(holdMs);
  key = app.merchant.liveKey ?? "";
});
afterEach(() => app.close());

const holdingFor = (legacyHoldMs: number) => startApp({ suppliers: [supplier], database: worker.fresh, legacyHoldMs });

let idents = 0;
const topup = () => ({ network: 1, amount: 100, mobile_number: "08031234567", ident: `held-${++idents}` });
const buy = (fields: Fields = topup(), at = app, as = key) => postLegacy(at, as, "/api/topup/", fields);

async function timed(answer: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const began = performance.now();
  return { answer: await answer, ms: performance.now() - began };
}

const kept = async () =>
  Number(/^dispense_legacy_held_answers (\d+)$/m.exec(await app.services.metrics.text())?.[1] ?? 0);
const someoneWaits = (count = 1) => expect.poll(kept, { interval: 10 }).toBe(count);

/** The worker asks the supplier again, which has made up its mind. */
async function endAs(answer: typeof supplier.answer): Promise<void> {
  supplier.answer = answer;
  await app.fresh.pool.query("update inflight set due_at = now() where step = 'requery'");
}

describe("a live purchase that stays pending", () => {
  test.each([
    ["delivered", vended, 200, "successful"],
    ["failed", declined, 400, "failed"],
  ] as const)("is answered once it is %s, by whichever process", async (_end, word, status, reply) => {
    const buying = timed(buy());
    await someoneWaits();
    await endAs(word);
    const { answer, ms } = await buying;
    expect([answer.status, answer.body.Status]).toEqual([status, reply]);
    expect(ms).toBeLessThan(holdMs);
    await someoneWaits(0);
  });

  test("is answered at once where it ends in the same process", async () => {
    const buying = buy();
    await someoneWaits();
    const pending = "select reference from purchases where status = 'pending' and abs(wallet_id) = $1";
    const { rows } = await app.fresh.pool.query(pending, [app.merchant.id]);
    const wallet = { merchantId: app.merchant.id, mode: "live" } as const;
    const purchase = await app.services.findByReference({ wallet, reference: rows[0].reference });
    if (purchase === null) throw new Error("it was charged");
    const outcome = { status: "successful", providerReference: "SUP-2", fulfilment: null } as const;
    await app.services.settle(purchase, outcome, { epoch: null, evidence: null });
    const settledAt = performance.now();
    expect((await buying).body.Status).toBe("successful");
    expect(performance.now() - settledAt).toBeLessThan(holdMs);
  });

  test("is processing when the time is over, and everybody who asked by its ident waits as long", async () => {
    const impatient = await holdingFor(shortHoldMs);
    const fields = topup();
    const both = [timed(buy(fields, impatient)), timed(buy(fields, impatient))];
    for (const { answer, ms } of await Promise.all(both)) {
      expect([answer.status, answer.body.Status]).toEqual([200, "processing"]);
      expect(ms).toBeGreaterThan(shortHoldMs - 100);
      expect(ms).toBeLessThan(holdMs);
    }
    await impatient.close();
    await endAs(vended);
    await expect.poll(async () => (await buy(fields)).body.Status).toBe("successful");
  });

  test("holds no database connection: many wait, and others buy", async () => {
    const calls = supplier.calls.length;
    const say = answerLater(supplier);
    const many = Array.from({ length: 60 }, () => buy());
    await expect.poll(() => supplier.calls.length).toBeGreaterThanOrEqual(calls + 60);
    say(silent);
    await someoneWaits(60);
    const { rows } = await app.fresh.pool.query(
      `select count(*)::integer as busy from pg_stat_activity
        where datname = current_database() and application_name like 'dispense%' and state <> 'idle'`,
    );
    expect(rows[0].busy).toBeLessThan(3);
    const { testKey } = app.merchant;
    expect((await buy(topup(), app, testKey)).body.Status).toBe("successful");
    expect(await kept()).toBe(60); // all of them wait still
    await endAs(vended);
    for (const { body } of await Promise.all(many)) expect(body.Status).toBe("successful");
  });
});

describe("a supplier that takes its time", () => {
  test("is not waited for beyond the time: the answer is processing, and the end is owed as an event", async () => {
    const impatient = await holdingFor(shortHoldMs);
    const merchant = await app.createMerchant();
    const body = { url: "https://example.com/webhooks", enabled: true, events: ["*"] };
    await app.call(merchant.liveKey, "/webhook", { method: "PUT", body });
    const say = answerLater(supplier);
    const fields = topup();
    const { answer, ms } = await timed(buy(fields, impatient, merchant.liveKey ?? ""));
    expect([answer.status, answer.body.Status]).toEqual([200, "processing"]);
    expect(ms).toBeLessThan(holdMs);
    say(vended);
    const due =
      "select count(*)::integer as owed from webhook_deliveries where reference = $1 and event = 'transaction.successful'";
    const count = async () => (await app.fresh.pool.query(due, [fields.ident])).rows[0].owed;
    await expect.poll(count).toBe(1);
    await impatient.close();
  });

  test("that answers in time is told by the answer alone", async () => {
    const merchant = await app.createMerchant();
    const body = { url: "https://example.com/webhooks", enabled: true, events: ["*"] };
    await app.call(merchant.liveKey, "/webhook", { method: "PUT", body });
    supplier.answer = delay(300).then(() => vended);
    const fields = topup();
    expect((await buy(fields, app, merchant.liveKey ?? "")).body.Status).toBe("successful");
    const { rows } = await app.fresh.pool.query("select 1 from webhook_deliveries where reference = $1", [
      fields.ident,
    ]);
    expect(rows).toEqual([]);
  });
});

test("the sandbox does not wait", async () => {
  const { answer, ms } = await timed(buy({ ...topup(), mobile_number: "08031230003" }, app, app.merchant.testKey));
  expect([answer.status, answer.body.Status]).toEqual([200, "processing"]);
  expect(ms).toBeLessThan(holdMs);
});

test("nobody waits where the operator set 0", async () => {
  const alone = await holdingFor(0);
  const { answer, ms } = await timed(buy(topup(), alone));
  await alone.close();
  expect(answer.body.Status).toBe("processing");
  expect(ms).toBeLessThan(holdMs);
});

/** On a connection of its own, that ends with the answer. */
function rawTopup() {
  const body = JSON.stringify(topup());
  const headers = ["Host: x", "Connection: close", "Content-Type: application/json", `Content-Length: ${body.length}`];
  return { head: ["POST /api/topup/ HTTP/1.1", `Authorization: Token ${key}`, ...headers], body };
}

test("who hangs up gives the place free", async () => {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  const { head, body } = rawTopup();
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  await someoneWaits();
  socket.destroy();
  await someoneWaits(0);
});

test("a service that stops answers at once, also who waits for a supplier's answer", async () => {
  const calls = supplier.calls.length;
  const stopping = await holdingFor(20_000);
  const waiting = sendRaw(stopping.url, rawTopup());
  await expect.poll(() => supplier.calls.length).toBe(calls + 1);
  await delay(500);
  supplier.answer = delay(4_000).then(() => vended);
  const asking = sendRaw(stopping.url, rawTopup());
  await expect.poll(() => supplier.calls.length).toBe(calls + 2);
  const began = performance.now();
  const closing = stopping.close();
  for (const answer of await Promise.all([waiting, asking])) {
    expect([answer?.status, answer?.body.Status]).toEqual([200, "processing"]);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
  await closing;
});
