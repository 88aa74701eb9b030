import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { airtime } from "../../src/categories/airtime.ts";
import { cable } from "../../src/categories/cable.ts";
import type { Category } from "../../src/categories/category.ts";
import { education } from "../../src/categories/education.ts";
import { electricity } from "../../src/categories/electricity.ts";
import { esim } from "../../src/categories/esim.ts";
import { giftcard } from "../../src/categories/giftcard.ts";
import { internet } from "../../src/categories/internet.ts";
import { rechargePin } from "../../src/categories/recharge-pin.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

// What no request over the wire shows: which fields are compared, rules of products that the starting catalogue lacks,
// and what the sandbox makes up.

const phone = "08031234567";
const renewal = {
  ...{ biller: "dstv", subscription_type: "renew", amount: "19000.00", smartcard_number: "7032145678" },
  phone,
};
const card = { product_id: 41, quantity: 1, amount: "25", recipient_phone: phone };
const pins = { network: "MTN", denomination: "100", quantity: 100 };
const bouquet = { product_id: 41, smartcard_number: "7032145678", phone };
const exam = { product_id: 41, phone, profile_code: "1234567890" };

test.each<readonly [Category, JsonObject, JsonObject, JsonObject[]]>([
  [
    cable,
    renewal,
    { phone: "08099999999", amount: 19000 },
    [{ smartcard_number: "7032145679" }, { months: 2 }, { amount: 19001 }, { biller: "gotv" }],
  ],
  [cable, bouquet, { phone: "08099999999" }, [{ subscription_type: "change" }]],
  [
    giftcard,
    card,
    { amount: 25, recipient_email: "ada@example.ng", phone: "08051234567" },
    [{ quantity: 2 }, { amount: 26 }, { recipient_phone: "08031234568" }],
  ],
  [
    rechargePin,
    pins,
    { denomination: 100.0, quantity: "100", business_name: "Corner Shop", network: "mtn" },
    [{ denomination: 200 }, { quantity: 99 }, { phone }, { network: "GLO" }],
  ],
  [education, exam, { phone: "+2348031234567" }, [{ profile_code: "1234567891" }]],
])("$slug: what makes the same purchase, and what another one", (category, body, same, others) => {
  const { intent } = ask(category, body);
  expect(ask(category, { ...body, ...same }).intent).toEqual(intent);
  for (const other of others) expect(ask(category, { ...body, ...other }).intent).not.toEqual(intent);
});

test("a network means its one airtime product of a variable amount", () => {
  const { selector } = ask(airtime, { network: "MTN", phone, amount: "100.00" });
  const fits = (product: ReturnType<typeof makeProduct>) => selector.claims.every((claim) => claim.holds(product));
  expect(selector).toMatchObject({ by: "network", network: "MTN" });
  expect(fits(makeProduct({ biller: { network: "MTN" } }))).toBe(true);
  expect(fits(makeProduct({ amountType: "fixed", face: kobo(10_000n) }))).toBe(false);
});

test("a product of a fixed value takes its own amount and no other, where it has a value", () => {
  const check = (category: Category, sent: JsonObject, face: bigint | null) => {
    const product = makeProduct({ amountType: "fixed", face: face === null ? null : kobo(face) });
    return refused(() => checkProductRules(category, ask(category, { product_id: 41, phone, ...sent }), product));
  };
  const account = { account_number: "ada@example.ng" };
  const meter = { meter_number: "45012345678", amount: "5000" };
  expect(check(airtime, { amount: "200" }, 20_000n)).toBe("accepted");
  expect(check(airtime, { amount: "100" }, 20_000n)).toBe("AMOUNT_OUT_OF_RANGE amount");
  expect(check(electricity, meter, 100_000n)).toBe("AMOUNT_OUT_OF_RANGE amount");
  expect(check(internet, { ...account, amount: 5000 }, null)).toBe("VALIDATION_ERROR amount");
});

test("a subscription runs for the months paid, or for the product's own validity, in the zone's time", async () => {
  const until = async (months: number, validity: string | null) => {
    const wish = ask(cable, { ...bouquet, months });
    return (
      await cable.simulate(
        vendRequestOf(cable, wish, makeProduct({ amountType: "fixed", plan: "Compact", validity }), "SBX1"),
        lagos,
      )
    ).valid_until;
  };
  expect(await until(1, null)).toBe("2026-12-20T14:03:09+01:00");
  expect(await until(2, "30 days")).toBe("2027-01-19T14:03:09+01:00");
  expect(await until(1, "1 week")).toBe("2026-11-27T14:03:09+01:00");
  expect(await until(2, "7d")).toBe("2026-12-04T14:03:09+01:00");
});

test("as many different PINs of an exam as were bought, of the product's own form", async () => {
  const jamb = makeProduct({ amountType: "fixed", attributes: { requires_profile_code: true, pin_digits: 16 } });
  const wish = ask(education, { ...exam, quantity: 5 });
  const { pins } = await education.simulate(vendRequestOf(education, wish, jamb, "SBX1"), lagos);
  const given = (pins as { pin: string }[]).map(({ pin }) => pin);
  expect(new Set(given).size).toBe(5);
  for (const pin of given) expect(pin).toMatch(/^[0-9]{16}$/);
});

describe("a meter in the sandbox", () => {
  const meter = {
    ...{ biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", amount: "5000.00" },
    phone,
  };
  const prepaid = makeProduct({ meterType: "prepaid", biller: { slug: "ikeja-electric" } });

  async function vend(changes: JsonObject = {}, seed = "SBX1"): Promise<JsonObject> {
    return electricity.simulate(
      vendRequestOf(electricity, ask(electricity, { ...meter, ...changes }), prepaid, seed),
      lagos,
    );
  }

  test("energy, VAT and recovered debt sum to the amount in kobo, and units are energy over tariff", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20_000_000 }),
        fc.constantFrom("45012345678", "45012340008", "45012345671", "123456", "99999999"),
        async (amount, meter_number) => {
          const naira = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
          const fulfilment = await vend({ meter_number, amount: naira });
          const inKobo = (text: unknown) => Math.round(Number(text) * 100);
          const split = fulfilment.amount_breakdown as Record<string, string>;
          const energy = inKobo(split.energy);
          const vat = inKobo(split.vat);
          const debt = inKobo(split.debt_recovered);
          expect(energy + vat + debt).toBe(amount);
          expect(Math.abs(vat - energy * 0.075)).toBeLessThan(1.1);
          expect(debt > 0).toBe(meter_number.endsWith("0008") && amount >= 4);
          expect(debt).toBeLessThanOrEqual(amount * 0.3);
          expect(Math.abs(Number(fulfilment.units) - energy / inKobo(fulfilment.tariff))).toBeLessThanOrEqual(0.01);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a meter's owner and tariff follow from its number, not from the purchase", async () => {
    const { token: _first, receipt_number: _receipt, ...one } = await vend({}, "SBX1");
    const two = await vend({}, "SBX2");
    expect(two).toMatchObject({ customer_name: one.customer_name, tariff_band: one.tariff_band, tariff: one.tariff });
    const others = await Promise.all(
      ["11111111", "22222222", "33333333"].map((meter_number) => vend({ meter_number })),
    );
    expect(new Set(others.map((other) => other.customer_name)).size).toBeGreaterThan(1);
  });

  test("five thousand naira of band A buy a believable number of kilowatt-hours", async () => {
    const meters = Array.from({ length: 40 }, (_, index) => String(450_000_000 + index));
    const all = await Promise.all(meters.map((meter_number) => vend({ meter_number })));
    const bandA = all.filter((fulfilment) => fulfilment.tariff_band === "A");
    expect(bandA.length).toBeGreaterThan(0);
    // 5,000 / 1.075 / 209.50
    for (const fulfilment of bandA) expect(fulfilment.units).toBe("22.20");
  });
});

describe("an eSIM in the sandbox", () => {
  const europe = makeProduct({
    ...{ amountType: "fixed", validity: "15 days" },
    attributes: { data_mb: 2_048, coverage: ["FR", "DE"] },
  });

  async function profiles(product = europe): Promise<JsonObject[]> {
    const wish = ask(esim, { product_id: 41, quantity: 10, phone });
    return (await esim.simulate(vendRequestOf(esim, wish, product, "SBX1"), lagos)).esims as JsonObject[];
  }

  test("every profile has an ICCID of its own with a valid check digit", async () => {
    const list = await profiles();
    expect(new Set(list.map(({ iccid }) => iccid)).size).toBe(10);
    for (const { iccid } of list) {
      expect(iccid).toMatch(/^89[0-9]{17}$/);
      // Luhn, written the other way round than the code under test: the whole number's weighted sum ends in zero.
      const sum = [...String(iccid)].toReversed().reduce((total, digit, index) => {
        const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
        return total + Math.floor(doubled / 10) + (doubled % 10);
      }, 0);
      expect(sum % 10).toBe(0);
    }
  });

  test("data, days and coverage are the product's", async () => {
    expect((await profiles())[0]).toMatchObject({ data_mb: 2_048, validity_days: 15, coverage: ["FR", "DE"] });
    const unlimited = { ...europe, validity: null, attributes: { coverage: "Europe", validity_days: 3 } };
    expect((await profiles(unlimited))[0]).toMatchObject({ data_mb: null, validity_days: 3, coverage: ["Europe"] });
  });
});

test("no two gift cards share a code, and only a brand with PINs has one", async () => {
  const usd = {
    ...({ amountType: "fixed", faceCurrency: "USD", foreignFace: 2_500n } as const),
    fxRate: kobo(165_000n),
  };
  const cards = async (quantity: number, attributes = {}) => {
    const wish = ask(giftcard, { product_id: 41, quantity });
    const request = vendRequestOf(giftcard, wish, makeProduct({ ...usd, attributes }), "SBX1");
    return (await giftcard.simulate(request, lagos)).cards as { code: string; pin: string | null }[];
  };
  const list = await cards(10);
  expect(new Set(list.map(({ code }) => code)).size).toBe(10);
  for (const { code, pin } of list) expect([code.slice(0, 5), pin]).toEqual(["TEST-", null]);
  expect(await cards(1, { has_pin: true })).toMatchObject([{ pin: expect.stringMatching(/^[0-9]{4}$/) }]);
});

test("a recharge product's own load code is used", async () => {
  const face = { amountType: "fixed", face: kobo(10_000n), biller: { network: "MTN" } } as const;
  const product = makeProduct({ ...face, attributes: { load_code: "*555*PIN#" } });
  const request = vendRequestOf(rechargePin, ask(rechargePin, { ...pins, quantity: 1 }), product, "SBX1");
  expect(await rechargePin.simulate(request, lagos)).toMatchObject({
    load_code: "*555*PIN#",
    pins: [{ load_code: expect.stringMatching(/^\*555\*[0-9]{17}#$/) }],
  });
});
