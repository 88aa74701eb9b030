import { expect, test } from "vitest";
import { betting } from "../../src/categories/betting.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import { ask, makeProduct, refused } from "./ask.ts";

const body = { biller: "bet9ja", customer_id: "1042377", amount: "1500.00" };

test("a betting account is funded by its operator's slug or by product", () => {
  expect(ask(betting, body)).toMatchObject({
    selector: { by: "biller", biller: "bet9ja" },
    customerRef: "1042377",
    phone: null,
    amount: 150_000n,
  });
  const { biller: _biller, ...rest } = body;
  expect(ask(betting, { ...rest, product_id: 41 }).selector).toMatchObject({ by: "product", productId: 41 });
  expect(refused(() => ask(betting, rest))).toBe("VALIDATION_ERROR product_id biller");
});

test("an account id is 3 to 32 letters and digits", () => {
  for (const customer_id of ["12", "1".repeat(33), "ab-c", "a b c", ""]) {
    expect(refused(() => ask(betting, { ...body, customer_id }))).toBe("VALIDATION_ERROR customer_id");
  }
});

test("account and amount are compared, a verification is not", () => {
  const { intent } = ask(betting, body);
  expect(ask(betting, { ...body, amount: 1500, verification_id: "ver_1" }).intent).toEqual(intent);
  expect(ask(betting, { ...body, customer_id: "1042378" }).intent).not.toEqual(intent);
  expect(ask(betting, { ...body, amount: 1501 }).intent).not.toEqual(intent);
});

test("a product id with another operator's slug is refused", () => {
  const wish = ask(betting, { ...body, product_id: 41 });
  expect(refused(() => checkProductRules(betting, wish, makeProduct({ biller: { slug: "bet9ja" } })))).toBe("accepted");
  expect(refused(() => checkProductRules(betting, wish, makeProduct({ biller: { slug: "1xbet" } })))).toBe(
    "VALIDATION_ERROR biller",
  );
});
