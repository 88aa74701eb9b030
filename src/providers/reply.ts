import type { Json, JsonObject } from "../kernel/json.ts";
import { type Kobo, kobo } from "../kernel/money.ts";

/** A supplier's answer in JSON. Nothing in it is believed before it was looked at. */
export interface Reply {
  readonly status: number;
  readonly json: JsonObject;
}

/** An object with fields; null for anything else, lists included. */
export function objectOf(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** What stands at a path of field names; undefined where it leads nowhere. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const name of path) here = objectOf(here)?.[name];
  return here;
}

/** Whole numbers this long come as texts (`parseJson`): a number beyond was written in another way, its digits unsaid. */
const toldBelow = 1e15;

/**
 * A text or a number as a text, trimmed, cut to what a fulfilment has room for; null when absent, empty or neither, and
 * for a number such as `2.6e19`, whose digits nobody told.
 */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  if (typeof found === "number" && Math.abs(found) >= toldBelow) return null;
  if (typeof found !== "string" && typeof found !== "number") return null;
  const text = String(found).trim();
  return text === "" ? null : text.slice(0, 200);
}

/** The first of several spellings that holds a text. */
export function firstText(value: Json | undefined, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textAt(value, name);
    if (text !== null) return text;
  }
  return null;
}

/** The objects of a list; empty when it is none. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

const leadingDecimal = /^\s*(?:₦|NGN|N)?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,13})(?:\.([0-9]+))?/;

/** `1,234.5`, `N79.96`, `22.204 kWh` as a decimal with two places, cut off and not rounded; null when none leads it. */
export function decimalOf(text: string | null): string | null {
  const match = leadingDecimal.exec(text ?? "");
  if (match === null) return null;
  const whole = (match[1] ?? "0").replaceAll(",", "").replace(/^0+(?=[0-9])/, "");
  return `${whole}.${`${match[2] ?? ""}00`.slice(0, 2)}`;
}

/** The same as kobo. */
export function koboOf(text: string | null): Kobo | null {
  const decimal = decimalOf(text);
  return decimal === null ? null : kobo(BigInt(decimal.replace(".", "")));
}
