import { describe, expect, test } from "vitest";
import { setDuplicateGuard } from "../../src/domain/merchants/administration.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, clock, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import type { Fields } from "../support/legacy-endpoint.ts";
import { expectLegacyError, postLegacy } from "../support/legacy-endpoint.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { expectProblem, expectPurchase } from "../support/wire-expectations.ts";

const phone = "08031234567";
const body = { network: "MTN", phone, amount: "1000.00" };

const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));

/** A merchant whose guard is on before its keys are first used. */
async function guarded(seconds: number | null = 60): Promise<RegisteredMerchant> {
  const merchant = await app.createMerchant();
  await setDuplicateGuard({ database: app.services.database, clock }, merchant.id, seconds);
  return merchant;
}

const buy = (key: string | null, reference: string, changes: object = {}) =>
  app.call(key, "/airtime/purchase", { body: { reference, ...body, ...changes } });

const balance = async (key: string) => (await app.call(key, "/wallet/balance")).body.balance;

/** The places that a merchant's purchases hold, under which reference and until when. */
const takenPlaces =
  "select fingerprint, reference, guarded_until from guarded_purchases where abs(wallet_id) = $1 order by 1";
const places = async (id: number) => {
  const { rows } = await app.fresh.pool.query(takenPlaces, [id]);
  return rows;
};

/** The same purchase, as older clients ask for it. */
const topup = (key: string, changes: Fields = {}) =>
  postLegacy(app, key, "/api/topup/", { network: 1, amount: 1000, mobile_number: phone, ...changes });

const expectRefusedTopup = (answer: Answer) =>
  expectLegacyError(answer, 400, [
    "Duplicate transaction. The same was bought for the same customer a moment ago, under another reference.",
  ]);

/** What differs beside product, number and amount, and is another purchase. */
const reply = [
  ["another text to the same number", "sms", { message: "Code 111" }, { message: "Code 222" }],
  [
    "a text to other recipients, of whom the first is the same,",
    "sms",
    { recipients: [phone, "08051234567"] },
    { recipients: [phone, "08061234567"] },
  ],
  ["a text of another sender", "sms", { sender_id: "ADA" }, { sender_id: "BOLA" }],
  [
    "a gift card for another e-mail address",
    "giftcard",
    { recipient_email: "ada@example.ng" },
    { recipient_email: "bola@example.ng" },
  ],
  ["an eSIM for another e-mail address", "esim", { email: "ada@example.ng" }, { email: "bola@example.ng" }],
  ["a PIN for another candidate", "education", { profile_code: "1234567890" }, { profile_code: "1234567891" }],
  [
    "one card of ten where two of five were bought",
    "giftcard",
    { product_id: 11010, amount: "5.00", quantity: 2 },
    { product_id: 11010, amount: "10.00", quantity: 1 },
  ],
] as const;

describe("with the guard", () => {
  test("the same under another reference is refused, charges nothing and leaves that reference free", async () => {
    const { id, testKey } = await guarded();
    expectPurchase(await buy(testKey, "first"), "airtime", { status: "successful" });
    const meta = { original_reference: "first" };
    expectProblem(await buy(testKey, "second"), 409, "DUPLICATE_TRANSACTION", { meta });
    const spelled = { network: undefined, product_id: 2001, phone: "+234 803 123 4567", amount: 1000 };
    expectProblem(await buy(testKey, "second", spelled), 409, "DUPLICATE_TRANSACTION", { meta });
    expect(await balance(testKey)).toBe("99032.00");
    expectProblem(await app.call(testKey, "/transactions/second"), 404, "TRANSACTION_NOT_FOUND");

    await app.fresh.pool.query("update guarded_purchases set guarded_until = now() where abs(wallet_id) = $1", [id]);
    expectPurchase(await buy(testKey, "second"), "airtime", { status: "successful" });
    const next = { meta: { original_reference: "second" } };
    expectProblem(await buy(testKey, "third"), 409, "DUPLICATE_TRANSACTION", next);
  });

  test("a replay is one first of all, also of a reference whose window is over", async () => {
    const { id, testKey } = await guarded();
    const first = await buy(testKey, "first");
    expect((await buy(testKey, "first")).body).toEqual(first.body);
    await app.fresh.pool.query("update guarded_purchases set guarded_until = now() where abs(wallet_id) = $1", [id]);
    await buy(testKey, "second");
    const again = await buy(testKey, "first");
    expectPurchase(again, "airtime", { status: "successful", replayed: true });
    expect(again.body).toEqual(first.body);
    expectProblem(await buy(testKey, "first", { phone: "08061234567" }), 409, "REFERENCE_CONFLICT", {
      meta: { reference: "first" },
    });
    expect(await balance(testKey)).toBe("98064.00");
  });

  test("a replay after the window takes no place: the same under a new reference is bought", async () => {
    const { id, testKey } = await guarded();
    await buy(testKey, "first");
    await buy(testKey, "failed", { phone: "08031230002" });
    await app.fresh.pool.query("update guarded_purchases set guarded_until = now() where abs(wallet_id) = $1", [id]);
    const before = await places(id);
    expectPurchase(await buy(testKey, "first"), "airtime", { status: "successful", replayed: true });
    expectPurchase(await buy(testKey, "failed", { phone: "08031230002" }), "airtime", {
      status: "failed",
      replayed: true,
    });
    expect((await buy(testKey, "first", { amount: "999.00" })).body.code).toBe("REFERENCE_CONFLICT");
    expect(await places(id)).toEqual(before);
    for (const changes of [{}, { amount: "999.00" }]) {
      expectPurchase(await buy(testKey, `second-${Object.keys(changes)}`, changes), "airtime", {
        status: "successful",
      });
    }
  });

  test.each([
    ["customer", { phone: "08061234567" }],
    ["amount", { amount: "1000.01" }],
    ["product", { network: "GLO" }],
  ])("another %s is another purchase", async (_name, changes) => {
    const { testKey } = await guarded();
    await buy(testKey, "first");
    expectPurchase(await buy(testKey, "second", changes), "airtime", { status: "successful" });
  });

  test.each(reply)("%s is another purchase, and guarded as one", async (_name, category, first, second) => {
    const { testKey } = await guarded();
    const { path, body: usual } = sampleOf(category);
    const send = (reference: string, changes: object) =>
      app.call(testKey, path, { body: { reference, ...usual, ...changes } });
    for (const [name, changes] of Object.entries({ first, second })) {
      expectPurchase(await send(name, changes), category, { status: "successful" });
      const meta = { original_reference: name };
      expectProblem(await send(`${name}-again`, changes), 409, "DUPLICATE_TRANSACTION", { meta });
    }
  });

  test("what is told beside customer and goods is no other purchase: contacts, the name on a card, a spelling", async () => {
    const { testKey } = await guarded();
    const same = [
      ["/giftcard/purchase", { product_id: 11010, amount: "5.00", phone }, { amount: 5, recipient_phone: phone }],
      ["/recharge-pin/purchase", { product_id: 10001, quantity: 1 }, { business_name: "Ada's" }],
      ["/education/purchase", { product_id: 5001, phone }, { quantity: "1" }],
    ] as const;
    for (const [path, usual, changes] of same) {
      const send = (reference: string, also: object) =>
        app.call(testKey, path, { body: { reference, ...usual, ...also } });
      expect((await send(path.slice(1, 5), {})).status).toBe(201);
      expect((await send("other", changes)).body.code).toBe("DUPLICATE_TRANSACTION");
    }
  });

  test("the other mode is another wallet, and another merchant another customer of ours", async () => {
    const [one, other] = [await guarded(), await guarded()];
    for (const key of [one.testKey, one.liveKey, other.testKey]) expect((await buy(key, "first")).status).toBe(201);
    for (const key of [one.testKey, one.liveKey, other.testKey]) expect((await buy(key, "again")).status).toBe(409);
  });

  test("what failed in its own answer, or was never charged, may be tried again", async () => {
    const { testKey } = await guarded();
    const failing = { phone: "08031230002" };
    for (const name of ["one", "two"]) expect((await buy(testKey, name, failing)).status).toBe(422);
    const dear = { phone: "08031111111", amount: "50000.00" };
    expect((await buy(testKey, "spend", { phone: "08032222222", amount: "50000.00" })).status).toBe(201);
    expect((await buy(testKey, "spend-more", { phone: "08033333333", amount: "50000.00" })).status).toBe(201);
    for (const name of ["three", "four"])
      expect((await buy(testKey, name, dear)).body.code).toBe("INSUFFICIENT_BALANCE");
  });

  test("what is pending is not bought again", async () => {
    const { testKey } = await guarded();
    expect((await buy(testKey, "first", { phone: "08031230003" })).status).toBe(202);
    const meta = { original_reference: "first" };
    expectProblem(await buy(testKey, "second", { phone: "08031230003" }), 409, "DUPLICATE_TRANSACTION", { meta });
  });

  test("of twenty at one time one is bought", async () => {
    const { testKey } = await guarded();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => buy(testKey, `crowd-${index}`)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
    expect(await balance(testKey)).toBe("99032.00");
  });

  test("the legacy endpoints say so in their own form", async () => {
    const { testKey } = await guarded();
    expect((await topup(testKey, { ident: "first" })).status).toBe(200);
    expectRefusedTopup(await topup(testKey, { ident: "second" }));
  });

  test("a legacy request without an ident is guarded too, also once its own 30 seconds are over", async () => {
    const { testKey } = await guarded();
    await buy(testKey, "first");
    expectRefusedTopup(await topup(testKey));
    await app.fresh.pool.query("delete from guarded_purchases where reference like 'legacy-%'");
    expectRefusedTopup(await topup(testKey));
    expect(await balance(testKey)).toBe("99032.00");
    expect((await topup(testKey, { amount: 100 })).status).toBe(200);
    expect((await buy(testKey, "second", { amount: "100.00" })).body.code).toBe("DUPLICATE_TRANSACTION");
  });
});

test("without the guard the same is bought as often as it has references", async () => {
  const { testKey } = await app.createMerchant({ testCredit: kobo(1_000_000n) });
  for (const name of ["first", "second"]) expect((await buy(testKey, name)).status).toBe(201);
  const off = await guarded(null);
  for (const name of ["first", "second"]) expect((await buy(off.testKey, name)).status).toBe(201);
});

test("a window of four seconds, or of more than a day, is none", async () => {
  for (const seconds of [4, 86_401]) await expect(guarded(seconds)).rejects.toThrow("5 to 86400");
});
