import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";

const app = await sharedApp();

const reset = (key: string | null, body?: unknown) => app.call(key, "/sandbox/reset", { method: "POST", body });

async function resetsOf(merchantId: number): Promise<{ amount: string; balance_after: string }[]> {
  const { rows } = await app.fresh.pool.query(
    "select delta as amount, balance_after from ledger_entries where abs(wallet_id) = $1 and kind = 'sandbox_reset'",
    [merchantId],
  );
  return rows;
}

describe("200", () => {
  test("brings a spent wallet back with one adjustment, and keeps its transactions", async () => {
    const { id, testKey } = await app.createMerchant();
    const purchase = { product_id: 1002, phone: "08031234567", reference: "before" };
    await app.call(testKey, "/data/purchase", { body: purchase });
    const answer = await reset(testKey);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      balance: "100000.00",
      currency: "NGN",
      reset_at: expect.stringMatching(lagosInstant),
      sandbox: true,
    });
    expect((await app.call(testKey, "/wallet/balance")).body.balance).toBe("100000.00");
    expect((await app.call(testKey, "/transactions/before")).body).toMatchObject({ balance_after: "99360.00" });
    expect(await resetsOf(id)).toEqual([{ amount: "64000", balance_after: "10000000" }]);

    expect((await reset(testKey)).body.balance).toBe("100000.00");
    expect(await resetsOf(id)).toHaveLength(1);
  });

  test("takes away what lies above the starting balance", async () => {
    const { id, testKey } = await app.createMerchant({ testCredit: kobo(5_000n) });
    expect((await reset(testKey)).body.balance).toBe("100000.00");
    expect(await resetsOf(id)).toEqual([{ amount: "-5000", balance_after: "10000000" }]);
  });

  test("after it, the wallet pays again, and references stay used", async () => {
    const { testKey } = await app.createMerchant();
    const body = { product_id: 1002, phone: "08031234567", reference: "same" };
    const bought = await app.call(testKey, "/data/purchase", { body });
    await reset(testKey, {});
    const replayed = await app.call(testKey, "/data/purchase", { body });
    expect([replayed.body, replayed.headers.get("idempotent-replayed")]).toEqual([bought.body, "true"]);
    const next = await app.call(testKey, "/data/purchase", { body: { ...body, reference: "next" } });
    expect(next.body).toMatchObject({ balance_before: "100000.00", balance_after: "99360.00" });
  });

  test("resets and purchases at one time leave no gap in the entries", async () => {
    const { testKey } = await app.createMerchant();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const body = { product_id: 1002, phone: "08031234567", reference: `r${index}` };
        return index % 3 === 0 ? reset(testKey) : app.call(testKey, "/data/purchase", { body });
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
  });
});

test("403 a live key has no sandbox to reset", async () => {
  const answer = await reset(app.merchant.liveKey);
  expectProblem(answer, 403, "SANDBOX_ONLY");
  expect((await app.call(app.merchant.liveKey, "/wallet/balance")).body.balance).toBe("1000000.00");
});
