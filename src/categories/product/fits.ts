import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { JsonObject } from "../../kernel/json.ts";
import type { Category } from "../category.ts";
import { findCategory } from "../category-slugs.ts";

/** Says of something that a supplier tells whether it has the shape that its category promises. */
type Fits = (category: string, told: JsonObject | null) => boolean;

/** The check for fulfilments. Each schema is compiled once. */
export function fulfilmentFits(): Fits {
  return fitting(({ fulfilment }) => fulfilment);
}

/** The check for what a verification found out about a number. */
export function findingsFit(): Fits {
  return fitting(({ verify }) => verify?.findings);
}

/** Adds to a fulfilment the fields that its category makes from others, where they are left out. */
export async function completeFulfilment(slug: string, fulfilment: JsonObject): Promise<JsonObject> {
  return findCategory(slug)?.byHand?.complete?.(fulfilment) ?? fulfilment;
}

function fitting(shapeOf: (category: Category) => TSchema | undefined): Fits {
  const validators = new Map<string, Validator>();
  return (slug, told) => {
    const category = findCategory(slug);
    const shape = category === null ? undefined : shapeOf(category);
    if (shape === undefined) return false;
    const validator = validators.get(slug) ?? Compile(shape);
    validators.set(slug, validator);
    return validator.Check(told);
  };
}
