import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKey } from "../../src/domain/merchants/api-keys.ts";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, clock, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { answerLater, openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { sampleOf, samplePurchases } from "../support/sample-purchases.ts";
import { expectProblem, expectPurchase } from "../support/wire-expectations.ts";

const supplier = openFakeSupplier();
let references = 0;

const app = closing(await startApp({ suppliers: [supplier] }));
const key = (await app.createMerchant({ testCredit: kobo(100_000_000n) })).testKey;

function newReference(): string {
  references += 1;
  return `replay-${references}`;
}

const airtime = sampleOf("airtime");

function buyAirtime(reference: string, changes: object = {}, as = key): Promise<Answer> {
  return app.call(as, airtime.path, { body: { reference, ...airtime.body, ...changes } });
}

const balanceOf = async (as = key): Promise<string> => (await app.call(as, "/wallet/balance")).body.balance;

/** `again` answers what `first` answered, as a replay, and costs nothing. */
async function expectReplay(first: () => Promise<Answer>, again: () => Promise<Answer>, as = key): Promise<void> {
  const original = await first();
  const before = await balanceOf(as);
  const replayed = await again();
  const { category, status } = original.body;
  expectPurchase(replayed, category, { status, replayed: true });
  expect(replayed.body).toEqual(original.body);
  expect(await balanceOf(as)).toBe(before);
}

describe("the same purchase in another spelling", () => {
  test.each([
    ["0803… as +234 803…", { phone: "08031234567" }, { phone: "+234 803-123-4567" }],
    ["234803… as 0803 …", { phone: "2348031234567" }, { phone: "0803 123 4567" }],
    ['100 as "100.00"', { amount: 100 }, { amount: "100.00" }],
    ['"100.5" as 100.50', { amount: "100.5" }, { amount: 100.5 }],
    ["MTN as mtn", { network: "MTN" }, { network: "mtn" }],
    ["9MOBILE as T2", { network: "9MOBILE" }, { network: "T2" }],
    ["2001 as text", { network: undefined, product_id: 2001 }, { network: undefined, product_id: "2001" }],
    ["2001 as 2001.0", { network: undefined, product_id: 2001 }, { network: undefined, product_id: 2001.0 }],
    ["the same fields in another order", { phone: "08031234567", amount: 100 }, { amount: 100, phone: "08031234567" }],
  ])("%s is the same purchase", async (_name, sent, again) => {
    const reference = newReference();
    await expectReplay(
      () => buyAirtime(reference, sent),
      () => buyAirtime(reference, again),
    );
  });
});

describe("fields that are not compared", () => {
  test.each([
    ["metadata", { metadata: { order: 1 } }, { metadata: { order: 2 } }],
    ["metadata that is new", {}, { metadata: { order: 2 } }],
    ["metadata that is empty", { metadata: {} }, {}],
    ["expected_price, be it wrong by now", {}, { expected_price: "1.00" }],
    ["ported", { ported: true }, {}],
    ["fields that nobody knows", { colour: "green" }, { colour: "blue" }],
  ])("%s may differ in a replay", async (_name, sent, again) => {
    const reference = newReference();
    await expectReplay(
      () => buyAirtime(reference, sent),
      () => buyAirtime(reference, again),
    );
  });

  test.each([
    ["electricity", { phone: "08031234567" }, { phone: "08059999999" }],
    ["electricity", {}, { verification_id: "ver_expired" }],
    ["cable", {}, { verification_id: "ver_expired" }],
    ["internet", {}, { verification_id: "ver_expired" }],
    ["cable", { phone: "08031234567" }, { phone: "08059999999" }],
    ["giftcard", { recipient_email: "a@example.ng" }, { recipient_email: "b@example.ng" }],
    ["recharge_pin", { business_name: "One" }, { business_name: "Two" }],
  ] as const)("%s: %j against %j", async (category, sent, again) => {
    const { path, body } = sampleOf(category);
    const reference = newReference();
    await expectReplay(
      () => app.call(key, path, { body: { reference, ...body, ...sent } }),
      () => app.call(key, path, { body: { reference, ...body, ...again } }),
    );
  });
});

describe("a different purchase", () => {
  test.each([
    ["amount", { amount: "100.01" }],
    ["number", { phone: "08031234568" }],
    ["network", { network: "GLO" }],
    ["product", { network: undefined, product_id: 2001 }],
    ["product that never was", { network: undefined, product_id: 999_999 }],
  ])("of another %s is a conflict, and costs nothing", async (_name, changes) => {
    const reference = newReference();
    await buyAirtime(reference);
    const before = await balanceOf();
    const conflict = await buyAirtime(reference, changes);
    expectProblem(conflict, 409, "REFERENCE_CONFLICT", { meta: { reference } });
    expect(await balanceOf()).toBe(before);
    expectPurchase(await buyAirtime(reference), "airtime", { status: "successful", replayed: true });
  });

  test("of another category is a conflict, whichever came first", async () => {
    for (const [index, first] of samplePurchases.entries()) {
      const second = samplePurchases[(index + 1) % samplePurchases.length] ?? first;
      const reference = newReference();
      const bought = await app.call(key, first.path, { body: { reference, ...first.body } });
      expectPurchase(bought, first.category, { status: "successful" });
      const conflict = await app.call(key, second.path, { body: { reference, ...second.body } });
      expectProblem(conflict, 409, "REFERENCE_CONFLICT", { meta: { reference } });
      expect(await balanceOf()).toBe(bought.body.balance_after);
    }
  });

  test("a failed or pending purchase keeps its reference as well", async () => {
    for (const suffix of ["0002", "0003"]) {
      const reference = newReference();
      await buyAirtime(reference, airtime.numbered(suffix));
      expectProblem(await buyAirtime(reference), 409, "REFERENCE_CONFLICT", { meta: { reference } });
    }
  });

  test("references differ by case, and by nothing less", async () => {
    const reference = newReference();
    expectPurchase(await buyAirtime(reference), "airtime", { status: "successful" });
    expectPurchase(await buyAirtime(reference.toUpperCase()), "airtime", { status: "successful" });
  });
});

test("a replay with another key of the merchant and mode is one as well", async () => {
  const { id, testKey } = await app.createMerchant();
  const services = { database: app.services.database, clock, randomness: randomBytes };
  const second = await createKey(services, { merchantId: id, mode: "test", label: "Second", createdBy: "test" });
  await expectReplay(
    () => buyAirtime("two-keys", {}, testKey),
    () => buyAirtime("two-keys", {}, second.text),
    testKey,
  );
});

test("live and sandbox know nothing of each other's references", async () => {
  const { liveKey, testKey } = app.merchant;
  supplier.answer = vended;
  const inTest = await buyAirtime("both-modes", {}, testKey);
  expectPurchase(inTest, "airtime", { status: "successful" });
  const inLive = await buyAirtime("both-modes", { amount: 500 }, liveKey ?? "");
  expectPurchase(inLive, "airtime", { status: "successful", mode: "live" });
  expect((await buyAirtime("both-modes", {}, testKey)).body).toEqual(inTest.body);
  expect((await buyAirtime("both-modes", { amount: 500 }, liveKey ?? "")).body).toEqual(inLive.body);
});

test("while the first request is still in flight, a replay is pending, and a different purchase a conflict", async () => {
  const liveKey = app.merchant.liveKey ?? "";
  const resolve = answerLater(supplier);
  const calls = supplier.calls.length;
  const first = buyAirtime("in-flight", {}, liveKey);
  await expect.poll(() => supplier.calls.length).toBe(calls + 1);

  const meanwhile = await buyAirtime("in-flight", {}, liveKey);
  expectPurchase(meanwhile, "airtime", { status: "pending", mode: "live", replayed: true });
  expectProblem(await buyAirtime("in-flight", { amount: 200 }, liveKey), 409, "REFERENCE_CONFLICT", {
    meta: { reference: "in-flight" },
  });
  expect(await balanceOf(liveKey)).toBe(meanwhile.body.balance_after);

  resolve(vended);
  expectPurchase(await first, "airtime", { status: "successful", mode: "live" });
  const afterwards = await buyAirtime("in-flight", {}, liveKey);
  expectPurchase(afterwards, "airtime", { status: "successful", mode: "live", replayed: true });
  expect(afterwards.body).toEqual((await first).body);
  expect(afterwards.body.transaction_id).toBe(meanwhile.body.transaction_id);
  expect(supplier.calls).toHaveLength(calls + 1);
});
