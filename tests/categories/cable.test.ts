import { expect, test } from "vitest";
import { cable } from "../../src/categories/cable.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { product_id: 41, smartcard_number: "7032145678", phone: "08031234567" };
const renew = {
  biller: "dstv",
  subscription_type: "renew",
  amount: "19000.00",
  smartcard_number: "7032145678",
  phone: "08031234567",
};
const compact = makeProduct({ amountType: "fixed", face: kobo(1_900_000n), plan: "Compact", biller: { slug: "dstv" } });
const renewal = makeProduct({ plan: "Renewal", biller: { slug: "dstv" } });

test("months are the quantity: one unless given, twelve at most", () => {
  expect(ask(cable, body).quantity).toBe(1);
  expect(ask(cable, { ...body, months: "3" }).quantity).toBe(3);
  expect(ask(cable, { ...body, months: 1 }).intent).toEqual(ask(cable, body).intent);
  for (const months of [0, -1, "-1", 13]) {
    expect(refused(() => ask(cable, { ...body, months }))).toBe("QUANTITY_OUT_OF_RANGE months");
  }
  expect(refused(() => ask(cable, { ...body, months: 1.5 }))).toBe("VALIDATION_ERROR months");
});

test("a smartcard number is 8 to 14 digits, else INVALID_SMARTCARD", () => {
  for (const smartcard_number of ["1234567", "123456789012345", "70321x5678", ""]) {
    expect(refused(() => ask(cable, { ...body, smartcard_number }))).toBe("INVALID_SMARTCARD smartcard_number");
  }
});

test("a renewal names biller and amount, and means the biller's one product of a variable amount", () => {
  const { selector, amount } = ask(cable, renew);
  expect(selector).toMatchObject({ by: "biller", biller: "dstv" });
  expect(amount).toBe(1_900_000n);
  expect([renewal, compact].map((product) => selector.claims.every((claim) => claim.holds(product)))).toEqual([
    true,
    false,
  ]);
});

test("an incomplete renewal is refused on the field that is missing", () => {
  const without = (name: string) => Object.fromEntries(Object.entries(renew).filter(([field]) => field !== name));
  expect(refused(() => ask(cable, without("biller")))).toBe("VALIDATION_ERROR product_id biller");
  expect(refused(() => ask(cable, without("subscription_type")))).toBe("VALIDATION_ERROR subscription_type");
  expect(refused(() => ask(cable, without("amount")))).toBe("VALIDATION_ERROR amount");
  expect(refused(() => ask(cable, { ...renew, subscription_type: "change" }))).toBe("VALIDATION_ERROR product_id");
});

test("smartcard, months, amount and subscription type are compared; contact phone is not", () => {
  const { intent } = ask(cable, renew);
  expect(ask(cable, { ...renew, phone: "08099999999", amount: 19000 }).intent).toEqual(intent);
  for (const change of [{ smartcard_number: "7032145679" }, { months: 2 }, { amount: 19001 }, { biller: "gotv" }]) {
    expect(ask(cable, { ...renew, ...change }).intent).not.toEqual(intent);
  }
  expect(ask(cable, { ...body, subscription_type: "change" }).intent).not.toEqual(ask(cable, body).intent);
});

test("a bouquet refuses another amount than its own, and another biller", () => {
  expect(refused(() => checkProductRules(cable, ask(cable, { ...body, amount: "19000" }), compact))).toBe("accepted");
  expect(refused(() => checkProductRules(cable, ask(cable, { ...body, amount: "18000" }), compact))).toBe(
    "AMOUNT_OUT_OF_RANGE amount",
  );
  expect(refused(() => checkProductRules(cable, ask(cable, { ...body, biller: "gotv" }), compact))).toBe(
    "VALIDATION_ERROR biller",
  );
  expect(refused(() => checkProductRules(cable, ask(cable, body), renewal))).toBe("VALIDATION_ERROR amount");
});

test("a subscription runs for the months paid, or for the product's own validity, in the zone's time", async () => {
  const until = async (months: number, validity: string | null) => {
    const wish = ask(cable, { ...body, months });
    return (await cable.simulate(vendRequestOf(cable, wish, { ...compact, validity }, "SBX1"), lagos)).valid_until;
  };
  expect(await until(1, null)).toBe("2026-12-20T14:03:09+01:00");
  expect(await until(2, "30 days")).toBe("2027-01-19T14:03:09+01:00");
  expect(await until(1, "1 week")).toBe("2026-11-27T14:03:09+01:00");
  expect(await until(2, "7d")).toBe("2026-12-04T14:03:09+01:00");
});
