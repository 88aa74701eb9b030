import { Type } from "typebox";

/**
 * Response fields that several fulfilments share. Null is written as a second type rather than a union: that is how
 * OpenAPI 3.1 reads best and the serialiser is quickest. Every text has a bound, so that a client can size its columns.
 */
interface TextNotes {
  readonly description: string;
  readonly examples?: readonly string[];
}

/** Longer than any text that a supplier's fulfilment has room for. */
const textMax = 200;

export function text(description: string, example?: string, maxLength = textMax) {
  return Type.String({ maxLength, description, ...examplesOf(example) });
}

export function textOrNull(description: string, example?: string, maxLength = textMax) {
  return nullableText({ description, ...examplesOf(example) }, { maxLength });
}

function examplesOf(example: string | undefined) {
  return example === undefined ? {} : { examples: [example] };
}

const decimalShape = { pattern: "^[0-9]+\\.[0-9]{2}$", maxLength: 17 };

export function decimal(description: string, example = "1500.00") {
  return Type.String({ ...decimalShape, description, examples: [example] });
}

export function decimalOrNull(description: string, example = "1500.00") {
  return nullableText({ description, examples: [example] }, decimalShape);
}

const instantShape = {
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$",
  maxLength: 25,
};
const instantExample = "2027-11-20T14:03:09+01:00";

export function instantOrNull(description: string) {
  return nullableText({ description, examples: [instantExample] }, instantShape);
}

/** A whole number of the answer. */
export function count(description: string, bounds: { readonly minimum?: number; readonly maximum: number }) {
  return Type.Integer({ minimum: 0, ...bounds, description, examples: [1] });
}

export const sequence = count("Counts the pieces of one purchase from 1.", { minimum: 1, maximum: 100 });

/** The schema of a top-up's fulfilment: it has nothing but its kind. */
export const topup = Type.Object({ kind: Type.Literal("topup") }, { "x-component": "TopupDelivery" });
/** The fulfilment of a top-up. */
export const toppedUp = { kind: "topup" } as const;

function nullableText(notes: TextNotes, shape: { maxLength: number; pattern?: string; format?: string }) {
  return Type.Unsafe<string | null>({ type: ["string", "null"], ...shape, ...notes });
}
