import { expect, test } from "vitest";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { declined, openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { expectProblem } from "../support/wire-expectations.ts";

// Tier 1 may spend 50,000.00 a transaction and 200,000.00 a day. Two services share the database.

const supplier = openFakeSupplier();
const dayLimit = 200_000;
let references = 0;

const first = closing(await startApp({ suppliers: [supplier] }));
const apps = [first, closing(await startApp({ suppliers: [supplier], database: first.fresh }))] as const;

function buy(key: string, amount: number, app = apps[0]): Promise<Answer> {
  references += 1;
  const body = { reference: `limit-${references}`, network: "MTN", phone: "08031234567", amount };
  return app.call(key, "/airtime/purchase", { body });
}

async function newKey(): Promise<string> {
  return (await apps[0].createMerchant()).liveKey ?? "";
}

function spentBy(answers: readonly Answer[]): number {
  return answers.reduce((sum, { body }) => sum + Number(body.total_deducted ?? 0), 0);
}

test("forty purchases at once over two services never spend more than the day's limit, and no less than fits", async () => {
  supplier.answer = vended;
  const key = await newKey();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => buy(key, 10_000, apps[i % 2 === 0 ? 0 : 1])));
  const bought = answers.filter(({ status }) => status === 201);
  const each = Number(bought[0]?.body.total_deducted);
  expect(spentBy(bought)).toBeLessThanOrEqual(dayLimit);
  expect(spentBy(bought) + each).toBeGreaterThan(dayLimit);
  const others = answers.filter(({ status }) => status !== 201);
  for (const other of others) {
    expectProblem(other, 403, "DAILY_LIMIT_EXCEEDED", { meta: expect.objectContaining({ limit: "200000.00" }) });
  }
});

test("a refund gives the day's allowance back; a purchase that is pending does not", async () => {
  supplier.answer = silent;
  const key = await newKey();
  const pending = await buy(key, 10_000);
  expect(pending.status).toBe(202);
  supplier.answer = vended;
  const fill = await Promise.all(Array.from({ length: 20 }, () => buy(key, 10_000)));
  expect(fill.some(({ status }) => status === 403)).toBe(true);
  expectProblem(await buy(key, 10_000), 403, "DAILY_LIMIT_EXCEEDED", { meta: expect.anything() });

  supplier.answer = declined;
  await apps[0].services.requery("told", `${pending.body.transaction_id}-1`, {
    source: "test",
    providerReference: null,
  });
  expect((await apps[0].call(key, `/transactions/${pending.body.reference}`)).body.refunded).toBe(true);
  supplier.answer = vended;
  expect((await buy(key, 10_000)).status).toBe(201);
  expectProblem(await buy(key, 10_000), 403, "DAILY_LIMIT_EXCEEDED", { meta: expect.anything() });
});

test("a purchase that fails in its own request takes nothing from the day", async () => {
  const key = await newKey();
  supplier.answer = declined;
  for (let i = 0; i < 25; i++) expect((await buy(key, 10_000)).status).toBe(422);
  supplier.answer = vended;
  expect((await buy(key, 10_000)).status).toBe(201);
});

test("two processes that see midnight three seconds apart do not begin the day anew in turns", async () => {
  supplier.answer = vended;
  const midnight = Date.parse("2026-11-24T00:00:00+01:00");
  let now = midnight - 2_000;
  const before = await startApp({ suppliers: [supplier], clock: { now: () => now++ } });
  const after = await startApp({ suppliers: [supplier], database: before.fresh, clock: { now: () => now++ + 3_000 } });
  const key = before.merchant.liveKey ?? "";
  const answers: Answer[] = [];
  for (let i = 0; i < 20; i++) answers.push(await buy(key, 40_000, i % 2 === 0 ? after : before));
  expect(spentBy(answers)).toBeLessThanOrEqual(dayLimit);
  expectProblem(answers.at(-1) as Answer, 403, "DAILY_LIMIT_EXCEEDED", { meta: expect.anything() });
  expectProblem(answers.at(-2) as Answer, 403, "DAILY_LIMIT_EXCEEDED", { meta: expect.anything() });
  now = midnight + 86_400_000;
  expect((await buy(key, 40_000, before)).status).toBe(201);
  await after.close();
  await before.close();
});

test("a refund gives back to the day on which its purchase counted, whichever day the settling process has", async () => {
  const midnight = Date.parse("2026-11-24T00:00:00+01:00");
  let nowMs = midnight - 2_000;
  const before = await startApp({ suppliers: [supplier], clock: { now: () => nowMs } });
  const after = await startApp({ suppliers: [supplier], database: before.fresh, clock: { now: () => nowMs + 3_000 } });
  const spent = async () =>
    (await before.fresh.pool.query("select day_spent::int from wallets where wallet_id > 0 and purchase_count > 0"))
      .rows;
  const key = before.merchant.liveKey ?? "";
  supplier.answer = silent;
  expect((await buy(key, 10_000, before)).status).toBe(202);
  supplier.answer = vended;
  // The next day has begun for one of them: what the other one sells now counts there, and so does its refund.
  expect((await buy(key, 20_000, after)).status).toBe(201);
  const ofTomorrow = await spent();
  supplier.answer = declined;
  expect((await buy(key, 40_000, before)).status).toBe(422);
  expect(await spent()).toEqual(ofTomorrow);
  // Yesterday's purchase fails, by the process that still has yesterday.
  const stop = before.services.startWorkers();
  await expect
    .poll(async () => {
      await before.fresh.pool.query("update inflight set due_at = now() where step = 'requery'");
      return (await before.fresh.pool.query("select 1 from inflight")).rows;
    })
    .toEqual([]);
  expect(await spent()).toEqual(ofTomorrow);
  nowMs = midnight;
  await stop();
  await after.close();
  await before.close();
});

test("neither limit touches the sandbox", async () => {
  const { testKey } = await apps[0].createMerchant({ testCredit: 100_000_000n as never });
  const answers = await Promise.all(Array.from({ length: 25 }, () => buy(testKey, 10_000)));
  expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(201));
});
