import { describe, expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";

const app = await sharedApp();

describe("200", () => {
  test("the sandbox key opens the sandbox wallet, which says so", async () => {
    const answer = await app.call(app.merchant.testKey, "/wallet/balance");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      balance: "100000.00",
      currency: "NGN",
      low_balance_threshold: null,
      updated_at: expect.stringMatching(lagosInstant),
      sandbox: true,
    });
  });

  test("the live key opens the live wallet, and says nothing of a sandbox", async () => {
    const answer = await app.call(app.merchant.liveKey, "/wallet/balance?sandbox=true");
    expect(answer.body).toEqual({
      balance: "1000000.00",
      currency: "NGN",
      low_balance_threshold: null,
      updated_at: expect.stringMatching(lagosInstant),
    });
  });

  test("a purchase is felt at once, in its own mode alone", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const body = { product_id: 1002, phone: "08031234567", reference: "r" };
    await app.call(testKey, "/data/purchase", { body });
    expect((await app.call(testKey, "/wallet/balance")).body.balance).toBe("99360.00");
    expect((await app.call(liveKey, "/wallet/balance")).body.balance).toBe("1000000.00");
  });

  test("an empty wallet holds 0.00, and a threshold is an amount", async () => {
    const { id, liveKey } = await app.createMerchant({ credit: null });
    await app.fresh.pool.query("update wallets set low_balance_threshold = 50050 where abs(wallet_id) = $1", [id]);
    const { body } = await app.call(liveKey, "/wallet/balance");
    expect(body).toMatchObject({ balance: "0.00", low_balance_threshold: "500.50" });
  });

  test.each(["Bearer", "bearer", "BEARER", "Token", "token"])("Authorization: %s opens the door", async (scheme) => {
    const headers = { authorization: `${scheme} ${app.merchant.testKey}` };
    expect((await app.call(null, "/wallet/balance", { headers })).status).toBe(200);
  });

  test("X-API-Key opens the door, and the same key twice is one key", async () => {
    const headers = { "x-api-key": app.merchant.testKey };
    expect((await app.call(null, "/wallet/balance", { headers })).status).toBe(200);
    expect((await app.call(app.merchant.testKey, "/wallet/balance", { headers })).status).toBe(200);
  });

  test("the client's own X-Request-Id is answered, one that is unfit replaced", async () => {
    const idOf = async (id: string) => {
      const answer = await app.call(app.merchant.testKey, "/wallet/balance", { headers: { "x-request-id": id } });
      return answer.headers.get("x-request-id");
    };
    expect(await idOf("order-7.retry_2")).toBe("order-7.retry_2");
    for (const unfit of ["a b", "x".repeat(65), "<script>"]) expect(await idOf(unfit)).toMatch(/^req_/);
  });
});

describe("401 two keys", () => {
  test("that differ are nobody's, and have no mode", async () => {
    const headers = { "x-api-key": app.merchant.liveKey ?? "" };
    const answer = await app.call(app.merchant.testKey, "/wallet/balance", { headers });
    expectProblem(answer, 401, "UNAUTHORIZED");
  });
});

describe("404", () => {
  test.each(["/wallet", "/wallet/Balance", "/wallet/balance/history"])("there is nothing at %s", async (path) => {
    const answer = await app.call(app.merchant.testKey, path);
    expectProblem(answer, 404, "NOT_FOUND");
    expectProblem(await app.call(null, path), 401, "UNAUTHORIZED");
  });
});

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
