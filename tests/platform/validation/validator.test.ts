import { fastify } from "fastify";
import type { TSchema } from "typebox";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import {
  billerField,
  emailField,
  integerField,
  meterNumberField,
  nairaField,
  phoneField,
  productIdField,
  quantityField,
  textField,
} from "../../../src/categories/fields.ts";
import { type Fault, refusalOf } from "../../../src/platform/validation/faults.ts";
import { buildValidator, patternTextMax, validatorCompiler } from "../../../src/platform/validation/validator.ts";

const compile = validatorCompiler(buildValidator());

/** The refusal's code and what it answers about fields; null when the body is accepted. */
function validate(schema: TSchema, body: unknown) {
  const validator = compile({ schema });
  if (validator(body)) return null;
  const { code, message, detail } = refusalOf(validator.errors ?? []);
  return { code, message, errors: detail.errors, meta: detail.meta };
}

/** The error code of one field on its own; "accepted" when there is none. */
function fieldCode(schema: TSchema, value: unknown): string {
  return validate(Type.Object({ field: schema }), { field: value })?.code ?? "accepted";
}

const line = Type.Object({ phone: phoneField, product_id: productIdField });
const bulk = Type.Object({
  reference: Type.String(),
  items: Type.Array(line, { minItems: 1, maxItems: 10_000, "x-problem": { maxItems: "TOO_MANY_ITEMS" } }),
});

describe("fields of the wire", () => {
  test("an amount is what money reads, and nothing is coerced to one", () => {
    const amount = nairaField("Amount.");
    for (const value of ["100", "100.5", "100.50", 100, 100.5, "0.01"])
      expect(fieldCode(amount, value)).toBe("accepted");
    for (const value of ["", "0", "0.00", "-1", "1e3", "١٠٠", " 100", "100.001", 0, -1, 0.001, true, [5], {}, null]) {
      expect([value, fieldCode(amount, value)]).toEqual([value, "VALIDATION_ERROR"]);
    }
    expect(fieldCode(amount, Number.POSITIVE_INFINITY)).toBe("VALIDATION_ERROR");
  });

  test("an integer is a whole number or its digits, within bounds", () => {
    const field = integerField({ minimum: 1, maximum: 9 });
    for (const value of [1, 9, "1", "09", 5.0]) expect(fieldCode(field, value)).toBe("accepted");
    for (const value of [0, 10, "0", "10", -1, 1.5, "1.5", "", "١", true, [5], 1e300, "9".repeat(400), null]) {
      expect([value, fieldCode(field, value)]).toEqual([value, "VALIDATION_ERROR"]);
    }
  });

  test("a quantity out of bounds has a code of its own and tells the bounds; one that is no number has not", () => {
    const schema = Type.Object({ quantity: quantityField(5, "How many.") });
    for (const quantity of [0, -1, 6, "6", "-3", "00"]) {
      expect(validate(schema, { quantity })).toEqual({
        code: "QUANTITY_OUT_OF_RANGE",
        message: "The field quantity must be a whole number from 1 to 5.",
        errors: { quantity: ["Must be a whole number from 1 to 5."] },
        meta: { min_quantity: 1, max_quantity: 5 },
      });
    }
    for (const quantity of ["five", 1.5, true, null]) {
      expect(validate(schema, { quantity })?.code).toBe("VALIDATION_ERROR");
    }
  });

  test("two fields of one validator keep their own patterns", () => {
    const schema = Type.Object({ phone: phoneField, biller: billerField });
    expect(validate(schema, { phone: "08031234567", biller: "dstv" })).toBeNull();
    expect(validate(schema, { phone: "dstv", biller: "dstv" })).toMatchObject({ code: "INVALID_PHONE" });
    expect(validate(schema, { phone: "08031234567", biller: "DStv" })).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  // A pattern that reads each place again from every other takes a quarter of an hour for it.
  test("a megabyte of dashes is refused by reading it once", { timeout: 20_000 }, () => {
    for (const field of [phoneField, emailField, billerField]) {
      expect(fieldCode(field, "-".repeat(1_000_000))).not.toBe("accepted");
    }
  });

  test("the longest e-mail address is shorter than the longest text that a pattern reads", () => {
    const longest = `${"a".repeat(64)}@${"b".repeat(190)}`;
    expect(longest.length).toBeLessThanOrEqual(patternTextMax);
    expect(fieldCode(emailField, longest)).toBe("accepted");
    expect(fieldCode(emailField, `a${longest}`)).toBe("VALIDATION_ERROR");
  });

  test("what was accepted is left as it was sent", () => {
    const body = { field: "100", unknown: { anything: 1 } };
    expect(validate(Type.Object({ field: nairaField("Amount."), other: Type.Optional(Type.Null()) }), body)).toBeNull();
    expect(body).toEqual({ field: "100", unknown: { anything: 1 } });
  });
});

describe("what a client reads", () => {
  test("one wrong field: its code, its sentence, and a message that names it", () => {
    expect(validate(line, { phone: "123", product_id: 1 })).toEqual({
      code: "INVALID_PHONE",
      message: "The field phone must be a Nigerian mobile number such as 08031234567.",
      errors: { phone: ["Must be a Nigerian mobile number such as 08031234567."] },
      meta: undefined,
    });
  });

  test("a phone that lost its first zero, quoted or not: the number that it may be", () => {
    for (const phone of ["8031234567", 8031234567]) {
      const { errors } = validate(line, { phone, product_id: 1 }) ?? {};
      expect(errors?.phone).toEqual([
        expect.stringMatching(/^Has 10 digits. Send "08031234567" if its first 0 was lost/),
      ]);
    }
    expect(validate(line, { phone: "1031234567", product_id: 1 })?.errors?.phone).toEqual([
      "Must be a Nigerian mobile number such as 08031234567.",
    ]);
  });

  test("fields that fail for different reasons are one VALIDATION_ERROR that names them all", () => {
    expect(validate(line, { phone: "123" })).toEqual({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(/^The field (phone|product_id) .* 1 more field is wrong\.$/),
      errors: { phone: [expect.any(String)], product_id: ["Is required."] },
      meta: undefined,
    });
  });

  test("the first field's code is not the answer's when another field fails otherwise", () => {
    const schema = Type.Object({ phone: phoneField, amount: nairaField("Amount.") });
    expect(validate(schema, { phone: "1", amount: "0" })).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: { phone: [expect.any(String)], amount: [expect.any(String)] },
    });
  });

  test("fields that fail for the same reason share its code", () => {
    const schema = Type.Object({ phone: phoneField, recipient_phone: phoneField });
    expect(validate(schema, { phone: "1", recipient_phone: "2" })?.code).toBe("INVALID_PHONE");
  });

  test("a body that is no object is refused as such", () => {
    for (const body of [undefined, null, [], "text", 5]) {
      expect(validate(line, body)).toMatchObject({
        code: "VALIDATION_ERROR",
        errors: { body: ["Must be an object."] },
      });
    }
  });

  test("keys follow the path as it was sent, from zero", () => {
    const items = [{ phone: "08031234567", product_id: 1 }, { phone: "1", product_id: 1 }, { product_id: 1 }, 5];
    expect(validate(bulk, { reference: "r", items })?.errors).toEqual({
      "items.1.phone": ["Must be a Nigerian mobile number such as 08031234567."],
      "items.2.phone": ["Is required."],
      "items.3": ["Must be an object."],
    });
    expect(validate(Type.Record(Type.String(), Type.Integer()), { "a/b~c": "x" })?.errors).toEqual({
      "a/b~c": ["Must be a whole number."],
    });
  });

  test.each([
    [Type.String(), true, "Must be a string."],
    [Type.String(), 5, "Must be a string: put the number in quotes."],
    [Type.Unsafe({ type: ["string", "null"] }), 5, "Must be a string: put the number in quotes."],
    [meterNumberField, 45_012_345_678, "Must be a string: put the number in quotes."],
    [meterNumberField, "12", "Must have 6 to 13 digits."],
    [integerField({ minimum: 1, maximum: 9 }), 1.5, "Must be a whole number from 1 to 9."],
    [Type.Boolean(), "true", "Must be true or false."],
    [Type.Integer(), 1.5, "Must be a whole number."],
    [Type.Integer({ minimum: 3 }), 2, "Must be at least 3."],
    [Type.Integer({ maximum: 3 }), 4, "Must be at most 3."],
    [Type.Unsafe({ type: ["string", "number"] }), true, "Must be a string or a number."],
    [textField({ minLength: 1, maxLength: 3 }), "", "Must not be empty."],
    [textField({ minLength: 2, maxLength: 3 }), "a", "Must have at least 2 characters."],
    [textField({ maxLength: 3 }), "four", "Must have at most 3 characters."],
    [Type.String({ pattern: "^a$" }), "b", "Has the wrong form."],
    [Type.Enum(["standard", "dnd"]), "fast", "Must be one of standard, dnd."],
    [Type.Literal("renew"), "change", "Must be renew."],
    [Type.Array(Type.String(), { minItems: 1 }), [], "Must not be empty."],
    [Type.Object({}, { maxProperties: 1 }), { a: 1, b: 2 }, "Must have at most 1 fields."],
    [Type.Unsafe({ "x-naira": true }), "0", "Must be a positive amount with at most two decimals."],
  ])("a sentence for every keyword (%#)", (schema, value, sentence) => {
    expect(validate(Type.Object({ field: schema }), { field: value })?.errors).toEqual({ field: [sentence] });
  });

  test("a field that fits none of its forms is one sentence, not one for each form", () => {
    const either = Type.Union([Type.Array(Type.String()), Type.Object({ list: Type.String() })]);
    expect(validate(Type.Object({ field: either }), { field: 5 })?.errors).toEqual({
      field: ["Has none of the allowed forms."],
    });
    const found = Type.Union([Type.String(), Type.Null()], { "x-message": "Must be an address or null." });
    expect(validate(Type.Object({ field: found, other: Type.String() }), { field: 5 })?.errors).toEqual({
      field: ["Must be an address or null."],
      other: ["Is required."],
    });
  });

  test("the value that was sent is never repeated", () => {
    const refusal = validate(line, { phone: "4111111111111111", product_id: "s3cret" });
    expect(JSON.stringify(refusal)).not.toMatch(/4111|s3cret/);
  });
});

describe("bounds", () => {
  test("a list that is too long is refused before its items are read", () => {
    const read: PropertyKey[] = [];
    const items = new Proxy(Array(1_000_000), {
      get(list, name) {
        if (/^\d+$/.test(String(name))) read.push(name);
        return Reflect.get(list, name);
      },
    });
    const refusal = validate(bulk, { items });
    expect(read).toEqual([]);
    expect(refusal).toEqual({
      code: "TOO_MANY_ITEMS",
      message: "The field items must have at most 10000 items.",
      errors: { items: ["Must have at most 10000 items."] },
      meta: { max_items: 10_000 },
    });
  });

  test("an answer has an end, however many fields are wrong", () => {
    const fault = (index: number): Fault => ({
      keyword: "type",
      instancePath: `/field${index}`,
      schemaPath: "#/type",
      params: { type: "string" },
    });
    const refusal = refusalOf(Array.from({ length: 60_000 }, (_, index) => fault(index)));
    expect(Object.keys(refusal.detail.errors ?? {})).toHaveLength(1_000);
  });
});

test("Fastify takes the compiler, and hands its errors on with all that a refusal needs", async () => {
  const app = fastify({ schemaErrorFormatter: (errors) => refusalOf(errors) });
  app.setValidatorCompiler(validatorCompiler(buildValidator()));
  app.setErrorHandler((error: { code?: string; detail?: { errors?: object } }, _request, reply) =>
    reply.status(400).send({ code: error.code, errors: error.detail?.errors }),
  );
  app.post("/", { schema: { body: line } }, async (request) => request.body);

  const refused = await app.inject({ method: "POST", url: "/", payload: { phone: "12", product_id: 1 } });
  expect(refused.json()).toEqual({
    code: "INVALID_PHONE",
    errors: { phone: ["Must be a Nigerian mobile number such as 08031234567."] },
  });
  const accepted = await app.inject({ method: "POST", url: "/", payload: { phone: "08031234567", product_id: "41" } });
  expect(accepted.json()).toEqual({ phone: "08031234567", product_id: "41" });
  await app.close();
});
