import { expect, test } from "vitest";
import { internet } from "../../src/categories/internet.ts";
import { checkProductRules } from "../../src/domain/purchases/buying/rules.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { product_id: 41, account_number: "ada+home@example.ng" };
const plan = makeProduct({ amountType: "fixed", face: kobo(510_000n), plan: "5GB" });

test("an account is 4 to 64 letters, digits and @ . _ + -", () => {
  expect(ask(internet, body)).toMatchObject({ customerRef: "ada+home@example.ng", phone: null });
  for (const account_number of ["abc", "a".repeat(65), "ada home", "ada'--", ""]) {
    expect(refused(() => ask(internet, { ...body, account_number }))).toBe("VALIDATION_ERROR account_number");
  }
});

test("account and amount are compared, the contact phone is not", () => {
  const { intent } = ask(internet, body);
  expect(ask(internet, { ...body, phone: "08031234567" }).intent).toEqual(intent);
  expect(ask(internet, { ...body, amount: 500 }).intent).not.toEqual(intent);
  expect(ask(internet, { ...body, account_number: "eve@example.ng" }).intent).not.toEqual(intent);
});

test("a plan takes no amount but its own; a top-up needs one", () => {
  const check = (amount: number | undefined, product: typeof plan) =>
    refused(() =>
      checkProductRules(internet, ask(internet, amount === undefined ? body : { ...body, amount }), product),
    );
  expect(check(undefined, plan)).toBe("accepted");
  expect(check(5100, plan)).toBe("accepted");
  expect(check(5000, plan)).toBe("AMOUNT_OUT_OF_RANGE amount");
  expect(check(5000, { ...plan, face: null })).toBe("VALIDATION_ERROR amount");
  expect(check(undefined, makeProduct())).toBe("VALIDATION_ERROR amount");
});

test("PINs come where the product delivers them, and null where the account is credited", async () => {
  const pinsOf = async (attributes: { delivers_pins?: boolean }) =>
    (await internet.simulate(vendRequestOf(internet, ask(internet, body), { ...plan, attributes }, "SBX1"), lagos))
      .pins;
  expect(await pinsOf({})).toBeNull();
  expect(await pinsOf({ delivers_pins: true })).toHaveLength(1);
});
