/** A value that survives `JSON.parse(JSON.stringify(value))`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

declare const brand: unique symbol;

/** A JSON object as text. */
export type JsonText = string & { readonly [brand]: "json" };

export function writeJson(object: JsonObject): JsonText {
  return JSON.stringify(object) as JsonText;
}

/** The object with further members at its end, none of which it has already. */
export function withMembers(text: JsonText, more: JsonObject): JsonText {
  const members = JSON.stringify(more).slice(1);
  const comma = text === "{}" || members === "}" ? "" : ",";
  return `${text.slice(0, -1)}${comma}${members}` as JsonText;
}
