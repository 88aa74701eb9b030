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

/** The same for a process that is killed soon: a schema is compiled when the first body is held against it. */
export function compileWhenUsed(route: { readonly schema: unknown }): Validator {
  const validator: Validator = (data) => {
    const compiled = compileOnce(route);
    const isAccepted = compiled(data);
    validator.errors = compiled.errors ?? null;
    return isAccepted;
  };
  return validator;
}
