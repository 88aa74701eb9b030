import type { TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { cable, newCardSuffix } from "../../src/categories/cable.ts";
import type { Category, Verification } from "../../src/categories/category.ts";
import { categoryOf } from "../../src/categories/category-slugs.ts";
import { debtSuffix } from "../../src/categories/customer-number.ts";
import { simulatedFindings } from "../../src/categories/fulfilment/simulated.ts";
import type { Product } from "../../src/categories/product/product.ts";
import { categories } from "../../src/categories/registry.ts";
import type { VerifyRequest } from "../../src/categories/supplier-request.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closed } from "../support/wire-expectations.ts";
import { ask, lagos, makeProduct, vendRequestOf } from "./ask.ts";
import { exampleOf } from "./examples.ts";

const verifying = categories.flatMap((category) =>
  category.verify === undefined ? [] : [{ slug: category.slug, category, verify: category.verify }],
);

const fixed = { amountType: "fixed", minAmount: null, maxAmount: null } as const;
const bouquets = [
  makeProduct({ ...fixed, face: kobo(1_900_000n), plan: "Compact" }),
  makeProduct({ ...fixed, face: kobo(4_450_000n), plan: "Premium" }),
];
const addOn = makeProduct({ ...fixed, face: kobo(700_000n), name: "DStv French Touch add-on" });
const renewal = makeProduct({ amountType: "variable", name: "DStv renewal" });
const products = [...bouquets, addOn, renewal];

const at = Date.UTC(2026, 10, 20, 13, 3, 9);

/** The example's inquiry about another number. */
function inquiryOf(verify: Verification, customerRef: string) {
  const [body] = Object.values(verify.examples);
  return { ...verify.read(body as never), customerRef };
}

function requestOf(category: Category, customerRef: string, offered: readonly Product[] = products): VerifyRequest {
  const { details } = inquiryOf(category.verify!, customerRef);
  const biller = { category: category.slug, billerSlug: "sample-biller", billerName: "Sample Biller" };
  const offers = offered.map(({ id, code, name, plan, face }) => ({
    productId: id,
    productCode: code,
    productName: name,
    plan,
    face,
  }));
  return { mode: "test", ...biller, customerRef, supplierCode: null, details, products: offers, at };
}

const numbers = Array.from({ length: 60 }, (_, index) => String(70_321_000 + index * 7));

/** The value has these fields and no other. */
function expectFits(schema: TSchema, value: unknown): void {
  expect(Compile(closed(schema)).Errors(value)).toEqual([]);
}

test("what requires verification in the contract has it: meters, smartcards, betting and internet accounts", () => {
  expect(verifying.map(({ verify }) => verify.path).sort()).toEqual([
    "/betting/verify",
    "/cable/verify",
    "/electricity/verify",
    "/internet/verify",
  ]);
});

describe.each(verifying)("$slug", ({ category, verify }) => {
  const findOut = simulatedFindings(lagos);

  test("findings and answers fit the schemas that document them, and hold nothing that these do not name", () => {
    for (const customerRef of numbers) {
      const found = findOut(requestOf(category, customerRef));
      expectFits(verify.findings, found);
      const reply = verify.answerOf(inquiryOf(verify, customerRef), found as never, products);
      expectFits(verify.answer, reply);
      expect(reply).toMatchObject({ [category.customerField]: customerRef });
    }
  });

  test("asking again tells the same, and another number belongs to somebody else", () => {
    const names = numbers.map((customerRef) => findOut(requestOf(category, customerRef)).customer_name);
    expect(numbers.map((customerRef) => findOut(requestOf(category, customerRef)).customer_name)).toEqual(names);
    expect(new Set(names).size).toBeGreaterThan(20);
  });

  test("a purchase for the number tells what its verification told", async () => {
    const { body, product } = exampleOf(category);
    const wish = ask(category, body);
    const found = findOut(requestOf(category, wish.customerRef!));
    const fulfilment = await category.simulate(vendRequestOf(category, wish, product, "SBX1"), lagos);
    for (const field of ["customer_name", "customer_address"]) {
      if (field in fulfilment) expect(fulfilment[field]).toBe(found[field]);
    }
    if (category.slug === "electricity") expect(fulfilment.tariff_band).toBe(found.tariff_class);
  });

  test("its examples are requests that its schema accepts", () => {
    for (const body of Object.values(verify.examples)) {
      expect(ask({ ...category, body: verify.body, read: verify.read as never }, body as JsonObject)).toMatchObject({
        customerRef: expect.any(String),
      });
    }
  });

  test("it takes the number that its purchases take, by the same rule", () => {
    const own = (body: TSchema) => (body as ReturnType<typeof Type.Object>).properties[category.customerField];
    expect(own(verify.body)).toBe(own(category.body));
  });
});

describe("electricity", () => {
  const { verify } = categoryOf("electricity");

  test("a meter in debt says how much, and can be sold to", () => {
    const found = verify!.simulate(requestOf(categoryOf("electricity"), `4501234${debtSuffix}`), lagos);
    expect(found).toMatchObject({ outstanding_debt: "500.00", can_vend: true });
  });

  test("the range is that of the products that are meant, and null where their prices are fixed", () => {
    const inquiry = inquiryOf(verify!, "45012345678");
    const report = (of: Product[]) => verify!.answerOf(inquiry, {} as never, of);
    const narrow = makeProduct({ minAmount: 100_000n, maxAmount: 20_000_000n });
    expect(report([narrow])).toMatchObject({ min_amount: "1000.00", max_amount: "200000.00" });
    const wide = makeProduct({ minAmount: 50_000n, maxAmount: 10_000_000n });
    expect(report([narrow, wide, bouquets[0]!])).toMatchObject({ min_amount: "500.00", max_amount: "200000.00" });
    expect(report([bouquets[0]!])).toMatchObject({ min_amount: null, max_amount: null });
  });
});

describe("cable", () => {
  const verify = cable.verify!;
  const found = (customerRef: string, of: readonly Product[] = products) =>
    verify.simulate(requestOf(cable, customerRef, of), lagos) as JsonObject;

  test("the bouquet is one of the biller's own, never an add-on, and costs what it costs", () => {
    const reply = numbers.map((customerRef) => found(customerRef));
    const pairs = new Set(reply.map((facts) => `${facts.current_bouquet} ${facts.renewal_amount}`));
    expect(pairs).toEqual(new Set(["Compact 19000.00", "Premium 44500.00"]));
  });

  test("what is paid until today or later is active, what ended yesterday is expired", () => {
    const reply = numbers.map((customerRef) => found(customerRef));
    expect(new Set(reply.map(({ account_status }) => account_status))).toEqual(new Set(["active", "expired"]));
    for (const { account_status, due_date } of reply) {
      expect(account_status).toBe(String(due_date) >= "2026-11-20" ? "active" : "expired");
    }
  });

  test("a new smartcard has no bouquet, nor does one of a biller without bouquets", () => {
    const nothing = {
      account_status: "new",
      current_bouquet: null,
      current_product_id: null,
      due_date: null,
      renewal_amount: null,
    };
    expect(found(`7032${newCardSuffix}`)).toMatchObject(nothing);
    expect(found("70321000", [renewal])).toMatchObject(nothing);
  });

  test("the renewal amount is told where a renewal can be bought, and only there", () => {
    const facts = found("70321000");
    const inquiry = inquiryOf(verify, "70321000");
    expect(verify.answerOf(inquiry, facts as never, products).renewal_amount).toBe(facts.renewal_amount);
    expect(verify.answerOf(inquiry, facts as never, bouquets).renewal_amount).toBeNull();
  });
});
