import type { TObject } from "typebox";
import { Compile } from "typebox/compile";
import type { JsonObject } from "../../kernel/json.ts";
import { phonePattern } from "../../kernel/phone.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { aboutField, type ProblemCode, type Refusal, refuse } from "../../kernel/problems.ts";
import { zeroLostSentence } from "../../kernel/typed-text.ts";

type Schema = { readonly [keyword: string]: unknown };

/** A fault that the validator found: an error of Ajv's, as far as it is read here. Fastify's own type fits as well. */
export interface Fault {
  readonly keyword: string;
  /** A JSON pointer: `/items/3/phone`. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: unknown;
  /** The value there. */
  readonly data?: unknown;
}

/** A hundred lines of a bulk order with all of their fields. */
const fieldsMax = 1_000;
/** More than any list has filters. */
const filtersMax = 20;

/**
 * The contract's refusal for what the validator found: messages per field, and the code that all of them agree on
 * (`x-problem` of the keyword that failed), else VALIDATION_ERROR. In a list's query it is the first one's, in the order
 * in which the filters are declared, unknown ones last: the specification fixes a code for each, whatever else is wrong.
 */
export function refusalOf(faults: readonly Fault[], part = "body"): Refusal {
  const fields = new Map<string, string[]>();
  const codes = new Set<ProblemCode>();
  const isQuery = part === "querystring";
  const fieldsNamed = isQuery ? filtersMax : fieldsMax;
  for (const fault of isQuery ? unknownLast(faults) : faults) {
    if (isInsideAlternative(fault)) continue;
    codes.add(codeOf(fault));
    const field = fieldOf(fault);
    const messages = fields.get(field);
    const message = sentenceOf(fault);
    if (messages === undefined && fields.size < fieldsNamed) fields.set(field, [message]);
    else if (messages !== undefined && !messages.includes(message)) messages.push(message);
  }
  const [first = "VALIDATION_ERROR"] = codes;
  const code = codes.size === 1 || isQuery ? first : "VALIDATION_ERROR";
  const meta = code === "VALIDATION_ERROR" ? null : metaOf(code, faults);
  return refuse(code, {
    message: summary(fields),
    errors: Object.fromEntries(fields),
    ...(meta === null ? {} : { meta }),
  });
}

function unknownLast(faults: readonly Fault[]): readonly Fault[] {
  const isUnknown = ({ keyword }: Fault) => keyword === "additionalProperties";
  return [...faults.filter((fault) => !isUnknown(fault)), ...faults.filter(isUnknown)];
}

/** The codes that some faults have, each once. */
export function codesOf(faults: readonly Fault[]): ProblemCode[] {
  return [...new Set(faults.filter((fault) => !isInsideAlternative(fault)).map(codeOf))];
}

/** For a request without the body that its schema asks for. */
export function bodyMissing(): Refusal {
  return refuse("INVALID_JSON", { message: "This request needs a JSON body." });
}

/** Errors of single branches are noise: `anyOf` and `oneOf` report themselves once none of their branches fits. */
function isInsideAlternative(fault: Fault): boolean {
  return /\/(anyOf|oneOf)\/[0-9]+(\/|$)/.test(fault.schemaPath) || fault.keyword === "if";
}

function codeOf(fault: Fault): ProblemCode {
  const named = (schemaOf(fault)["x-problem"] ?? {}) as Readonly<Record<string, string>>;
  const code = named[fault.keyword];
  return code !== undefined && Object.hasOwn(problems, code) ? (code as ProblemCode) : "VALIDATION_ERROR";
}

/** The schema of the field itself, also where it is missing and the error is its parent's. */
function schemaOf(fault: Fault): Schema {
  const schema = (fault.parentSchema ?? {}) as Schema;
  if (fault.keyword !== "required") return schema;
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  return properties[String(fault.params.missingProperty)] ?? {};
}

/** `/items/3` and a missing `phone` → `items.3.phone`; the whole body is `body`. */
function fieldOf(fault: Fault): string {
  const steps = fault.instancePath.split("/").slice(1).map(unescaped);
  const extra = fault.params.missingProperty ?? fault.params.additionalProperty;
  if (typeof extra === "string") steps.push(extra);
  return steps.length === 0 ? "body" : steps.join(".");
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function metaOf(code: ProblemCode, faults: readonly Fault[]): JsonObject | null {
  const schema = (faults[0]?.parentSchema ?? {}) as Schema;
  const range = schema["x-range"] as { readonly minimum: number; readonly maximum: number } | undefined;
  if (code === "QUANTITY_OUT_OF_RANGE" && range !== undefined) {
    return { min_quantity: range.minimum, max_quantity: range.maximum };
  }
  return code === "TOO_MANY_ITEMS" && typeof schema.maxItems === "number" ? { max_items: schema.maxItems } : null;
}

function summary(fields: ReadonlyMap<string, readonly string[]>): string {
  const [first] = fields;
  if (first === undefined) return problems.VALIDATION_ERROR.title;
  const [field, [sentence = "Is not valid."]] = first;
  const clause = aboutField(field, sentence);
  const others = fields.size - 1;
  if (others === 0) return clause;
  return `${clause} ${others} more ${others === 1 ? "field is" : "fields are"} wrong.`;
}

function sentenceOf(fault: Fault): string {
  if (fault.keyword === "required") return "Is required.";
  const isPhone = schemaOf(fault).pattern === phonePattern && ["string", "number"].includes(typeof fault.data);
  const lost = isPhone ? zeroLostSentence(String(fault.data)) : null;
  if (lost !== null) return lost;
  // The field's own sentence speaks of its characters, which a number may have, too.
  if (isUnquoted(fault)) return "Must be a string: put the number in quotes.";
  const own = schemaOf(fault)["x-message"];
  return typeof own === "string" ? own : (sentences[fault.keyword]?.(fault.params) ?? "Is not valid.");
}

/** A number, where the field may be a string and no number. */
function isUnquoted({ data, keyword, params }: Fault): boolean {
  const types: readonly unknown[] = keyword === "type" ? [params.type].flat() : [];
  return (
    typeof data === "number" && types.includes("string") && !types.includes("integer") && !types.includes("number")
  );
}

const nameOfType: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** One sentence per keyword, each able to follow "The field phone …". */
const sentences: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  type: ({ type }) =>
    `Must be ${[type]
      .flat()
      .map((name) => nameOfType[String(name)] ?? String(name))
      .join(" or ")}.`,
  enum: ({ allowedValues }) => `Must be one of ${[allowedValues].flat().map(String).join(", ")}.`,
  const: ({ allowedValue }) => `Must be ${String(allowedValue)}.`,
  pattern: () => "Has the wrong form.",
  minLength: ({ limit }) => (limit === 1 ? "Must not be empty." : `Must have at least ${limit} characters.`),
  maxLength: ({ limit }) => `Must have at most ${limit} characters.`,
  minimum: ({ limit }) => `Must be at least ${limit}.`,
  maximum: ({ limit }) => `Must be at most ${limit}.`,
  minItems: ({ limit }) => (limit === 1 ? "Must not be empty." : `Must have at least ${limit} items.`),
  maxItems: ({ limit }) => `Must have at most ${limit} items.`,
  maxProperties: ({ limit }) => `Must have at most ${limit} fields.`,
  additionalProperties: () => "Is not a field of this object.",
  anyOf: () => "Has none of the allowed forms.",
  oneOf: () => "Must have exactly one of the allowed forms.",
  "x-naira": () => "Must be a positive amount with at most two decimals.",
  "x-range": () => "Is out of range.",
};

/** Something that an operator entered: its name, the shape that it must have, and its value. */
export interface Entered {
  readonly part: string;
  /** Each field's description completes "must be …". */
  readonly shape: TObject;
  readonly value: JsonObject;
}

/** The missing and malformed fields: by name and rule, never by value. */
export function faultsIn({ part, shape, value }: Entered): readonly string[] {
  const faults = Compile(shape)
    .Errors(value)
    .flatMap((error) => {
      if (error.keyword === "required") {
        return error.params.requiredProperties.map((name) => `${part}.${name} is missing`);
      }
      const name = error.instancePath.split("/")[1] ?? "";
      const field = shape.properties[name] as { readonly description?: string } | undefined;
      return `${part}.${name} must be ${field?.description ?? "something else"}`;
    });
  return [...new Set(faults)];
}

/** Names that nobody reads: slips of the pen. */
export function unknownIn({ part, shape, value }: Entered, whose: string): readonly string[] {
  const known = Object.keys(shape.properties);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  const there = known.length === 0 ? "there are none" : `there are ${known.join(", ")}`;
  return unknown.map((name) => `${part}.${name} is unknown to ${whose}; ${there}`);
}
