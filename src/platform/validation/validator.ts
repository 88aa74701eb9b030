import type { ErrorObject } from "ajv";
import { Ajv } from "ajv";
import { parseNaira } from "../../kernel/money.ts";

type Schema = { readonly [keyword: string]: unknown };

/** Accepts or refuses, and then says why in `errors`, as Fastify expects it of a compiled schema. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/**
 * A string longer than this fits no pattern. With `allErrors`, Ajv tries patterns even on strings that `maxLength`
 * refused, and a megabyte of dashes would keep a backtracking expression busy for minutes. No field with a pattern may
 * be longer.
 */
export const patternTextMax = 256;

/**
 * The validator of every request. It coerces nothing and fills nothing in: what the schema accepted is what was sent.
 * Adds `x-naira` (an amount that `parseNaira` reads) and `x-range` (bounds for integers and strings of digits).
 */
export function buildValidator(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    useDefaults: false,
    strict: false,
    verbose: true,
    code: { regExp: Object.assign(boundedPattern, { code: "boundedPattern" }) },
  });
  ajv.addKeyword({
    keyword: "x-naira",
    type: ["string", "number"],
    errors: false,
    validate: (share: boolean, value: unknown) => !share || parseNaira(value) !== null,
  });
  ajv.addKeyword({ keyword: "x-range", type: ["string", "number"], errors: false, validate: isWithin });
  return ajv;
}

/** Ajv keeps one expression for each text that it turns into, so that text must be the pattern's own. */
function boundedPattern(pattern: string, flags: string) {
  const expression = new RegExp(pattern, flags);
  return {
    test: (text: string) => text.length <= patternTextMax && expression.test(text),
    toString: () => String(expression),
  };
}

/** A string that is no whole number passes here: `pattern` has already said so. */
function isWithin(range: { minimum: number; maximum: number }, value: unknown): boolean {
  if (typeof value === "string" && !/^-?[0-9]{1,15}$/.test(value)) return true;
  const integer = Number(value);
  return integer >= range.minimum && integer <= range.maximum;
}

/**
 * For Fastify's `setValidatorCompiler`. Lists that are too long are refused before their items are looked at: a body of
 * a million empty lines would otherwise make several million errors. Fields that were refused as null are taken out of
 * the body, which is then looked at once more: many serializers send null for what was not set.
 *
 * A schema is compiled when it is first used (some 2 ms): all of them are a tenth of a start, and most are never used.
 */
export function validatorCompiler(ajv: Ajv): (route: { schema: unknown }) => Validator {
  return ({ schema }) => {
    const lists = boundedLists(schema as Schema);
    const validator: Validator = (data) => {
      const tooLong = lists.filter((list) => isTooLong(list, data));
      if (tooLong.length > 0) {
        validator.errors = tooLong.map(tooLongError);
        return false;
      }
      const validate = ajv.compile(schema as Schema); // Ajv keeps what it compiled, by the object
      const accepted = validate(data) === true || (takeOutNulls(data, validate.errors) && validate(data) === true);
      validator.errors = validate.errors ?? null;
      return accepted;
    };
    return validator;
  };
}

/** Takes out the fields that were refused as null. Answers whether there were any. A list's items stay: they count. */
function takeOutNulls(body: unknown, errors: readonly ErrorObject[] | null | undefined): boolean {
  let any = false;
  for (const { data, instancePath } of errors ?? []) {
    // A body that is null itself has no path.
    if (data !== null || instancePath === "") continue;
    const steps = instancePath.slice(1).split("/");
    const field = steps.pop() as string;
    const holder = steps.reduce((value, step) => (value as Record<string, unknown>)[step], body);
    if (Array.isArray(holder)) continue;
    any = Reflect.deleteProperty(holder as object, field) || any;
  }
  return any;
}

interface BoundedList {
  readonly field: string;
  readonly limit: number;
  readonly schema: Schema;
}

function boundedLists(schema: Schema): readonly BoundedList[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return properties.flatMap(([field, property]) =>
    typeof property.maxItems === "number" ? [{ field, limit: property.maxItems, schema: property }] : [],
  );
}

function isTooLong(list: BoundedList, data: unknown): boolean {
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, list.field)) return false;
  const value = (data as Readonly<Record<string, unknown>>)[list.field];
  return Array.isArray(value) && value.length > list.limit;
}

function tooLongError(list: BoundedList): ErrorObject {
  return {
    keyword: "maxItems",
    instancePath: `/${list.field}`,
    schemaPath: `#/properties/${list.field}/maxItems`,
    params: { limit: list.limit },
    parentSchema: list.schema,
  };
}
