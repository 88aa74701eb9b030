import { assert } from "../../kernel/assert.ts";

/** A JSON Schema, as data. */
export type SchemaObject = { readonly [keyword: string]: unknown };

/** The document's `components.schemas`, by name. */
export type SchemaComponents = Map<string, SchemaObject>;

const int32Max = 2_147_483_647;

/**
 * The schema as the document shows it: standard keywords only, and what names itself by `x-component` moved to the
 * components. `x-extends` names a schema of which it repeats the fields: it becomes an `allOf` with the others.
 */
export function documentedSchema(schema: SchemaObject, components: SchemaComponents): SchemaObject {
  const plain = mapSchemas(withoutCondition(schema), (inner) => documentedSchema(inner, components));
  const { "x-component": name, "x-extends": base, ...whole } = plainKeywords(plain);
  const body = isSchema(base) ? extended(documentedSchema(base, components), whole, components) : whole;
  return typeof name === "string" ? reference(name, body, components) : body;
}

/** Every schema within this one, itself first. */
export function eachSchema(schema: SchemaObject): readonly SchemaObject[] {
  const found: SchemaObject[] = [schema];
  mapSchemas(schema, (inner) => {
    found.push(...eachSchema(inner));
    return inner;
  });
  return found;
}

function isSchema(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Which keywords hold one schema, a list of them, or some by name. */
const places = {
  one: ["items", "additionalProperties", "not", "contains", "propertyNames"],
  list: ["anyOf", "oneOf", "allOf", "prefixItems"],
  named: ["properties", "patternProperties"],
} as const;

function mapSchemas(schema: SchemaObject, change: (inner: SchemaObject) => SchemaObject): SchemaObject {
  const copy: Record<string, unknown> = { ...schema };
  for (const keyword of places.one) {
    const inner = schema[keyword];
    if (isSchema(inner)) copy[keyword] = change(inner);
  }
  for (const keyword of places.list) {
    const inner = schema[keyword];
    if (Array.isArray(inner)) copy[keyword] = inner.map((one) => change(one as SchemaObject));
  }
  for (const keyword of places.named) {
    const inner = schema[keyword];
    if (!isSchema(inner)) continue;
    copy[keyword] = Object.fromEntries(
      Object.entries(inner).map(([name, one]) => [name, change(one as SchemaObject)] as const),
    );
  }
  return copy;
}

/** "If this is missing, that is required" is clearer as a sentence, to readers and to generators of clients. */
function withoutCondition(schema: SchemaObject): SchemaObject {
  const { if: condition, else: otherwise, ...rest } = schema;
  if (!isSchema(condition) || !isSchema(otherwise) || !isSchema(rest.properties)) return schema;
  const instead = [condition.required ?? []].flat().join("`, `");
  const properties: Record<string, unknown> = { ...rest.properties };
  for (const name of [otherwise.required ?? []].flat().map(String)) {
    const field = properties[name] as SchemaObject;
    properties[name] = {
      ...field,
      description: `${String(field.description ?? "")} Required, unless \`${instead}\` is sent.`.trim(),
    };
  }
  return { ...rest, properties };
}

/** Our own keywords in standard ones, and unions in a spelling that generators of clients can read. */
function plainKeywords(schema: SchemaObject): SchemaObject {
  const { "x-naira": isNaira, "x-range": range, "x-problem": _problem, "x-message": _message, ...rest } = schema;
  const bounded = {
    ...rest,
    ...(isNaira === true ? nairaKeywords : {}),
    ...(range === undefined ? {} : { ...(range as object), maxLength: 16 }),
  };
  return withFormat(withTypeOfEnum(oneTypeEach(shortUnion(bounded))));
}

/** What `parseNaira` reads, as far as JSON Schema can say it. */
const nairaKeywords = {
  pattern: "^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,2})?$",
  maxLength: 13,
  exclusiveMinimum: 0,
  maximum: 10_000_000_000,
};

const keywordsOfText = ["pattern", "minLength", "maxLength"];
const keywordsOfNumbers = ["minimum", "maximum", "exclusiveMinimum"];
const keywordsOfLists = ["items", "minItems", "maxItems", "uniqueItems"];
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: keywordsOfText,
  integer: keywordsOfNumbers,
  number: keywordsOfNumbers,
  array: keywordsOfLists,
};

/**
 * A value of several types as `anyOf`, each type with its own bounds and values. Generators of clients take the bounds of
 * one type for the other's, and values of several types in one `enum` for names. A list of values that may be null is
 * split as well; any other type beside null stays as it is, which all of them read.
 */
function oneTypeEach(schema: SchemaObject): SchemaObject {
  const types = [schema.type ?? []].flat().map(String);
  const values = Array.isArray(schema.enum) ? (schema.enum as readonly unknown[]) : undefined;
  const isSplit = types.filter((type) => type !== "null").length > 1 || (types.length > 1 && values !== undefined);
  if (!isSplit) return schema;
  const ofSomeType = ["type", "enum", ...Object.values(keywordsOfType).flat()];
  const notes = Object.entries(schema).filter(([keyword]) => !ofSomeType.includes(keyword));
  const branches = types.map((type) => {
    const own = Object.entries(schema).filter(([keyword]) => keywordsOfType[type]?.includes(keyword));
    const ofType = values?.filter((value) => isOfType(value, type)) ?? [];
    const isEveryValue = ofType.length === 0 || type === "null" || type === "boolean";
    return withFormat({ type, ...Object.fromEntries(own), ...(isEveryValue ? {} : { enum: ofType }) });
  });
  return { ...Object.fromEntries(notes), anyOf: branches };
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function shortUnion(schema: SchemaObject): SchemaObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf as readonly SchemaObject[];
  if (branches.every((branch) => "const" in branch)) {
    return { type: "string", enum: branches.map((branch) => branch.const), ...rest };
  }
  const [value, none, ...others] = branches;
  if (value === undefined || others.length > 0 || none?.type !== "null") return schema;
  if (typeof value.type !== "string") return { ...schema, ...notesOf(value) };
  const values = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {};
  return { ...value, ...values, type: [value.type, "null"], ...rest };
}

/** Notes of the one branch that is not null are the field's own. */
function notesOf(reference: SchemaObject): SchemaObject {
  const { $ref, ...notes } = reference;
  return $ref === undefined ? {} : { anyOf: [{ $ref }, { type: "null" }], ...notes };
}

function withTypeOfEnum(schema: SchemaObject): SchemaObject {
  const isText = Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === "string");
  return isText && schema.type === undefined ? { type: "string", ...schema } : schema;
}

function withFormat(schema: SchemaObject): SchemaObject {
  const isInteger = [schema.type].flat().includes("integer");
  if (!isInteger || schema.format !== undefined || typeof schema.maximum !== "number") return schema;
  return { ...schema, format: schema.maximum <= int32Max ? "int32" : "int64" };
}

/** The schema as its base and what it adds. @throws when it changes a field of the base */
function extended(base: SchemaObject, schema: SchemaObject, components: SchemaComponents): SchemaObject {
  const baseBody = components.get(String(base.$ref).replace(componentPrefix, ""));
  assert(baseBody !== undefined, "what is extended is a component");
  const [inherited, all] = [fieldsOf(baseBody), fieldsOf(schema)];
  for (const [name, field] of Object.entries(inherited)) {
    assert(sameJson(all[name], field), `the field ${name} means the same in the base and in what extends it`);
  }
  const { properties: _properties, required, description, ...rest } = schema;
  const own = Object.entries(all).filter(([name]) => !(name in inherited));
  const added = {
    ...rest,
    required: [required ?? []].flat().filter((name) => !(String(name) in inherited)),
    properties: Object.fromEntries(own),
  };
  return { ...(description === undefined ? {} : { description }), allOf: [base, added] };
}

function fieldsOf(schema: SchemaObject): SchemaObject {
  return (schema.properties ?? {}) as SchemaObject;
}

const componentPrefix = "#/components/schemas/";

/** Notes may differ from use to use; they then stand beside the reference. @throws when the schema differs */
function reference(name: string, schema: SchemaObject, components: SchemaComponents): SchemaObject {
  const known = components.get(name) ?? schema;
  assert(sameJson(withoutNotes(known), withoutNotes(schema)), `only one schema calls itself ${name}`);
  components.set(name, known);
  const notes = noteKeywords.filter((note) => schema[note] !== undefined && !sameJson(schema[note], known[note]));
  return { $ref: `${componentPrefix}${name}`, ...Object.fromEntries(notes.map((note) => [note, schema[note]])) };
}

const noteKeywords = ["description", "examples", "deprecated"];

function withoutNotes(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !noteKeywords.includes(keyword)));
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
