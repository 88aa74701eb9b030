import type { AddressRange } from "../../platform/address.ts";
import { parseAddressRange } from "../../platform/address.ts";
import { parseEncryptionKey } from "../../platform/sealing/encryption-key.ts";

// How settings that hold addresses, origins or keys are read: null for a text that is none.

export function readRanges(text: string): readonly AddressRange[] | null {
  return allOrNull(partsOf(text).filter(isSaid).map(rangeOf));
}

/** One that holds every address is none: it would trust anybody. */
function rangeOf(text: string): AddressRange | null {
  const range = parseAddressRange(text);
  return range !== null && range.bits > 0 ? range : null;
}

export function readOrigins(text: string): readonly string[] | null {
  return allOrNull(partsOf(text).filter(isSaid).map(originOf));
}

/** As URL writes it, so that origins can be compared: lower case, without a default port. */
export function originOf(text: string): string | null {
  if (!/^https?:\/\/[^\s/?#@]+\/?$/.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

/** An empty part is no key, and no slip to overlook: a key may have been meant there. */
export function readKeys(text: string): readonly Buffer[] | null {
  return allOrNull(partsOf(text).map(parseEncryptionKey));
}

function partsOf(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

function isSaid(part: string): boolean {
  return part !== "";
}

function allOrNull<T>(values: readonly (T | null)[]): readonly T[] | null {
  const present = values.filter((value) => value !== null);
  return present.length === values.length ? present : null;
}
