import { describe, expect, test } from "vitest";
import { creditMerchant } from "../../../src/domain/members/new-merchants/create-merchants.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { type Answer, startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import type { Fields } from "../../support/legacy-endpoint.ts";
import { expectLegacyError, postLegacy } from "../../support/legacy-endpoint.ts";

/** Two processes of one deployment: the same database, and nothing else in common. */
const first = closing(await startApp());
const second = closing(await startApp({ database: first.fresh }));

const data = { network: 1, mobile_number: "08031234567", plan: 2, Ported_number: true };
const topup = { network: 1, mobile_number: "08031234567", amount: 100, airtime_type: "VTU" };

const sendData = (key: string, changes: Fields = {}, app = first) =>
  postLegacy(app, key, "/api/data/", { ...data, ...changes });
const sendTopup = (key: string, changes: Fields = {}, app = first) =>
  postLegacy(app, key, "/api/topup/", { ...topup, ...changes });

const newKey = async () => (await first.createMerchant()).testKey;
const balanceOf = async (key: string): Promise<string> => (await first.call(key, "/wallet/balance")).body.balance;

function expectRepeated(answer: Answer): void {
  expectLegacyError(answer, 400, ["Duplicate transaction. The same was asked for less than 30 seconds ago."]);
}

function expectBought(answer: Answer): void {
  expect([answer.status, answer.body.Status]).toEqual([200, "successful"]);
}

/** Lets the time pass that the guard counts by the database's clock. */
const pass = (seconds: number) =>
  first.fresh.pool.query("update guarded_purchases set guarded_until = guarded_until - make_interval(secs => $1)", [
    seconds,
  ]);

describe("without an ident", () => {
  test("a reference is made, which the merchant API knows", async () => {
    const key = await newKey();
    const { body } = await sendData(key);
    expect(body.ident).toMatch(/^legacy-[0-9a-f-]{36}$/);
    expect((await first.call(key, `/transactions/${body.ident}`)).body).toMatchObject({ channel: "legacy" });
  });

  test.each([
    ["data", sendData, { plan: "1002", network: "1", Ported_number: "True", pin: "x" }, "99360.00"],
    ["airtime", sendTopup, { amount: "100.00", airtime_type: "vtu", mobile_number: "+2348031234567" }, "99903.20"],
  ] as const)("the same %s again is refused, in any spelling and process, and costs nothing", async (...row) => {
    const [, send, respelled, balance] = row;
    const key = await newKey();
    expectBought(await send(key));
    for (const app of [first, second]) {
      expectRepeated(await send(key, {}, app));
      expectRepeated(await send(key, respelled, app));
      expectRepeated(await send(key, { ident: "" }, app));
    }
    expect(await balanceOf(key)).toBe(balance);
    expect((await first.call(key, "/transactions")).body.meta.total).toBe(1);
  });

  test.each([
    ["another number", { mobile_number: "08031234568" }],
    ["another plan", { plan: 3 }],
    ["an ident", { ident: "one" }],
  ])("with %s it is another purchase", async (_name, change) => {
    const key = await newKey();
    expectBought(await sendData(key));
    expectBought(await sendData(key, change));
  });

  test("with another network it is no repetition: the network is what is wrong", async () => {
    const key = await newKey();
    expectBought(await sendData(key));
    const text = 'network: Does not fit the product 1002, "MTN 1GB SME (30 days)".';
    expectLegacyError(await sendData(key, { network: 2 }), 400, [text]);
    expectRepeated(await sendData(key));
  });

  test("an ident is no request without one: the same without it is still new", async () => {
    const key = await newKey();
    expectBought(await sendData(key, { ident: "one" }));
    expectBought(await sendData(key));
    expectRepeated(await sendData(key));
  });

  test("another merchant, the other category and another amount are none of it", async () => {
    const [one, other] = [await newKey(), await newKey()];
    for (const key of [one, other]) {
      expectBought(await sendData(key));
      expectBought(await sendTopup(key));
      expectBought(await sendTopup(key, { amount: 101 }));
    }
  });

  test("a failed one and one that is under way are held as well", async () => {
    const key = await newKey();
    for (const [mobile_number, status] of [
      ["08031230002", 400],
      ["08031230003", 200],
    ] as const) {
      expect((await sendData(key, { mobile_number })).status).toBe(status);
      expectRepeated(await sendData(key, { mobile_number }));
    }
  });
});

describe("after 30 seconds", () => {
  test("it buys again, once", async () => {
    const key = await newKey();
    expectBought(await sendData(key));
    await pass(20);
    expectRepeated(await sendData(key));
    await pass(10);
    expectBought(await sendData(key, {}, second));
    expectRepeated(await sendData(key));
    expect(await balanceOf(key)).toBe("98720.00");
  });

  test("a refused repetition does not begin them anew", async () => {
    const key = await newKey();
    expectBought(await sendData(key));
    await pass(20);
    expectRepeated(await sendData(key));
    await pass(10);
    expectBought(await sendData(key));
  });
});

describe("at one time", () => {
  test("of 60 equal requests to two processes exactly one buys", async () => {
    const key = await newKey();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => sendData(key, {}, index % 2 === 0 ? first : second)),
    );
    const bought = answers.filter(({ status }) => status === 200);
    expect(bought).toHaveLength(1);
    for (const answer of answers) if (answer !== bought[0]) expectRepeated(answer);
    expect(await balanceOf(key)).toBe("99360.00");
  });

  test("when the last one has aged, again exactly one of many takes its place", async () => {
    const key = await newKey();
    expectBought(await sendData(key));
    await pass(30);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => sendData(key, {}, index % 2 === 0 ? first : second)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balanceOf(key)).toBe("98720.00");
  });

  test("200 different ones to two processes all buy, whatever their order", async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, newKey));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        sendTopup(keys[index % 4] ?? "", { amount: 100 + index }, index % 3 === 0 ? first : second),
      ),
    );
    for (const answer of answers) expectBought(answer);
  });
});

describe("a refusal that bought nothing", () => {
  test("gives the request free: funded, it buys at once", async () => {
    const merchant = await first.createMerchant();
    const fund = (amount: bigint) =>
      creditMerchant(first.services, { merchantId: merchant.id, mode: "test", amount: kobo(amount), reason: "test" });
    await fund(-9_999_999n);
    for (const app of [first, second, first]) {
      const answer = await sendData(merchant.testKey, {}, app);
      expectLegacyError(answer, 400, ["Insufficient balance…"]);
    }
    await fund(100_000n);
    expectBought(await sendData(merchant.testKey));
    expectRepeated(await sendData(merchant.testKey));
  });

  test("leaves nothing behind", async () => {
    const before = await kept();
    const key = await newKey();
    for (const change of [{ plan: 777 }, { network: 2 }, { Ported_number: false, mobile_number: "08051234567" }]) {
      expect((await sendData(key, change)).status).toBe(400);
    }
    expect(await kept()).toBe(before);
  });
});

async function kept(): Promise<number> {
  const { rows } = await first.fresh.pool.query("select count(*)::integer as held from guarded_purchases");
  return rows[0].held;
}

test("what has aged is forgotten while others come, so the table stays as small as the window", async () => {
  const key = await newKey();
  for (let amount = 200; amount < 220; amount++) expectBought(await sendTopup(key, { amount }));
  await pass(31);
  const aged = await kept();
  for (let amount = 300; amount < 300 + Math.ceil(aged / 2); amount++) expectBought(await sendTopup(key, { amount }));
  expect(await kept()).toBe(Math.ceil(aged / 2));
});
