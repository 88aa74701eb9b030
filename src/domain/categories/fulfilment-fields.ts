import { Type } from "typebox";

/**
 * Response fields that several fulfilments share. Null is written as a second type rather than a union: that is how
 * OpenAPI 3.1 reads best and the serialiser is quickest.
 */
export function textOrNull(description: string) {
  return Type.Unsafe<string | null>({ type: ["string", "null"], description });
}

export function text(description: string) {
  return Type.String({ description });
}

export function decimal(description: string) {
  return Type.String({ pattern: "^[0-9]+\\.[0-9]{2}$", description });
}

export function decimalOrNull(description: string) {
  return Type.Unsafe<string | null>({ type: ["string", "null"], pattern: "^[0-9]+\\.[0-9]{2}$", description });
}

const instantPattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$";

export function instant(description: string) {
  return Type.String({ pattern: instantPattern, description });
}

export function instantOrNull(description: string) {
  return Type.Unsafe<string | null>({ type: ["string", "null"], pattern: instantPattern, description });
}

export const sequence = Type.Integer({ minimum: 1, description: "Counts the pieces of one purchase from 1." });
