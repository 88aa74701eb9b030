import { expect, test } from "vitest";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { sampleOf, samplePurchases } from "../support/sample-purchases.ts";
import { expectProblem, expectPurchase } from "../support/wire-expectations.ts";

let owner: RegisteredMerchant;
let other: RegisteredMerchant;

const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));
[owner, other] = [await app.createMerchant(), await app.createMerchant()];

test("another merchant's transactions are not found, by no name and in no list", async () => {
  const bought = await Promise.all(
    samplePurchases.map(async ({ category, path, body }) => {
      const answer = await app.call(owner.testKey, path, { body: { reference: category, ...body } });
      expectPurchase(answer, category, { status: "successful" });
      return answer.body;
    }),
  );
  for (const key of [other.testKey, other.liveKey, owner.liveKey]) {
    const names = bought.flatMap(({ reference, transaction_id }) => [reference, transaction_id]);
    const answers = await Promise.all(names.map((name) => app.call(key, `/transactions/${name}`)));
    for (const answer of answers) expectProblem(answer, 404, "TRANSACTION_NOT_FOUND");
  }
  const { body: own } = await app.call(owner.testKey, "/transactions");
  expect(own.meta.total).toBe(samplePurchases.length);
  const [{ transaction_id, reference }] = own.transactions;
  for (const query of ["", `?transaction_id=${transaction_id}`, `?reference=${reference}`, "?phone=08031234567"]) {
    const { body } = await app.call(other.testKey, `/transactions${query}`);
    expect([body.transactions, body.meta.total]).toEqual([[], 0]);
  }
  expect((await app.call(other.testKey, "/wallet/balance")).body.balance).toBe("100000.00");
});

test("two merchants may use one reference for different purchases, in both modes", async () => {
  const { path, body } = sampleOf("airtime");
  const keys = [owner.testKey, other.testKey, owner.liveKey, other.liveKey];
  const amounts = [100, 200, 300, 400];
  const bought: { transaction_id: string }[] = [];
  for (const [index, key] of keys.entries()) {
    const answer = await app.call(key, path, { body: { ...body, reference: "shared", amount: amounts[index] } });
    expectPurchase(answer, "airtime", { status: "successful", mode: index < 2 ? "test" : "live" });
    bought.push(answer.body);
  }
  expect(new Set(bought.map((purchase) => purchase.transaction_id)).size).toBe(4);
  for (const [index, key] of keys.entries()) {
    expect((await app.call(key, "/transactions/shared")).body).toMatchObject(bought[index] ?? {});
  }
});

test("a sandbox reset resets its own wallet alone", async () => {
  const before = (await app.call(other.testKey, "/wallet/balance")).body;
  await app.call(owner.testKey, "/sandbox/reset", { method: "POST" });
  expect((await app.call(other.testKey, "/wallet/balance")).body).toEqual(before);
});

test("a refusal tells nothing of another merchant's wallet", async () => {
  const { path, body } = sampleOf("airtime");
  const poor = await app.createMerchant({ credit: null });
  const answer = await app.call(poor.liveKey, path, { body: { reference: "poor", ...body } });
  expectProblem(answer, 402, "INSUFFICIENT_BALANCE", { meta: { required: "96.80", balance: "0.00" } });
});
