import type { Category } from "../../../categories/category.ts";
import { isJsonObject } from "../../../categories/fulfilment/fulfilment-by-hand.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import type { FieldShape } from "./review-fulfilment.ts";

/** Something of a purchase's goods that a person fills in. */
export interface GoodsField {
  /** `pins.0.pin` */
  readonly path: string;
  readonly isRequired: boolean;
}

/** What is to be filled in of a template (`fulfilmentTemplate`), in its order: what the purchase decides is not among it. */
export function goodsFields(template: JsonObject): readonly GoodsField[] {
  const fields: GoodsField[] = [];
  walk(template, "", (path, value) => {
    if (value === "" || value === null) fields.push({ path, isRequired: value === "" });
    return value;
  });
  return fields;
}

/** The template with what was filled in, by path; what was left empty stays as the template has it. */
export function filledGoods(
  { fulfilment }: Category,
  template: JsonObject,
  valueAt: (path: string) => string,
): JsonObject {
  return walk(template, "", (path, value) => {
    const typed = value === "" || value === null ? valueAt(path).trim() : "";
    if (typed === "") return value;
    // A token is read aloud in groups; a meter takes its digits.
    if (/(^token|^tokens\.\d+\.value)$/.test(path)) return typed.replaceAll(/[\s-]/g, "");
    const isNumber = /^(integer|number)$/.test(String(shapeAt(fulfilment as FieldShape, path)?.type));
    return isNumber && /^\d{1,15}(\.\d+)?$/.test(typed) ? Number(typed) : typed;
  }) as JsonObject;
}

function walk(value: Json, path: string, leaf: (path: string, value: Json) => Json): Json {
  const below = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) return value.map((item: Json, at) => walk(item, below(at), leaf));
  if (!isJsonObject(value)) return leaf(path, value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, below(name), leaf)]));
}

function shapeAt(shape: FieldShape | undefined, path: string): FieldShape | undefined {
  return path
    .split(".")
    .reduce((at, name) => (/^\d+$/.test(name) ? at?.items : at?.properties?.[name]), shape as FieldShape | undefined);
}
