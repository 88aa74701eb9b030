import { createHash } from "node:crypto";
import type { Instant, WallTime } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";

/** Endless digits and letters that follow from a seed alone: the sandbox's chance, the same each time it is asked. */
export interface MadeUp {
  /** From 0 up to, not including, `end` (at most 256). */
  below(end: number): number;
  digits(count: number): string;
  characters(alphabet: string, count: number): string;
  pick(choices: readonly string[]): string;
}

/** Letters and digits that nobody confuses when they are read out or printed. */
export const plainCharacters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** SHA-256 of the seed and a counter, byte by byte: two seeds share nothing, and no byte is used twice. */
export function madeUp(seed: string): MadeUp {
  let block = Buffer.alloc(0);
  let used = 0;
  let counter = 0;

  function byte(): number {
    if (used === block.length) {
      block = createHash("sha256").update(`${seed}/${counter}`).digest();
      used = 0;
      counter += 1;
    }
    const value = block[used] ?? 0;
    used += 1;
    return value;
  }

  /** Throws away the bytes above the last whole multiple of `end`, which would favour the first choices. */
  function below(end: number): number {
    const limit = 256 - (256 % end);
    let value = byte();
    while (value >= limit) value = byte();
    return value % end;
  }

  function characters(alphabet: string, count: number): string {
    let text = "";
    for (let i = 0; i < count; i++) text += alphabet.charAt(below(alphabet.length));
    return text;
  }

  return {
    below,
    characters,
    digits: (count) => characters("0123456789", count),
    pick: (choices) => choices[below(choices.length)] ?? "",
  };
}

const firstNames = [
  "ADAEZE",
  "BABATUNDE",
  "CHIDI",
  "DAMILOLA",
  "EFEMENA",
  "FATIMA",
  "GBENGA",
  "HADIZA",
  "IFEOMA",
  "KUNLE",
];
const familyNames = ["ADEYEMI", "BELLO", "CHUKWU", "DANJUMA", "EZE", "FALANA", "IDOWU", "LAWAL", "NWOSU", "OKAFOR"];
const streets = ["Sample Close", "Example Street", "Sandbox Avenue", "Pretend Crescent", "Rehearsal Road"];

/** The owner of a meter, smartcard or account in the sandbox: by the number alone, so verify and purchase agree. */
export function madeUpCustomer(customerRef: string): { readonly name: string; readonly address: string } {
  const chance = madeUp(`customer/${customerRef}`);
  return {
    name: `TEST ${chance.pick(firstNames)} ${chance.pick(familyNames)}`,
    address: `${chance.below(200) + 1} ${chance.pick(streets)}, Testville`,
  };
}

const dayMs = 86_400_000;

/** The same time of day, `days` later, in the deployment's zone. */
export function daysLater(at: Instant, days: number, zone: WallTime): string {
  return zone.format(at + days * dayMs);
}

const daysOfUnit: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 };

/** Reads a product's validity (`30 days`, `1 week`, `7d`, `3 months`) as days; `fallback` when it says nothing. */
export function validityDays(validity: string | null, fallback: number): number {
  const match = /^\s*([0-9]{1,4})\s*([dwmy])/i.exec(validity ?? "");
  if (match === null) return fallback;
  return Number(match[1]) * (daysOfUnit[(match[2] ?? "d").toLowerCase()] ?? 1);
}

/** A text among a request's details or a product's attributes; null when it is absent or something else. */
export function textFact(facts: JsonObject, name: string): string | null {
  const value = facts[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** A whole number among a request's details or a product's attributes; null when it is absent or something else. */
export function integerFact(facts: JsonObject, name: string): number | null {
  const value = facts[name];
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}
