import { describe, expect, test } from "vitest";
import { creditMerchant } from "../../src/domain/members/new-merchants/create-merchants.ts";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { expectProblem, expectPurchase } from "../support/wire-expectations.ts";

const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
const halfAnHourMs = 30 * 60_000;

let references = 0;

const app = closing(await startApp({ clock }));
const merchant = await app.createMerchant({ testCredit: kobo(100_000_000n) });
/** Another process of the same deployment. */
const twin = closing(await startApp({ database: app.fresh, clock }));
/** Another deployment: its database has a secret of its own, which those of one test run share. */
const elsewhere = closing(await startApp());
await elsewhere.fresh.pool.query("update deployment_secrets set secret = sha256('of another deployment')");
const stranger = closing(await startApp({ database: elsewhere.fresh, clock }));

const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678" };
const account = { biller: "bet9ja", customer_id: "1042377" };
const electricity = { ...meter, amount: "5000.00", phone: "08031234567" };
const betting = { ...account, amount: "1500.00" };

async function verify(path: string, body: object, key = merchant.testKey, at = app): Promise<Answer["body"]> {
  const answer = await at.call(key, path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function verificationOf(body: object = meter, key = merchant.testKey): Promise<string> {
  return (await verify("/electricity/verify", body, key)).verification_id;
}

function buy(path: string, body: object, options: { key?: string; at?: TestApp; reference?: string } = {}) {
  references += 1;
  const { key = merchant.testKey, at = app, reference = `ref-${references}` } = options;
  return at.call(key, path, { body: { reference, ...body } });
}

const vend = (verificationId: string, changes: object = {}, options = {}) =>
  buy("/electricity/purchase", { ...electricity, ...changes, verification_id: verificationId }, options);

/** Runs at a later time. */
async function later<T>(milliseconds: number, act: () => Promise<T>): Promise<T> {
  clock.aheadMs += milliseconds;
  try {
    return await act();
  } finally {
    clock.aheadMs -= milliseconds;
  }
}

describe("a verified number is bought for", () => {
  test("a meter: the token's receipt names whom the verification named", async () => {
    const reply = await verify("/electricity/verify", meter);
    const bought = await vend(reply.verification_id);
    expectPurchase(bought, "electricity", { status: "successful" });
    expect(bought.body.delivery).toMatchObject({
      meter_number: reply.meter_number,
      customer_name: reply.customer_name,
      customer_address: reply.customer_address,
      tariff_band: reply.tariff_class,
    });
  });

  test("a betting account, by biller or by its product", async () => {
    const reply = await verify("/betting/verify", account);
    for (const selector of [{}, { biller: undefined, product_id: 6001 }]) {
      const bought = await buy("/betting/fund", { ...betting, ...selector, verification_id: reply.verification_id });
      expectPurchase(bought, "betting", { status: "successful" });
      expect(bought.body.delivery.customer_name).toBe(reply.customer_name);
    }
  });

  test("a smartcard: the renewal costs what its verification said", async () => {
    for (const biller of ["dstv", "gotv", "startimes"]) {
      const card = { biller, smartcard_number: "7032145678" };
      const { renewal_amount: amount, customer_name: name } = await verify("/cable/verify", card);
      const renewal = { ...card, subscription_type: "renew", amount, phone: "08031234567" };
      const bought = await buy("/cable/purchase", renewal);
      expectPurchase(bought, "cable", { status: "successful" });
      expect([bought.body.amount, bought.body.delivery.customer_name]).toEqual([amount, name]);
    }
  });

  test("a bouquet for a smartcard, and a bundle for an internet account", async () => {
    const card = { smartcard_number: "7032145678" };
    const { verification_id, customer_name } = await verify("/cable/verify", { biller: "dstv", ...card });
    const bouquet = { product_id: 4004, ...card, phone: "08031234567", verification_id };
    const bought = await buy("/cable/purchase", bouquet);
    expectPurchase(bought, "cable", { status: "successful" });
    expect(bought.body.delivery.customer_name).toBe(customer_name);
    const account = { account_number: "0702123456" };
    const { verification_id: ofAccount } = await verify("/internet/verify", { biller: "smile", ...account });
    const bundle = { product_id: 7008, ...account, verification_id: ofAccount };
    expectPurchase(await buy("/internet/purchase", bundle), "internet", { status: "successful" });
  });

  test("more than once, at any process of the deployment, up to its last minute", async () => {
    const id = await verificationOf();
    for (const at of [app, twin]) expect((await vend(id, {}, { at })).status).toBe(201);
    expect((await later(halfAnHourMs - 5_000, () => vend(id))).status).toBe(201);
  });

  test("a number ending in 0009 fails its verification alone", async () => {
    const number = { meter_number: "45012340009" };
    const refused = await app.call(merchant.testKey, "/electricity/verify", { body: { ...meter, ...number } });
    expectProblem(refused, 400, "VERIFICATION_FAILED");
    expect((await buy("/electricity/purchase", { ...electricity, ...number })).status).toBe(201);
  });
});

describe("a verification that does not hold", () => {
  async function expectRefused(send: (reference: string) => Promise<Answer>, key = merchant.testKey): Promise<void> {
    references += 1;
    const reference = `refused-${references}`;
    const before = (await app.call(key, "/wallet/balance")).body.balance;
    expectProblem(await send(reference), 400, "VERIFICATION_EXPIRED");
    expect((await app.call(key, "/wallet/balance")).body.balance).toBe(before);
    expectProblem(await app.call(key, `/transactions/${reference}`), 404, "TRANSACTION_NOT_FOUND");
  }

  test("after half an hour it buys nothing, and leaves the reference free", async () => {
    const id = await verificationOf();
    await later(halfAnHourMs + 1_000, () => expectRefused((reference) => vend(id, {}, { reference })));
    const again = await later(halfAnHourMs + 1_000, async () => vend(await verificationOf()));
    expectPurchase(again, "electricity", { status: "successful" });
  });

  test.each([
    ["another meter", { meter_number: "45012345679" }],
    ["another disco", { biller: "eko-electric" }],
  ])("it holds for %s no more than a made-up one", async (_what, change) => {
    const id = await verificationOf();
    await expectRefused((reference) => vend(id, change, { reference }));
    await expectRefused((reference) => vend("ver_made-up", {}, { reference }));
  });

  const card = { biller: "dstv", smartcard_number: "7032145678" };
  const user = { biller: "smile", account_number: "0702123456" };
  test.each([
    ["cable", card, "/cable/purchase", { ...card, product_id: 4004, phone: "08031234567" }],
    ["internet", user, "/internet/purchase", { ...user, product_id: 7008 }],
  ])("of %s: half an hour later, for another number, at another biller", async (name, reply, path, body) => {
    const { verification_id } = await verify(`/${name}/verify`, reply);
    const send = (change: object) => (reference: string) =>
      buy(path, { ...body, verification_id, ...change }, { reference });
    await expectRefused(send({ smartcard_number: "7032145679", account_number: "0702123457" }));
    await expectRefused(send({ biller: undefined, product_id: name === "cable" ? 4101 : 7101 }));
    await expectRefused(send({ verification_id: "ver_made-up" }));
    await later(halfAnHourMs + 1_000, () => expectRefused(send({})));
  });

  test("it holds in no other category, for no other merchant and in no other mode", async () => {
    const other = await app.createMerchant();
    const id = await verificationOf();
    await expectRefused((reference) => vend(id, {}, { reference, key: other.testKey }), other.testKey);
    await expectRefused((reference) => buy("/betting/fund", { ...betting, verification_id: id }, { reference }));
    // Live is refused for the verification before it is for want of a supplier.
    await expectRefused((reference) => vend(id, {}, { reference, key: merchant.liveKey }), merchant.liveKey!);
  });

  test("another deployment's merchant of the same number can't use it", async () => {
    // Both deployments count their merchants from one.
    expect(stranger.merchant.id).toBe(merchant.id);
    const { verification_id: id } = await verify("/electricity/verify", meter, stranger.merchant.testKey, stranger);
    await expectRefused((reference) => vend(id, {}, { reference }));
  });

  test("rules of the product come before it, the wallet after it", async () => {
    const little = await vend("ver_stale", { amount: "1.00" });
    expect(little.body.code).toBe("AMOUNT_OUT_OF_RANGE");
    const poor = await app.createMerchant();
    const amount = kobo(-9_999_999n);
    const { database } = app.services;
    await creditMerchant({ database }, { merchantId: poor.id, mode: "test", amount, reason: "test" });
    expect((await vend("ver_stale", {}, { key: poor.testKey })).body.code).toBe("VERIFICATION_EXPIRED");
    const verified = await verificationOf(meter, poor.testKey);
    expect((await vend(verified, {}, { key: poor.testKey })).body.code).toBe("INSUFFICIENT_BALANCE");
  });

  test("where a purchase takes no verification, it is a field like any unknown one", async () => {
    const body = { product_id: 1002, phone: "08031234567", verification_id: "ver_stale" };
    expectPurchase(await buy("/data/purchase", body), "data", { status: "successful" });
  });
});

describe("a replay", () => {
  test.each([
    ["successful", "5678"],
    ["failed", "0002"],
    ["pending", "0003"],
  ] as const)("of a %s purchase is answered after its verification has ended", async (status, suffix) => {
    const number = { meter_number: `4501234${suffix}` };
    const id = await verificationOf({ ...meter, ...number });
    const reference = `replayed-${suffix}`;
    const bought = await vend(id, number, { reference });
    expectPurchase(bought, "electricity", { status });
    for (const verification of [id, "ver_another", await verificationOf()]) {
      const again = await later(halfAnHourMs + 1_000, () => vend(verification, number, { reference }));
      expectPurchase(again, "electricity", { status, replayed: true });
      expect(again.body).toEqual(bought.body);
    }
  });

  test("of another purchase is a conflict, not a stale verification", async () => {
    const id = await verificationOf();
    await vend(id, {}, { reference: "conflicting" });
    const other = await later(halfAnHourMs + 1_000, () =>
      vend(id, { amount: "6000.00" }, { reference: "conflicting" }),
    );
    expectProblem(other, 409, "REFERENCE_CONFLICT", { meta: { reference: "conflicting" } });
  });
});
