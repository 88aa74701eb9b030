import { describe, expect, test } from "vitest";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { sampleOf } from "../support/sample-purchases.ts";

const { path, body, numbered } = sampleOf("airtime");

/** Two processes of one deployment: the same database, and nothing else in common. */
const first = closing(await startApp());
const second = closing(await startApp({ database: first.fresh }));

function sendAtOnce(count: number, key: string, bodyOf: (index: number) => object): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const app = index % 2 === 0 ? first : second;
      return app.call(key, path, { body: { ...body, ...bodyOf(index) } });
    }),
  );
}

function countBy(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const balanceOf = async (key: string): Promise<string> => (await first.call(key, "/wallet/balance")).body.balance;

describe("100 concurrent sends of one reference", () => {
  test("charge once, and all get the same transaction", async () => {
    const { testKey } = await first.createMerchant();
    const answers = await sendAtOnce(100, testKey, () => ({ reference: "one" }));
    expect(countBy(answers)).toEqual({ 201: 100 });
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    const originals = answers.filter(({ headers }) => headers.get("idempotent-replayed") === null);
    expect(originals).toHaveLength(1);
    expect(await balanceOf(testKey)).toBe("99903.20");
    expect((await first.call(testKey, "/transactions")).body.meta.total).toBe(1);
  });

  test("of a purchase that stays pending: all are told so", async () => {
    const { testKey } = await first.createMerchant();
    const answers = await sendAtOnce(100, testKey, () => ({ reference: "one", ...numbered("0003") }));
    expect(countBy(answers)).toEqual({ 202: 100 });
    expect(new Set(answers.map((answer) => answer.body.transaction_id)).size).toBe(1);
    expect(await balanceOf(testKey)).toBe("99903.20");
  });

  test("of a purchase that fails: it is pending or failed, never charged twice, refunded once", async () => {
    const { testKey } = await first.createMerchant();
    const answers = await sendAtOnce(100, testKey, () => ({ reference: "one", ...numbered("0002") }));
    for (const { status } of answers) expect([202, 422]).toContain(status);
    expect(new Set(answers.map((answer) => answer.body.transaction_id)).size).toBe(1);
    expect(await balanceOf(testKey)).toBe("100000.00");
    expect((await first.call(testKey, "/transactions/one")).body.status).toBe("failed");
  });

  test("with different purchases: one of them is bought, the others conflict", async () => {
    const { testKey } = await first.createMerchant();
    const answers = await sendAtOnce(100, testKey, (index) => ({ reference: "one", amount: 100 + (index % 5) }));
    expect(countBy(answers)).toEqual({ 201: 20, 409: 80 });
    const bought = answers.filter(({ status }) => status === 201);
    expect(new Set(bought.map((answer) => answer.body.amount)).size).toBe(1);
    expect(await balanceOf(testKey)).toBe(bought[0]?.body.balance_after);
  });
});

describe("200 concurrent purchases worth more than the balance", () => {
  test("never overdraw, and leave no orphan", async () => {
    const { testKey } = await first.createMerchant();
    // ₦1,000 of airtime cost ₦968: a hundred and three fit into ₦100,000.
    const answers = await sendAtOnce(200, testKey, (index) => ({ reference: `r${index}`, amount: 1_000 }));
    expect(countBy(answers)).toEqual({ 201: 103, 402: 97 });
    expect(await balanceOf(testKey)).toBe("296.00");

    const refused = answers.filter(({ status }) => status === 402);
    for (const answer of refused) expect(answer.body.meta.required).toBe("968.00");
    const { transactions, meta } = (await first.call(testKey, "/transactions?per_page=100")).body;
    expect([transactions.length, meta.total]).toEqual([100, 103]);
    const requeries = await Promise.all(answers.map((_, index) => second.call(testKey, `/transactions/r${index}`)));
    expect(requeries.map(({ status }) => status)).toEqual(answers.map(({ status }) => (status === 201 ? 200 : 404)));

    // Each was charged on what the one before it left.
    const bought = answers.filter(({ status }) => status === 201).map((answer) => answer.body.balance_before);
    const steps = Array.from({ length: 103 }, (_, index) => (100_000 - 968 * index).toFixed(2));
    expect(new Set(bought)).toEqual(new Set(steps));
  });

  test("of different sizes: what is refused did not fit, and what fits is bought", async () => {
    const { testKey } = await first.createMerchant();
    const amountOf = (index: number) => (index % 4 === 0 ? 5_000 : 50);
    const answers = await sendAtOnce(200, testKey, (index) => ({ reference: `r${index}`, amount: amountOf(index) }));
    const total = answers.reduce((sum, { body: answer }) => sum + Number(answer.total_deducted ?? 0), 0);
    expect(total).toBeLessThanOrEqual(100_000);
    expect(await balanceOf(testKey)).toBe((100_000 - total).toFixed(2));
    for (const { status, body: answer } of answers) {
      if (status === 402) expect(Number(answer.meta.balance)).toBeLessThan(Number(answer.meta.required));
      else expect(status).toBe(201);
    }
  });

  test("some of which fail: their money is there for the others in the end", async () => {
    const { testKey } = await first.createMerchant();
    const answers = await sendAtOnce(100, testKey, (index) => ({
      reference: `r${index}`,
      amount: 1_000,
      ...(index % 2 === 0 ? numbered("0002") : {}),
    }));
    const { 201: successful = 0, 422: failed = 0, 402: refused = 0 } = countBy(answers);
    expect(successful + failed + refused).toBe(100);
    expect(await balanceOf(testKey)).toBe((100_000 - 968 * successful).toFixed(2));
  });
});
