import { expect, test } from "vitest";
import { airtime } from "../../src/categories/airtime.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, makeProduct, refused } from "./ask.ts";

const body = { network: "MTN", phone: "08031234567", amount: "100.00" };
const mtn = makeProduct({ biller: { network: "MTN" } });

test("an amount is the same in every spelling, and another amount is another purchase", () => {
  const { intent, amount } = ask(airtime, body);
  expect(amount).toBe(10_000n);
  for (const same of [100, "100", "100.0", 100.0])
    expect(ask(airtime, { ...body, amount: same }).intent).toEqual(intent);
  expect(ask(airtime, { ...body, amount: "100.01" }).intent).not.toEqual(intent);
});

test("an amount that is not positive, or finer than a kobo, is refused", () => {
  for (const amount of [
    0,
    "0.00",
    -100,
    "-100",
    "100.001",
    100.001,
    "1e3",
    "",
    "١٠٠",
    "1,000",
    "99999999999",
    true,
    null,
  ]) {
    expect(refused(() => ask(airtime, { ...body, amount }))).toBe("VALIDATION_ERROR amount");
  }
});

test("a network is the same in any case, and T2 is 9mobile", () => {
  expect(ask(airtime, { ...body, network: "mtn" })).toMatchObject({ intent: ask(airtime, body).intent });
  expect(ask(airtime, { ...body, network: "T2" }).selector).toMatchObject({ by: "network", network: "9MOBILE" });
  expect(refused(() => ask(airtime, { ...body, network: "Vodafone" }))).toBe("VALIDATION_ERROR network");
});

test("a network means its one product of a variable amount", () => {
  const { selector } = ask(airtime, body);
  const fits = (product: typeof mtn) => selector.claims.every((claim) => claim.holds(product));
  expect(selector).toMatchObject({ by: "network", network: "MTN" });
  expect(fits(mtn)).toBe(true);
  expect(fits(makeProduct({ amountType: "fixed", face: kobo(10_000n) }))).toBe(false);
});

test("nothing that says what to buy is refused on product_id and network", () => {
  expect(refused(() => ask(airtime, { phone: body.phone, amount: 100 }))).toBe("VALIDATION_ERROR product_id network");
});

test("a product id wins over the network, which must be the product's own", () => {
  const wish = ask(airtime, { ...body, product_id: 41 });
  expect(wish.selector).toMatchObject({ by: "product", productId: 41 });
  expect(refused(() => checkProductRules(airtime, wish, mtn))).toBe("accepted");
  expect(refused(() => checkProductRules(airtime, wish, makeProduct({ biller: { network: "GLO" } })))).toBe(
    "VALIDATION_ERROR network",
  );
});

test("a product of a fixed value takes its own amount and no other", () => {
  const fixed = makeProduct({ amountType: "fixed", face: kobo(20_000n), biller: { network: "MTN" } });
  const wish = (amount: string) => ask(airtime, { product_id: 41, phone: body.phone, amount });
  expect(refused(() => checkProductRules(airtime, wish("200"), fixed))).toBe("accepted");
  expect(refused(() => checkProductRules(airtime, wish("100"), fixed))).toBe("AMOUNT_OUT_OF_RANGE amount");
});
