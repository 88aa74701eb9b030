import { expect, test } from "vitest";
import { rechargePin } from "../../src/categories/recharge-pin.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { network: "MTN", denomination: "100", quantity: 100 };
const mtn100 = makeProduct({ amountType: "fixed", face: kobo(10_000n), biller: { network: "MTN" } });
const mtn200 = { ...mtn100, face: kobo(20_000n) };

test("network and denomination mean the network's one product of that face value", () => {
  const { selector } = ask(rechargePin, body);
  expect(selector).toMatchObject({ by: "network", network: "MTN" });
  expect([mtn100, mtn200].map((product) => selector.claims.every((claim) => claim.holds(product)))).toEqual([
    true,
    false,
  ]);
});

test("what is missing is named", () => {
  expect(refused(() => ask(rechargePin, { network: "MTN", quantity: 1 }))).toBe("VALIDATION_ERROR denomination");
  expect(refused(() => ask(rechargePin, { denomination: 100, quantity: 1 }))).toBe(
    "VALIDATION_ERROR product_id network",
  );
  expect(refused(() => ask(rechargePin, { product_id: 41 }))).toBe("VALIDATION_ERROR quantity");
  expect(refused(() => ask(rechargePin, { ...body, denomination: "100.001" }))).toBe("VALIDATION_ERROR denomination");
});

test("1 to 100 PINs", () => {
  for (const quantity of [0, -1, "-1", 101, "101", 1e15]) {
    expect(refused(() => ask(rechargePin, { ...body, quantity }))).toBe("QUANTITY_OUT_OF_RANGE quantity");
  }
  for (const quantity of [1.5, "1.5", true, [1], "ten"]) {
    expect(refused(() => ask(rechargePin, { ...body, quantity }))).toBe("VALIDATION_ERROR quantity");
  }
});

test("denomination, quantity and phone are compared; the business name is not", () => {
  const { intent } = ask(rechargePin, body);
  const same = { denomination: 100.0, quantity: "100", business_name: "Corner Shop", network: "mtn" };
  expect(ask(rechargePin, { ...body, ...same }).intent).toEqual(intent);
  for (const change of [{ denomination: 200 }, { quantity: 99 }, { phone: "08031234567" }, { network: "GLO" }]) {
    expect(ask(rechargePin, { ...body, ...change }).intent).not.toEqual(intent);
  }
});

test("a product id with another network or denomination is refused", () => {
  const check = (sent: JsonObject) =>
    refused(() => checkProductRules(rechargePin, ask(rechargePin, { product_id: 41, quantity: 1, ...sent }), mtn100));
  expect(check({})).toBe("accepted");
  expect(check({ network: "MTN", denomination: 100 })).toBe("accepted");
  expect(check({ network: "GLO" })).toBe("VALIDATION_ERROR network");
  expect(check({ denomination: 200 })).toBe("VALIDATION_ERROR denomination");
});

test("a hundred different PINs and serials, each with its own code to dial", async () => {
  const wish = ask(rechargePin, { ...body, business_name: "Corner Shop" });
  const fulfilment = await rechargePin.simulate(vendRequestOf(rechargePin, wish, mtn100, "SBX1"), lagos);
  const pins = fulfilment.pins as { sequence: number; pin: string; serial: string; load_code: string }[];
  expect(fulfilment).toMatchObject({
    network: "MTN",
    face_amount: "100.00",
    load_code: "*311*PIN#",
    business_name: "Corner Shop",
  });
  expect(pins.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(new Set(pins.map(({ pin }) => pin)).size).toBe(100);
  expect(new Set(pins.map(({ serial }) => serial)).size).toBe(100);
  for (const { pin, serial, load_code } of pins) {
    expect(pin).toMatch(/^[0-9]{16,17}$/);
    expect(serial).toMatch(/^[0-9]{17}$/);
    expect(load_code).toBe(`*311*${pin}#`);
  }
});

test("a product's own load code is used", async () => {
  const product = { ...mtn100, attributes: { load_code: "*555*PIN#" } };
  const request = vendRequestOf(rechargePin, ask(rechargePin, { ...body, quantity: 1 }), product, "SBX1");
  expect(await rechargePin.simulate(request, lagos)).toMatchObject({
    load_code: "*555*PIN#",
    pins: [{ load_code: expect.stringMatching(/^\*555\*[0-9]{17}#$/) }],
  });
});
