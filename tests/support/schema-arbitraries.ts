import fc from "fast-check";
import type { ApiDocument } from "../../src/http/openapi/api-document.ts";
import type { SchemaObject } from "../../src/http/openapi/schema-object.ts";

/** Values that belong nowhere. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 50 }),
  fc.string({ unit: "binary", maxLength: 50 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    "",
    " ",
    "0",
    "-1",
    "1.234",
    "1e3",
    [],
    {},
    [[]],
    [null],
    { a: { b: {} } },
  ),
  fc.constantFrom<unknown>(
    "x".repeat(3_000),
    "0803123\x002",
    "08031234567\n",
    "٠٨٠٣١٢٣٤٥٦٧",
    "<script>",
    "'; drop table purchases; --",
    "99999999999.99",
  ),
  fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 3 }),
);

/** Arbitraries of values that fit a schema of the document. */
export class SchemaArbitraries {
  readonly #document: ApiDocument;

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  propertiesOf(schema: SchemaObject): Readonly<Record<string, SchemaObject>> {
    return (this.#resolved(schema).properties ?? {}) as Readonly<Record<string, SchemaObject>>;
  }

  fitting(schema: SchemaObject): fc.Arbitrary<unknown> {
    const whole = this.#resolved(schema);
    if ("const" in whole) return fc.constant(whole.const);
    if (Array.isArray(whole.enum)) return fc.constantFrom<unknown>(...whole.enum);
    if (Array.isArray(whole.anyOf))
      return fc.oneof(...whole.anyOf.map((branch) => this.fitting(branch as SchemaObject)));
    const types = [whole.type ?? []].flat().map((type) => this.#ofType(String(type), whole));
    const examples = Array.isArray(whole.examples) ? [fc.constantFrom<unknown>(...whole.examples)] : [];
    return types.length === 0 ? fc.jsonValue({ maxDepth: 2 }) : fc.oneof(...examples, ...types);
  }

  #resolved(schema: SchemaObject): SchemaObject {
    if (typeof schema.$ref !== "string") return schema;
    return this.#document.components.schemas[schema.$ref.replace("#/components/schemas/", "")] ?? {};
  }

  #ofType(type: string, schema: SchemaObject): fc.Arbitrary<unknown> {
    const bound = (name: string, usual: number): number => (typeof schema[name] === "number" ? schema[name] : usual);
    switch (type) {
      case "integer":
        return fc.integer({ min: bound("minimum", 0), max: Math.min(bound("maximum", 100), Number.MAX_SAFE_INTEGER) });
      case "number":
        return fc.integer({ min: 1, max: 10_000_000 }).map((hundredths) => hundredths / 100);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array": {
        const items = schema.items === undefined ? junk : this.fitting(schema.items as SchemaObject);
        return fc.array(items, { minLength: bound("minItems", 0), maxLength: 5 });
      }
      case "object":
        return this.#object(schema);
      default:
        return textOf(schema, bound("minLength", 0), Math.min(bound("maxLength", 50), 200));
    }
  }

  #object(schema: SchemaObject): fc.Arbitrary<unknown> {
    const properties = Object.entries(this.propertiesOf(schema)).map(
      ([name, field]) => [name, this.fitting(field)] as const,
    );
    const required = [schema.required ?? []].flat().map(String);
    const extra =
      schema.additionalProperties === undefined
        ? fc.constant({})
        : fc.dictionary(fc.string({ maxLength: 10 }), junk, { maxKeys: 3 });
    return fc
      .tuple(fc.record(Object.fromEntries(properties), { requiredKeys: required }), extra)
      .map(([named, more]) => ({ ...more, ...(named as object) }));
  }
}

/** By its pattern where fast-check can read that; looking ahead it can't, and there the examples have to do. */
function textOf(schema: SchemaObject, minLength: number, maxLength: number): fc.Arbitrary<string> {
  const { pattern } = schema;
  if (typeof pattern !== "string") return fc.string({ unit: "grapheme", minLength, maxLength });
  if (pattern.includes("(?!")) return fc.stringMatching(/^[A-Za-z0-9_:-]{1,30}$/);
  return fc.stringMatching(new RegExp(pattern), { size: "-1" });
}
