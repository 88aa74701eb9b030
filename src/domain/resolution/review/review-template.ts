import type { Category } from "../../../categories/category.ts";
import { isJsonObject } from "../../../categories/fulfilment/fulfilment-by-hand.ts";
import type { VendRequest } from "../../../categories/supplier-request.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { type FieldShape, simulatedFulfilment } from "./review-fulfilment.ts";

/** The fewest characters of which the first and the last two give nothing away. */
const hintedLengthMin = 8;

/**
 * Goods of a purchase for a person to fill in: the sandbox's, of which only what the purchase decides is left. An empty
 * text stands where something must be filled in, and is refused as it stands; null where null is allowed.
 */
export async function fulfilmentTemplate(category: Category, request: VendRequest): Promise<JsonObject> {
  const { fulfilment, byHand, secrets } = category;
  const kept = keptFields(category);
  const leftOut = new Set(byHand?.derived ?? []);
  const blank = (value: Json, shape: FieldShape | undefined, path: string): Json => {
    if (value === null || kept.has(path)) return value;
    if (Array.isArray(value)) return value.map((item: Json) => blank(item, shape?.items, path));
    if (isJsonObject(value)) return fieldsOf(value, shape, path === "" ? "" : `${path}.`);
    // A secret that stands alone is what was bought: a prepaid meter's token.
    return shape?.type?.includes("null") && !secrets.includes(path) ? null : "";
  };
  const fieldsOf = (object: JsonObject, shape: FieldShape | undefined, before: string): JsonObject =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([name]) => !leftOut.has(before + name))
        .map(([name, value]) => [name, blank(value, shape?.properties?.[name], before + name)]),
    );
  return fieldsOf(await simulatedFulfilment(category, request), fulfilment as FieldShape, "");
}

/** Goods as they may be shown: of each secret the first and the last two characters, of a short one nothing. */
export function maskedFulfilment(category: Category, fulfilment: JsonObject): JsonObject {
  const kept = keptFields(category);
  const mask = (value: Json, path: string): Json => {
    if (typeof value === "string") return kept.has(path) ? value : hint(value);
    if (Array.isArray(value)) return value.map((item: Json) => mask(item, path));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mask(inner, `${path}.${name}`)]));
  };
  return Object.fromEntries(
    Object.entries(fulfilment).map(([name, value]) => [
      name,
      category.secrets.includes(name) ? mask(value, name) : value,
    ]),
  );
}

function hint(secret: string): string {
  return secret.length < hintedLengthMin ? "…" : `${secret.slice(0, 2)}…${secret.slice(-2)}`;
}

/** The fields that say what was bought, by their path. */
function keptFields({ byHand }: Category): ReadonlySet<string> {
  return new Set(["kind", ...(byHand?.fixed ?? []), ...(byHand?.proposed ?? [])]);
}
