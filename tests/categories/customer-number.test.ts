import { describe, expect, test } from "vitest";
import { type CategorySlug, categoryOf } from "../../src/categories/category-slugs.ts";
import { hasMeterTypes, readCustomerNumber } from "../../src/categories/customer-number.ts";
import { categories } from "../../src/categories/registry.ts";
import { ask, refused } from "./ask.ts";
import { customerNumberOf, exampleOf } from "./examples.ts";

const read = (slug: CategorySlug, text: string) => readCustomerNumber(categoryOf(slug), text, "customer_ref");

test.each<readonly [CategorySlug, string, string]>([
  ["data", "+234 803 123 4567", "08031234567"],
  ["sms", "2348031234567", "08031234567"],
  ["giftcard", "0803-123-4567", "08031234567"],
  ["electricity", "0123456", "0123456"],
  ["cable", "7032145678", "7032145678"],
  ["betting", "Ada1042377", "Ada1042377"],
  ["internet", "ada+1@smile.ng", "ada+1@smile.ng"],
])("%s keeps %j as %j", (slug, text, kept) => {
  expect(read(slug, text)).toBe(kept);
});

test.each<readonly [CategorySlug, string, string]>([
  ["airtime", "45012345678", "INVALID_PHONE customer_ref"],
  ["recharge_pin", "0803", "INVALID_PHONE customer_ref"],
  ["sms", "08031234567,08051234567", "INVALID_PHONE customer_ref"],
  ["electricity", "12345", "INVALID_METER customer_ref"],
  ["electricity", "45012345678\n", "INVALID_METER customer_ref"],
  ["cable", "123456789012345", "INVALID_SMARTCARD customer_ref"],
  ["betting", "a b", "VALIDATION_ERROR customer_ref"],
  ["internet", "x".repeat(65), "VALIDATION_ERROR customer_ref"],
])("%s refuses %j: %s", (slug, text, refusal) => {
  expect(refused(() => read(slug, text))).toBe(refusal);
});

describe.each(categories)("$slug", (category) => {
  test("what a purchase keeps as the customer's number is what is saved, and can be sent again", () => {
    const { body } = exampleOf(category);
    const customerRef = customerNumberOf(category);
    expect(readCustomerNumber(category, customerRef, "customer_ref")).toBe(customerRef);
    const again = ask(category, { ...body, [category.customerField]: customerRef });
    expect(again.customerRef).toBe(customerRef);
  });

  test("the customer's number stands in what is compared under its field's name, and nowhere else", () => {
    const { body } = exampleOf(category);
    const number = customerNumberOf(category);
    const [one, other] = ["1", "2"].map((end) => {
      return ask(category, { ...body, [category.customerField]: `${number.slice(0, -1)}${end}` }).intent;
    });
    expect(one![category.customerField]).not.toEqual(other![category.customerField]);
    expect({ ...one, [category.customerField]: null }).toEqual({ ...other, [category.customerField]: null });
  });
});

test("only meters are prepaid or postpaid", () => {
  expect(categories.filter(hasMeterTypes).map(({ slug }) => slug)).toEqual(["electricity"]);
});
