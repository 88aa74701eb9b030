import { buildValidator, type Validator, validatorCompiler } from "../../src/platform/validation/validator.ts";

const compile = validatorCompiler(buildValidator());
const known = new Map<string, Validator>();

/** What `buildHttp` compiles schemas with, once in a process instead of once in an app. */
export function compileOnce(route: { readonly schema: unknown }): Validator {
  const text = JSON.stringify(route.schema);
  const validator = known.get(text) ?? compile(route);
  known.set(text, validator);
  return validator;
}
