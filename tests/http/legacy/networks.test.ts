import { describe, expect, test } from "vitest";
import { setLegacySettings } from "../../../src/domain/merchants/administration.ts";
import { type NumberedCategory, parseNetworkNumbers } from "../../../src/domain/merchants/legacy-settings.ts";
import { kobo } from "../../../src/kernel/money.ts";
import type { Fields } from "../../support/legacy-endpoint.ts";
import { callLegacy, expectLegacyError, postLegacy } from "../../support/legacy-endpoint.ts";
import { sharedApp } from "../../support/shared-app.ts";

const app = await sharedApp();

const phones = { MTN: "08031234567", GLO: "08051234567", "9MOBILE": "08091234567", AIRTEL: "08021234567" };
const plans = { MTN: 2, GLO: 202, "9MOBILE": 402, AIRTEL: 622 };

/** Before the merchant's first request, so that there is no change to wait for. */
async function merchantWith(numbers: string | null, categories: readonly NumberedCategory[] = ["data", "airtime"]) {
  const merchant = await app.createMerchant({ testCredit: kobo(1_000_000_000n) });
  if (numbers !== null) {
    const set = categories.map((category) => [category, parseNetworkNumbers(numbers)]);
    await setLegacySettings(app.services, merchant.id, { networks: Object.fromEntries(set) });
  }
  return merchant;
}

const topup = (key: string, fields: Fields) => postLegacy(app, key, "/api/topup/", { amount: 100, ...fields });
const data = (key: string, fields: Fields) => postLegacy(app, key, "/api/data/", fields);

describe("numbers follow the merchant's own numbering", () => {
  test.each([
    [null, ["MTN", "GLO", "9MOBILE", "AIRTEL"]],
    ["1=mtn,2=glo,3=airtel,4=9mobile", ["MTN", "GLO", "AIRTEL", "9MOBILE"]],
    ["1=mtn,2=airtel,3=glo,4=etisalat", ["MTN", "AIRTEL", "GLO", "9MOBILE"]],
  ] as const)("are told as set: %s", async (numbers, order) => {
    const { testKey } = await merchantWith(numbers);
    for (const [index, network] of order.entries()) {
      const calls = { network: index + 1, mobile_number: phones[network], Ported_number: true };
      for (const { status, body } of [
        await topup(testKey, calls),
        await data(testKey, { ...calls, plan: plans[network] }),
      ]) {
        expect([status, body.Status, body.plan_network, body.network]).toEqual([200, "successful", network, index + 1]);
        const { body: sold } = await app.call(testKey, `/transactions/${body.ident}`);
        expect(sold.network).toBe(network);
      }
    }
    const { body } = await callLegacy(app, testKey, "/api/user/");
    for (const [index, network] of order.entries()) {
      expect(body.Dataplans[`${network}_PLAN`].ALL[0]).toMatchObject({ network: index + 1, plan_network: network });
    }
  });

  test("for airtime in another way than for data, as some clients do", async () => {
    const { testKey } = await merchantWith("1=mtn,2=airtel,3=glo,4=9mobile", ["airtime"]);
    expect((await topup(testKey, { network: 2, mobile_number: phones.AIRTEL })).body.plan_network).toBe("AIRTEL");
    const glo = { network: 2, mobile_number: phones.GLO, plan: plans.GLO };
    expect((await data(testKey, glo)).body.plan_network).toBe("GLO");
  });

  test("a number that no network has is refused with those that have", async () => {
    const { testKey } = await merchantWith("1=mtn,2=airtel,3=glo,9=9mobile");
    const answer = await topup(testKey, { network: 4, mobile_number: phones.MTN });
    const text = "network: Must be a network's number (1 MTN, 2 AIRTEL, 3 GLO, 9 9MOBILE) or name.";
    expectLegacyError(answer, 400, [text]);
  });
});

test.each([
  ["mtn", "MTN"],
  ["MTN", "MTN"],
  ["Airtel", "AIRTEL"],
  ["9mobile", "9MOBILE"],
  ["etisalat", "9MOBILE"],
  ["T2", "9MOBILE"],
  [" glo ", "GLO"],
] as const)("the name %j is taken whatever the numbering", async (name, network) => {
  const { testKey } = await merchantWith("4=mtn,3=glo,2=9mobile,1=airtel");
  const calls = { network: name, mobile_number: phones[network] };
  expect((await topup(testKey, calls)).body.plan_network).toBe(network);
  expect((await data(testKey, { ...calls, plan: plans[network] })).body.plan_network).toBe(network);
});

describe("airtime to a number of another network's prefix", () => {
  const refusals = async () =>
    Number(
      /^dispense_legacy_prefix_refusals_total\{network="GLO",prefix="AIRTEL"\} (\d+)$/m.exec(
        await app.services.metrics.text(),
      )?.[1] ?? 0,
    );

  test("is refused, whatever the client says of the number, names both and is counted", async () => {
    const { testKey } = await merchantWith(null);
    const before = await refusals();
    for (const Ported_number of [true, "True", undefined, false]) {
      const answer = await topup(testKey, { network: 2, mobile_number: phones.AIRTEL, Ported_number });
      expectLegacyError(answer, 400, ["mobile_number: The number's prefix belongs to AIRTEL, the product to GLO."]);
    }
    expect(await refusals()).toBe(before + 4);
    expect((await app.call(testKey, "/transactions")).body.meta.total).toBe(0);
  });

  test("is sold where the operator switched that off; a client that says so itself is still believed", async () => {
    const merchant = await merchantWith(null);
    await setLegacySettings(app.services, merchant.id, { checksPrefixes: false });
    const calls = { network: 2, mobile_number: phones.AIRTEL };
    const { body } = await topup(merchant.testKey, { ...calls, Ported_number: true });
    expect([body.Status, body.plan_network]).toEqual(["successful", "GLO"]);
    const answer = await topup(merchant.testKey, { ...calls, amount: 101, Ported_number: false });
    expectLegacyError(answer, 400, ["mobile_number: The number's prefix…"]);
  });

  test("sold before the check was on, it is answered as ever", async () => {
    const merchant = await merchantWith(null);
    await setLegacySettings(app.services, merchant.id, { checksPrefixes: false });
    const calls = { network: 2, mobile_number: phones.AIRTEL, ident: "sold-before" };
    const first = await topup(merchant.testKey, calls);
    await setLegacySettings(app.services, merchant.id, { checksPrefixes: true });
    await app.feel();
    expect((await topup(merchant.testKey, { ...calls, ident: "checked" })).status).toBe(400);
    const again = await topup(merchant.testKey, calls);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test.each([phones.GLO, "07001234567"])("its own prefix, and one that nobody has (%s), are sold", async (number) => {
    const { testKey } = await merchantWith(null);
    expect((await topup(testKey, { network: 2, mobile_number: number })).body.Status).toBe("successful");
  });

  test("data is sold: its plan says the network, and the client need not", async () => {
    const { testKey } = await merchantWith(null);
    const { body } = await data(testKey, { network: 2, mobile_number: phones.AIRTEL, plan: plans.GLO });
    expect(body.Status).toBe("successful");
  });
});
