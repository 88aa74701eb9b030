import { expect, test } from "vitest";
import { education } from "../../src/categories/education.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { product_id: 41, phone: "08031234567" };
const checker = makeProduct({ amountType: "fixed", face: kobo(350_000n), attributes: { serial_prefix: "WRN" } });
const jamb = makeProduct({ amountType: "fixed", attributes: { requires_profile_code: true, pin_digits: 16 } });

test("the quantity is one unless given, five at most", () => {
  expect(ask(education, body).quantity).toBe(1);
  expect(ask(education, { ...body, quantity: 1 }).intent).toEqual(ask(education, body).intent);
  for (const quantity of [0, -2, 6, "6"]) {
    expect(refused(() => ask(education, { ...body, quantity }))).toBe("QUANTITY_OUT_OF_RANGE quantity");
  }
});

test("a profile code is ten digits, compared, and required where the product says so", () => {
  const coded = ask(education, { ...body, profile_code: "1234567890" });
  expect(refused(() => checkProductRules(education, ask(education, body), jamb))).toBe("VALIDATION_ERROR profile_code");
  expect(refused(() => checkProductRules(education, coded, jamb))).toBe("accepted");
  expect(refused(() => checkProductRules(education, ask(education, body), checker))).toBe("accepted");
  expect(coded.intent).not.toEqual(ask(education, { ...body, profile_code: "1234567891" }).intent);
  for (const profile_code of ["123456789", "12345678901", "12345678x0", 1_234_567_890]) {
    expect(refused(() => ask(education, { ...body, profile_code }))).toBe("VALIDATION_ERROR profile_code");
  }
});

test("as many different PINs as were bought, of the product's own form", async () => {
  const pinsOf = async (product: typeof checker) => {
    const wish = ask(education, { ...body, quantity: 5, profile_code: "1234567890" });
    const fulfilment = await education.simulate(vendRequestOf(education, wish, product, "SBX1"), lagos);
    return fulfilment.pins as { sequence: number; pin: string; serial: string }[];
  };
  const pins = await pinsOf(checker);
  expect(pins.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  expect(new Set(pins.map(({ pin }) => pin)).size).toBe(5);
  for (const { pin, serial } of pins) {
    expect(pin).toMatch(/^[0-9]{12}$/);
    expect(serial).toMatch(/^WRN[0-9]{9}$/);
  }
  for (const { pin } of await pinsOf(jamb)) expect(pin).toMatch(/^[0-9]{16}$/);
});
