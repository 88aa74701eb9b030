/** A value that survives `JSON.parse(JSON.stringify(value))`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };
