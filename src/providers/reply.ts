import type { Json, JsonObject } from "../kernel/json.ts";
import { type Kobo, kobo } from "../kernel/money.ts";

/** A supplier's answer in JSON. Nothing in it is believed before it was looked at. */
export interface Reply {
  readonly status: number;
  readonly json: JsonObject;
  /** Where the answer is a JSON list and the question said that it may be; `json` is then empty. */
  readonly list?: readonly Json[];
  /** Where the answer is a refusal in plain text and the question said that it may be; `json` is then empty. */
  readonly text?: string;
}

/** An object with fields; null for anything else, lists included. */
export function objectOf(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** The value at a path of field names; undefined where there is none. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const name of path) here = objectOf(here)?.[name];
  return here;
}

/** Whole numbers this long come as texts (`parseJson`): a number beyond was written in another way, its digits unsaid. */
const readableBelow = 1e15;

/**
 * A text or a number as a text, trimmed, cut to what a fulfilment has room for and legible; null when absent, empty or
 * neither, and for a number such as `2.6e19`, whose digits nobody told.
 */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  if (typeof found === "number" && Math.abs(found) >= readableBelow) return null;
  if (typeof found !== "string" && typeof found !== "number") return null;
  const text = String(found).trim();
  return text === "" ? null : legible(text.slice(0, 200));
}

/** Halves of characters and control characters but those between lines: PostgreSQL takes not all of them. */
const illegible = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;
/** And what turns the direction of writing, so that something else is read than stands there. */
const misleading = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]|\p{Cs}/gu;
const plain = /^[ -~]*$/;
const replacement = "\uFFFD";

/** The text as it may be stored and shown: a mark stands for each character that nobody can read. */
export function legible(text: string): string {
  return plain.test(text) ? text : text.replace(misleading, replacement);
}

/** For a word that is shown among our own sentences: no line of it may look like one of ours. */
export function inOneLine(word: string): string {
  return word.replace(/[\t\n\r]+/g, " ");
}

/** Whether nothing in a word had to be replaced, here or where it was decoded: of a PIN, the rest is worth nothing. */
export function isWhole(word: string): boolean {
  return legible(word) === word && !word.includes(replacement);
}

/** The supplier's reference of an attempt as a field of the outcome; no field where the answer had none. */
export function givenReference(providerReference: string | null): { readonly providerReference?: string } {
  return providerReference === null ? {} : { providerReference };
}

const depthMax = 10;

/** Whether a fulfilment can be stored and handed over as it is: every text legible, nothing nested without an end. */
export function canBeStored(value: Json, depth = 0): boolean {
  if (typeof value === "string") return !illegible.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === depthMax) return false;
  return Object.entries(value).every(([name, inner]) => !illegible.test(name) && canBeStored(inner, depth + 1));
}

/** The first of several spellings that holds a text. */
export function firstText(value: Json | undefined, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textAt(value, name);
    if (text !== null) return text;
  }
  return null;
}

/** The objects of a list; empty when it is none. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

const leadingDecimal = /^\s*(?:₦|NGN|N)?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,13})(?:\.([0-9]+))?/;

/** `1,234.5`, `N79.96`, `22.204 kWh` as a decimal with two places, cut off and not rounded; null when none leads it. */
export function decimalOf(text: string | null): string | null {
  const match = leadingDecimal.exec(text ?? "");
  if (match === null) return null;
  const whole = (match[1] ?? "0").replaceAll(",", "").replace(/^0+(?=[0-9])/, "");
  return `${whole}.${`${match[2] ?? ""}00`.slice(0, 2)}`;
}

/** The same as kobo. */
export function koboOf(text: string | null): Kobo | null {
  const decimal = decimalOf(text);
  return decimal === null ? null : kobo(BigInt(decimal.replace(".", "")));
}

/** At a value's place, a whole number too long to be sure of: a double holds 15 digits exactly, and longer ones by luck. */
const longNumber = /(?:"\s*:|[[,])\s*-?[0-9]{16}/;
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g;
const longWhole = /^-?[0-9]{16,}$/;

/**
 * Undefined for what is no JSON. A whole number of 16 digits or more comes as its digits, in a text: what a supplier
 * writes so is a token, a PIN or an id, and the nearest number would look like one too.
 */
export function parseJson(text: string): Json | undefined {
  try {
    const json = JSON.parse(text) as Json;
    // Most answers hold none, and a look costs a fraction of reading twice.
    return longNumber.test(text) ? (JSON.parse(withLongNumbersAsTexts(text)) as Json) : json;
  } catch {
    return undefined;
  }
}

/** The text was parsed as JSON before: so every quotation mark that opens a string in it has one that closes it. */
function withLongNumbersAsTexts(json: string): string {
  return json.replace(textsAndNumbers, (part) => (longWhole.test(part) ? `"${part}"` : part));
}
