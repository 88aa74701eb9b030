import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { JsonObject } from "../../kernel/json.ts";
import { findCategory } from "../category-slugs.ts";

/** Each schema is compiled once, when it is first asked about. */
const validators = new WeakMap<TSchema, Validator>();

/** Whether what a supplier handed over has the shape that its category promises, to the length of each text. */
export function fulfilmentFits(slug: string, facts: JsonObject | null): boolean {
  return fits(findCategory(slug)?.fulfilment, facts);
}

/** Whether what a supplier found out about a number has the shape that its category promises. */
export function findingsFit(slug: string, facts: JsonObject): boolean {
  return fits(findCategory(slug)?.verify?.findings, facts);
}

/** Adds to a fulfilment the fields that its category makes from others, where they are left out. */
export async function completeFulfilment(slug: string, fulfilment: JsonObject): Promise<JsonObject> {
  return findCategory(slug)?.byHand?.complete?.(fulfilment) ?? fulfilment;
}

function fits(shape: TSchema | undefined, facts: JsonObject | null): boolean {
  if (shape === undefined) return false;
  const validator = validators.get(shape) ?? Compile(shape);
  validators.set(shape, validator);
  return validator.Check(facts);
}
