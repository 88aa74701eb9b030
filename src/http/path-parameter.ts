import { Type } from "typebox";

/**
 * As long as Node lets a request's head be. What no thing of ours can be called is not found, however it looks: neither
 * the router nor a schema refuses it for its form.
 */
export const parameterLengthMax = 16_384;

/** A name in a path. */
export function pathParameter(description: string, example: string) {
  return Type.String({ maxLength: parameterLengthMax, description, examples: [example] });
}
