import { describe, expect, test } from "vitest";
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
