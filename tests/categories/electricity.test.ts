import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { electricity } from "../../src/categories/electricity.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = {
  biller: "ikeja-electric",
  meter_type: "prepaid",
  meter_number: "45012345678",
  amount: "5000.00",
  phone: "08031234567",
};
const prepaid = makeProduct({ meterType: "prepaid", biller: { slug: "ikeja-electric" } });
const postpaid = makeProduct({ meterType: "postpaid", biller: { slug: "ikeja-electric" } });

async function vend(changes: JsonObject = {}, product = prepaid, seed = "SBX1"): Promise<JsonObject> {
  return electricity.simulate(
    vendRequestOf(electricity, ask(electricity, { ...body, ...changes }), product, seed),
    lagos,
  );
}

describe("what a request says", () => {
  test("biller and meter type select the one product of both", () => {
    const { selector } = ask(electricity, body);
    expect(selector).toMatchObject({ by: "biller", biller: "ikeja-electric" });
    expect([prepaid, postpaid].map((product) => selector.claims.every((claim) => claim.holds(product)))).toEqual([
      true,
      false,
    ]);
  });

  test("a biller without meter type is refused on meter_type, neither on product_id and biller", () => {
    const { biller, meter_type, ...rest } = body;
    expect(refused(() => ask(electricity, { ...rest, biller }))).toBe("VALIDATION_ERROR meter_type");
    expect(refused(() => ask(electricity, { ...rest, meter_type }))).toBe("VALIDATION_ERROR product_id biller");
  });

  test("a meter number is 6 to 13 digits, else INVALID_METER", () => {
    for (const meter_number of ["12345", "12345678901234", "45o12345678", "4501 234567", ""]) {
      expect(refused(() => ask(electricity, { ...body, meter_number }))).toBe("INVALID_METER meter_number");
    }
    expect(ask(electricity, { ...body, meter_number: "123456" }).customerRef).toBe("123456");
  });

  test("meter, amount and meter type are compared; contact phone is not", () => {
    const { intent } = ask(electricity, body);
    expect(ask(electricity, { ...body, phone: "08099999999" }).intent).toEqual(intent);
    expect(ask(electricity, { ...body, amount: 5000 }).intent).toEqual(intent);
    for (const change of [{ meter_number: "45012345679" }, { amount: 5001 }, { meter_type: "postpaid" }]) {
      expect(ask(electricity, { ...body, ...change }).intent).not.toEqual(intent);
    }
  });

  test("a product id with another meter type or biller is refused", () => {
    const wish = ask(electricity, { ...body, product_id: 41 });
    expect(refused(() => checkProductRules(electricity, wish, prepaid))).toBe("accepted");
    expect(refused(() => checkProductRules(electricity, wish, postpaid))).toBe("VALIDATION_ERROR meter_type");
    expect(
      refused(() => checkProductRules(electricity, wish, { ...prepaid, biller: { ...prepaid.biller, slug: "eko" } })),
    ).toBe("VALIDATION_ERROR biller");
  });
});

describe("what the sandbox vends", () => {
  test("a prepaid meter gets a token of 20 digits, at top level as well, and printed in fours", async () => {
    const fulfilment = await vend();
    expect(fulfilment.token).toMatch(/^[0-9]{20}$/);
    expect(electricity.token?.(fulfilment)).toBe(fulfilment.token);
    expect(fulfilment.token_formatted).toMatch(/^([0-9]{4}-){4}[0-9]{4}$/);
    expect(String(fulfilment.token_formatted).replaceAll("-", "")).toBe(fulfilment.token);
    expect(fulfilment.tokens).toEqual([{ type: "main", value: fulfilment.token, order: 1 }]);
  });

  test("a postpaid meter gets a receipt and no token", async () => {
    const fulfilment = await vend({ meter_type: "postpaid" }, postpaid);
    expect(fulfilment).toMatchObject({ token: null, token_formatted: null, tokens: [], units: null });
    expect(electricity.token?.(fulfilment)).toBeNull();
  });

  test("a meter ending in 0007 gets its two key-change tokens first, in entry order", async () => {
    const fulfilment = await vend({ meter_number: "45012340007" });
    const tokens = fulfilment.tokens as { type: string; value: string; order: number }[];
    expect(tokens.map(({ type, order }) => [type, order])).toEqual([
      ["kct1", 1],
      ["kct2", 2],
      ["main", 3],
    ]);
    expect(new Set(tokens.map(({ value }) => value)).size).toBe(3);
    expect(fulfilment.token).toBe(tokens[2]?.value);
  });

  test("energy, VAT and recovered debt sum to the amount in kobo, and units are energy over tariff", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20_000_000 }),
        fc.constantFrom("45012345678", "45012340008", "45012345671", "123456", "99999999"),
        async (amount, meter) => {
          const naira = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
          const fulfilment = await vend({ meter_number: meter, amount: naira });
          const inKobo = (text: unknown) => Math.round(Number(text) * 100);
          const split = fulfilment.amount_breakdown as Record<string, string>;
          const energy = inKobo(split.energy);
          const vat = inKobo(split.vat);
          const debt = inKobo(split.debt_recovered);
          expect(energy + vat + debt).toBe(amount);
          expect(Math.abs(vat - energy * 0.075)).toBeLessThan(1.1);
          expect(debt > 0).toBe(meter.endsWith("0008") && amount >= 4);
          expect(debt).toBeLessThanOrEqual(amount * 0.3);
          expect(Math.abs(Number(fulfilment.units) - energy / inKobo(fulfilment.tariff))).toBeLessThanOrEqual(0.01);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a meter's owner and tariff follow from its number, not from the purchase", async () => {
    const { token: _first, receipt_number: _receipt, ...one } = await vend({}, prepaid, "SBX1");
    const two = await vend({}, prepaid, "SBX2");
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

  test("an electricity product of a fixed price refuses another amount", () => {
    const fixed = { ...prepaid, amountType: "fixed" as const, face: kobo(100_000n) };
    expect(refused(() => checkProductRules(electricity, ask(electricity, body), fixed))).toBe(
      "AMOUNT_OUT_OF_RANGE amount",
    );
  });
});
