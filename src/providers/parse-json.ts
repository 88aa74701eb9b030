import type { Json } from "../kernel/json.ts";

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
