import { expect, test } from "vitest";
import { data } from "../../src/categories/data.ts";
import { ask, refused } from "./ask.ts";

test("a phone number is the same in every spelling, and is kept in its local form", () => {
  const spellings = ["08031234567", "2348031234567", "+234 803-123-4567", " 0803 123 4567 "];
  const wishes = spellings.map((phone) => ask(data, { product_id: 41, phone }));
  for (const wish of wishes) expect(wish).toEqual(wishes[0]);
  expect(wishes[0]).toMatchObject({ customerRef: "08031234567", phone: "08031234567", quantity: 1, amount: null });
});

test("another number or plan is another purchase", () => {
  const { intent } = ask(data, { product_id: 41, phone: "08031234567" });
  expect(ask(data, { product_id: 41, phone: "08031234568" }).intent).not.toEqual(intent);
  expect(ask(data, { product_id: 42, phone: "08031234567" }).intent).not.toEqual(intent);
});

test("what is no Nigerian mobile number is INVALID_PHONE; a missing one is a missing field", () => {
  for (const phone of ["", "0803123456", "080312345678", "+1 212 555 0100", "٠٨٠٣١٢٣٤٥٦٧", "0".repeat(60)]) {
    expect(refused(() => ask(data, { product_id: 41, phone }))).toBe("INVALID_PHONE phone");
  }
  expect(refused(() => ask(data, { product_id: 41 }))).toBe("VALIDATION_ERROR phone");
});

test("ported is a boolean and is remembered; it is no part of what is compared", () => {
  const body = { product_id: 41, phone: "08031234567" };
  expect(ask(data, { ...body, ported: false }).ported).toBe(false);
  expect(ask(data, body).ported).toBeNull();
  expect(ask(data, { ...body, ported: false }).intent).toEqual(ask(data, body).intent);
  expect(refused(() => ask(data, { ...body, ported: "false" }))).toBe("VALIDATION_ERROR ported");
});

test("a product id is a whole number, as number or digits, and nothing else", () => {
  const phone = "08031234567";
  expect(ask(data, { product_id: "41", phone }).selector).toMatchObject({ by: "product", productId: 41 });
  for (const product_id of [0, -1, 1.5, "1.5", "4e1", "", " 41", true, [41], 2 ** 31, "٤١"]) {
    expect(refused(() => ask(data, { product_id, phone }))).toBe("VALIDATION_ERROR product_id");
  }
});
