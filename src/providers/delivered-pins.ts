import type { Json, JsonObject } from "../kernel/json.ts";
import type { Lacking } from "./dialect.ts";
import { objectOf, textAt } from "./reply.ts";

/** A PIN as a supplier or our own stock hands it over. */
export interface Pin {
  readonly pin: string;
  readonly serial: string | null;
  /** ISO 8601 with an offset; null where the supplier told none. */
  readonly expiresAt: string | null;
}

/** What suppliers call the field or the list that holds PINs, in any spelling. */
const goodsName =
  /^(?:(?:txn)?e?pins?(?:databundle|code|no|number|list|s)?|purchasedcode|cards?(?:details|list)?|vouchers?(?:pin|code)?|tokens?|(?:scratch|recharge)(?:cards?|pins?))$/;
/** And each piece of a list, or the one card that there is. */
const pinName = /^(?:(?:card|voucher|recharge|scratch|access)?e?pin(?:code|no|number)?|voucher(?:code)?|token|code)$/;
const serialName = /^(?:card)?(?:serial(?:no|number)?|sno|sn)$/;

const depthMax = 4;

/**
 * The PINs of an answer, by the names of its fields. `missing`: it holds none. `unclear`: there is something where a PIN
 * should stand that is none for certain, or two places tell different ones.
 */
export function pinsIn(answer: JsonObject): readonly Pin[] | Lacking {
  const received = placesIn(answer, 0).map(readPlace);
  if (received.includes("unclear")) return "unclear";
  const lists = received.filter((place) => typeof place === "object" && place.pins.length > 0) as Received[];
  const [fullest] = [...lists].sort((a, b) => serialsOf(b) - serialsOf(a));
  if (fullest === undefined) return "missing";
  const codes = (place: Received) => [...new Set(place.pins.map(({ pin }) => pin))].sort().join(" ");
  if (lists.some((place) => codes(place) !== codes(fullest))) return "unclear";
  // A PIN in a field of its own, and its serial number in the text beside it.
  const alone = received.flatMap((place) =>
    typeof place === "object" && place.pins.length === 0 ? place.serials : [],
  );
  const [serial] = alone;
  const isBeside = alone.length === 1 && serial !== undefined && fullest.pins.length === 1 && serialsOf(fullest) === 0;
  return isBeside ? fullest.pins.map((pin) => ({ ...pin, serial })) : fullest.pins;
}

interface Received {
  readonly pins: readonly Pin[];
  /** Serial numbers without a PIN. */
  readonly serials: readonly string[];
}

const nothing: Received = { pins: [], serials: [] };

function serialsOf({ pins }: Received): number {
  return pins.filter(({ serial }) => serial !== null).length;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

function placesIn(answer: JsonObject, depth: number): readonly Json[] {
  return Object.entries(answer).flatMap(([name, value]) => {
    if (goodsName.test(lettersOf(name))) return [value];
    const inner = depth < depthMax ? objectOf(value) : null;
    return inner === null ? [] : placesIn(inner, depth + 1);
  });
}

function readPlace(value: Json): Received | "unclear" {
  if (Array.isArray(value)) return together(value.map(readPiece));
  return objectOf(value) === null ? readText(value) : readPiece(value);
}

function together(received: readonly (Received | "unclear")[]): Received | "unclear" {
  const clear = received.filter((one) => one !== "unclear");
  if (clear.length < received.length) return "unclear";
  return { pins: clear.flatMap(({ pins }) => pins), serials: clear.flatMap(({ serials }) => serials) };
}

/** A card. What calls its PIN otherwise is not understood. */
function readPiece(value: Json): Received | "unclear" {
  const card = objectOf(value);
  if (card === null) return readText(value);
  const fields = Object.entries(card);
  const pins = fields.filter(([name]) => pinName.test(lettersOf(name)));
  if (pins.length !== 1) return fields.length === 0 ? nothing : "unclear";
  const read = readText(pins[0]?.[1] ?? null);
  const serial = fields.find(([name, received]) => serialName.test(lettersOf(name)) && textAt(received) !== null);
  if (read === "unclear" || read.pins.length > 1) return "unclear";
  return serial === undefined
    ? read
    : { pins: read.pins.map((pin) => ({ ...pin, serial: textAt(serial[1]) })), serials: [] };
}

/** Letters, digits and dashes; or digits in groups, so short that none of them is a PIN. */
const wholePin = /^(?=.*[0-9])(?:[0-9A-Za-z-]{4,}|[0-9]{2,6}(?: [0-9]{2,6})+)$/;
const label = /(?<![a-z])(serial|s\/?no?|e?-?pin)\s*(?:no\.?|number|code)?\s*[0-9]{0,2}\s*[:=]\s*/gi;
const apart = /[,;|\n]+/;
const textCharactersMax = 10_000;

/** `Serial No:WRN200343867, pin: 572871474684`, `pin<=>serial,pin<=>serial`, or the PINs alone. */
function readText(value: Json): Received | "unclear" {
  if (value === null || value === "" || typeof value === "boolean") return nothing;
  const received = typeof value === "string" ? value : textAt(value);
  if (received === null || received.length > textCharactersMax) return "unclear";
  const text = received.replace(/<br ?\/?>/gi, "\n").trim();
  const labels = [...text.matchAll(label)];
  return labels.length === 0 ? readPairs(text) : readLabelled(text, labels);
}

function readPairs(text: string): Received | "unclear" {
  const parts = text
    .split(apart)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  // `N/A`, `pending`: no digit, no PIN.
  if (!/[0-9]{4}/.test(text) && parts.every((part) => !wholePin.test(part))) return nothing;
  const pins = parts.map((part) => {
    const [pin = "", serial = ""] = part.split("<=>").map((half) => half.trim());
    return { pin, serial: serial || null, expiresAt: null };
  });
  return pins.every(({ pin }) => wholePin.test(pin)) ? { pins, serials: [] } : "unclear";
}

function readLabelled(text: string, labels: readonly RegExpExecArray[]): Received | "unclear" {
  const values = labels.map((found, n) => ({
    isPin: /pin/i.test(found[1] ?? ""),
    value: text.slice(found.index + found[0].length, labels[n + 1]?.index).replace(/[\s,;|]+$/, ""),
  }));
  const of = (isPin: boolean) => values.filter((one) => one.isPin === isPin).map(({ value }) => value);
  const [codes, serials] = [of(true), of(false)];
  if (values.some(({ value }) => apart.test(value)) || codes.some((code) => !wholePin.test(code))) return "unclear";
  if (codes.length === 0) return { pins: [], serials };
  // Each with its own, in one order throughout, or none at all.
  const isPaired = serials.length === codes.length && values.every(({ isPin }, n) => isPin === values[n % 2]?.isPin);
  if (serials.length > 0 && !isPaired) return "unclear";
  return { pins: codes.map((pin, n) => ({ pin, serial: serials[n] ?? null, expiresAt: null })), serials: [] };
}
