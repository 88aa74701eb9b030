import { describe, expect, test } from "vitest";
import { categoryOf } from "../../../src/categories/category-slugs.ts";
import { findLines } from "../../../src/http/merchant/bulk/bulk-body.ts";
import { kobo } from "../../../src/kernel/money.ts";
import type { Answer } from "../../support/app.ts";
import { expectOrder, phones } from "../../support/bulk-orders.ts";
import { sharedApp } from "../../support/shared-app.ts";

// What an order may cost the service, whatever stands in it.
const app = await sharedApp();
const key = (await app.createMerchant({ testCredit: kobo(10_000_000_000n) })).testKey;
const phone = "08031234567";
const plan = 1002;

const place = (category: "airtime" | "data", body: unknown) => app.call(key, `/${category}/bulk`, { body });

describe("the phones shorthand", () => {
  test("gives each line the fields that a line has, and none of the others that were sent", async () => {
    const order = { reference: "noted", product_id: plan, ported: null, note: "x", phones: [phone] };
    const sent = findLines(categoryOf("data"), { ...order, ported: undefined });
    expect(sent.fieldsOf(phone)).toEqual({ product_id: plan, phone });
    const notes = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`note${n}`, "x".repeat(40)]));
    expectOrder(await place("data", { ...order, ...notes, phones: phones(10_000) }), 201, 10_000);
  });

  test("400 INVALID_JSON where an object has more than a hundred names", async () => {
    const others = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, 1]));
    const body = JSON.stringify({ reference: "many", product_id: plan, ...others, phones: phones(10_000) });
    const answer = await place("data", body);
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_JSON"]);
    expect(answer.body.message).toBe("An object of the body has more than 100 names.");
  });
});

describe("an order with thousands of wrong lines", () => {
  const line = { phone, product_id: plan };

  function expectFirstHundred(answer: Answer, status: number, wrong: number, lines: readonly number[]): void {
    expect([answer.status, answer.body.meta]).toEqual([status, { invalid_lines: wrong }]);
    const named = Object.keys(answer.body.errors).map((field) => Number(field.split(".")[1]));
    expect([...new Set(named)]).toEqual(lines);
    expect(JSON.stringify(answer.body).length).toBeLessThan(50_000);
  }
  const from = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);

  test("400 names the first hundred that are malformed, and says how many there are", async () => {
    const items = Array.from({ length: 10_000 }, () => ({}));
    expectFirstHundred(await place("data", { reference: "empty", items }), 400, 10_000, from(0, 100));
    const bad = await place("data", { reference: "bad", product_id: plan, phones: from(0, 10_000).map(String) });
    expectFirstHundred(bad, 400, 10_000, from(0, 100));
    expect(bad.body.code).toBe("INVALID_PHONE");
  });

  test("400 names the first hundred, whether they are malformed or of an unknown product", async () => {
    const items = from(0, 1_000).map((n) => (n < 50 ? { phone, product_id: 1 } : { ...line, phone: "x" }));
    const answer = await place("data", { reference: "both", items: [line, ...items] });
    expectFirstHundred(answer, 400, 1_000, from(1, 100));
    expect(Object.keys(answer.body.errors)).toEqual(
      expect.arrayContaining(["items.1.product_id", "items.50.product_id", "items.51.phone"]),
    );
  });

  test("400 keeps the code that fits all, also of the lines that it does not name", async () => {
    const items = [...from(0, 200).map(() => ({ ...line, phone: "x" })), { phone }];
    const answer = await place("data", { reference: "last", items });
    expectFirstHundred(answer, 400, 201, from(0, 100));
    expect(answer.body.code).toBe("VALIDATION_ERROR");
  });

  test("400 names the first hundred of unknown products, and of repeated references", async () => {
    const unknown = Array.from({ length: 10_000 }, () => ({ phone, product_id: 1 }));
    expectFirstHundred(await place("data", { reference: "unknown", items: unknown }), 400, 10_000, from(0, 100));
    const repeated = Array.from({ length: 10_000 }, () => ({ ...line, reference: "again" }));
    expectFirstHundred(await place("data", { reference: "repeated", items: repeated }), 400, 10_000, from(0, 100));
  });

  test("409 names the first hundred whose references are used already", async () => {
    const used = from(0, 150).map((n) => ({ ...line, reference: `used-${n}` }));
    expectOrder(await place("data", { reference: "first", items: used }), 201, 150);
    const again = await place("data", { reference: "second", items: [line, ...used] });
    expect(again.body.code).toBe("REFERENCE_CONFLICT");
    expectFirstHundred(again, 409, 150, from(1, 100));
  });
});

describe("a value of a type that its field does not take", () => {
  const values = [
    "12345678901234567891",
    "5",
    "true",
    '{"toString":1}',
    '{"toString":null,"valueOf":1}',
    "[]",
    '["x"]',
  ];
  const sound: Readonly<Record<string, string>> = {
    phone: '"08031234567"',
    product_id: "2001",
    amount: "100",
    reference: '"r-1"',
  };
  const fields = ["reference", "phone", "product_id", "network", "amount", "ported"];

  /** A number of digits is a product, an amount; a boolean says whether a number was ported. */
  const isTaken = (field: string, value: string) =>
    (value === "true" && field === "ported") || (value === "5" && (field === "product_id" || field === "amount"));
  const wrong = fields.flatMap((field) =>
    [...values, ...(field === "reference" ? ["null"] : [])]
      .filter((value) => !isTaken(field, value))
      .map((value) => [field, value] as const),
  );

  test.each(wrong)("400 %s %s in a line, in the shorthand and in the order", async (field, value) => {
    const line = Object.entries({ ...sound, [field]: value }).map(([name, text]) => `"${name}":${text}`);
    const inLine = await place("airtime", `{"reference":"o","items":[{${line.join(",")}}]}`);
    const phonesList = field === "phone" ? value : sound.phone;
    const order = Object.entries({ ...sound, [field]: value }).filter(([name]) => name !== "phone");
    const text = order.map(([name, member]) => `"${name}":${member}`).join(",");
    const inShorthand = await place("airtime", `{${text},"phones":[${phonesList}]}`);
    const beside = await place("airtime", `{${text},"items":[{${line.join(",")}}]}`);
    const asList = await place("airtime", `{"reference":"o","items":${value},"phones":${value}}`);
    for (const answer of [inShorthand, beside, asList])
      expect([answer.status, answer.body.message]).toEqual([400, expect.any(String)]);
    // A line's reference may be left out, or null.
    expect(inLine.status).toBe(field === "reference" && value === "null" ? 201 : 400);
  });
});
