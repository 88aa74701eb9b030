import { expect, test } from "vitest";
import { giftcard } from "../../src/categories/giftcard.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { product_id: 41 };
const fixedUsd = makeProduct({ amountType: "fixed", faceCurrency: "USD", foreignFace: 2_500n, fxRate: kobo(165_000n) });
const rangeUsd = makeProduct({ faceCurrency: "USD", minAmount: 500n, maxAmount: 20_000n, fxRate: kobo(165_000n) });
const fixedNaira = makeProduct({ amountType: "fixed", face: kobo(500_000n) });

async function cards(sent: JsonObject, product: typeof fixedUsd) {
  const request = vendRequestOf(giftcard, ask(giftcard, { ...body, ...sent }), product, "SBX1");
  return giftcard.simulate(request, lagos);
}

test("the customer is the recipient's phone, else the phone, else nobody", () => {
  const recipient_phone = "08031234567";
  const phone = "08051234567";
  expect(ask(giftcard, { ...body, recipient_phone, phone })).toMatchObject({ customerRef: recipient_phone, phone });
  expect(ask(giftcard, { ...body, recipient_phone })).toMatchObject({ customerRef: recipient_phone });
  expect(ask(giftcard, { ...body, phone })).toMatchObject({ customerRef: phone, phone });
  expect(ask(giftcard, body)).toMatchObject({ customerRef: null, phone: null });
});

test("quantity, amount and customer are compared; e-mail and a contact's phone are not", () => {
  const sent = { ...body, quantity: 1, amount: "25", recipient_phone: "08031234567" };
  const { intent } = ask(giftcard, sent);
  const same = { amount: 25, recipient_email: "ada@example.ng", phone: "08051234567" };
  expect(ask(giftcard, { ...sent, ...same }).intent).toEqual(intent);
  for (const change of [{ quantity: 2 }, { amount: 26 }, { recipient_phone: "08031234568" }]) {
    expect(ask(giftcard, { ...sent, ...change }).intent).not.toEqual(intent);
  }
});

test("one to ten cards; a wrong phone or e-mail is named", () => {
  expect(refused(() => ask(giftcard, { ...body, quantity: 11 }))).toBe("QUANTITY_OUT_OF_RANGE quantity");
  expect(refused(() => ask(giftcard, { ...body, quantity: 0 }))).toBe("QUANTITY_OUT_OF_RANGE quantity");
  expect(refused(() => ask(giftcard, { ...body, recipient_phone: "12" }))).toBe("INVALID_PHONE recipient_phone");
  expect(refused(() => ask(giftcard, { ...body, recipient_email: "ada" }))).toBe("VALIDATION_ERROR recipient_email");
});

test("a range needs an amount in the card's currency; a fixed card takes only its own value", () => {
  const check = (sent: JsonObject, product: typeof fixedUsd) =>
    refused(() => checkProductRules(giftcard, ask(giftcard, { ...body, ...sent }), product));
  expect(check({}, rangeUsd)).toBe("VALIDATION_ERROR amount");
  expect(check({ amount: "10.00" }, rangeUsd)).toBe("accepted");
  expect(check({}, fixedUsd)).toBe("accepted");
  expect(check({ amount: 25 }, fixedUsd)).toBe("accepted");
  expect(check({ amount: 30 }, fixedUsd)).toBe("AMOUNT_OUT_OF_RANGE amount");
  expect(check({ amount: 5000 }, fixedNaira)).toBe("accepted");
});

test("values are in the card's currency, with the rate that was used", async () => {
  expect(await cards({ quantity: 2 }, fixedUsd)).toMatchObject({
    face_currency: "USD",
    face_value: "25.00",
    fx_rate: "1650.00",
    cards: [
      { sequence: 1, value: "25.00", currency: "USD" },
      { sequence: 2, value: "25.00", currency: "USD" },
    ],
  });
  expect(await cards({ amount: 12.5 }, rangeUsd)).toMatchObject({ face_value: "12.50", cards: [{ value: "12.50" }] });
  expect(await cards({}, fixedNaira)).toMatchObject({ face_currency: "NGN", face_value: "5000.00", fx_rate: "1.00" });
});

test("no two cards share a code, and a brand without PINs has none", async () => {
  const list = (await cards({ quantity: 10 }, fixedUsd)).cards as { code: string; pin: string | null }[];
  expect(new Set(list.map(({ code }) => code)).size).toBe(10);
  for (const { code, pin } of list) {
    expect(code).toMatch(/^TEST-/);
    expect(pin).toBeNull();
  }
  expect((await cards({}, { ...fixedUsd, attributes: { has_pin: true } })).cards).toMatchObject([
    { pin: expect.stringMatching(/^[0-9]{4}$/) },
  ]);
});
