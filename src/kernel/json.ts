/** A value that survives `JSON.parse(JSON.stringify(value))`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

declare const brand: unique symbol;

/** A JSON object as text. */
export type JsonText = string & { readonly [brand]: "json" };

export function writeJson(object: JsonObject): JsonText {
  return JSON.stringify(object) as JsonText;
}
