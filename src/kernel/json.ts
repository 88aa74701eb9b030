/** A value that survives `JSON.parse(JSON.stringify(value))`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

declare const brand: unique symbol;

/** A JSON object as text. */
export type JsonText = string & { readonly [brand]: "json" };

export function writeJson(object: JsonObject): JsonText {
  return JSON.stringify(object) as JsonText;
}

/** A text that is one JSON object; else null. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
