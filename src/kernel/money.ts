import { assert } from "./assert.ts";
import { typedText, ungrouped } from "./typed-text.ts";

declare const unit: unique symbol;

/** Naira money: whole kobo (1 naira = 100 kobo). Never a float, never a bare bigint. */
export type Kobo = bigint & { readonly [unit]: "kobo" };

/** A share in hundredths of a percent: 2.5 % = 250. */
export type BasisPoints = bigint & { readonly [unit]: "basis points" };

export function kobo(value: bigint): Kobo {
  return value as Kobo;
}

export const zeroKobo = kobo(0n);

export function basisPoints(value: bigint): BasisPoints {
  assert(value >= 0n && value <= 10_000n, "basis points lie between 0 and 100 %");
  return value as BasisPoints;
}

export function add(a: Kobo, b: Kobo): Kobo {
  return (a + b) as Kobo;
}

export function subtract(a: Kobo, b: Kobo): Kobo {
  return (a - b) as Kobo;
}

export function multiply(amount: Kobo, count: number): Kobo {
  return (amount * BigInt(count)) as Kobo;
}

/** `share` of `amount`, rounded down to a kobo: for a part that must not be more than its share. */
export function shareFloor(amount: Kobo, share: BasisPoints): Kobo {
  return ((amount * share) / 10_000n) as Kobo;
}

/** `share` of `amount`, rounded up to a kobo: for what a supplier takes, which must not be reckoned too low. */
export function shareCeiling(amount: Kobo, share: BasisPoints): Kobo {
  return ((amount * share + 9_999n) / 10_000n) as Kobo;
}

/** Kobo as the wire's decimal string with two decimals: `kobo(125050n)` → `"1250.50"`. */
export function formatNaira(amount: Kobo): string {
  return formatHundredths(amount);
}

/** The same for people, in groups of three: `43,151,693.04`. */
export function groupedNaira(amount: Kobo): string {
  return formatNaira(amount).replace(/(?<=[0-9])(?=(?:[0-9]{3})+\.)/g, ",");
}

/** The same for an amount in hundredths of any currency. */
export function formatHundredths(amount: bigint): string {
  // Number is exact here up to 2^53 kobo (90 trillion naira), and several times quicker than bigint division.
  const value = Number(amount);
  assert(Number.isSafeInteger(value), "an amount fits a double exactly");
  const magnitude = Math.abs(value);
  const whole = Math.floor(magnitude / 100);
  const cents = magnitude % 100;
  return `${value < 0 ? "-" : ""}${whole}.${cents < 10 ? "0" : ""}${cents}`;
}

/** Less than ten billion naira, far below where `bigint` columns end. */
const decimal = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,2}))?$/;

/**
 * Reads a positive decimal amount with at most two decimals: a string as it is written, a JSON number by its value.
 * Null for anything else: zero, negatives, exponents in strings, more decimals, other digits than 0–9, overflow.
 */
export function parseNaira(value: unknown): Kobo | null {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return null;
  const match = decimal.exec(text);
  if (match === null) return null;
  const amount = BigInt(match[1] ?? "0") * 100n + BigInt((match[2] ?? "").padEnd(2, "0"));
  return amount > 0n ? kobo(amount) : null;
}

/**
 * Reads an amount as people and their files write it: `1500`, `₦1,500.00`, `1,234,567.5 NGN`. A comma stands between
 * groups of three alone. Null where it may mean two amounts, or none: `100,00`, `1.500`.
 */
export function readAmount(text: string): Kobo | null {
  return parseNaira(ungrouped(withoutSign(text)));
}

function withoutSign(text: string): string {
  return typedText(text).replace(/^(?:₦|NGN|N) ?(?=[0-9])|(?<=[0-9]) ?(?:₦|NGN)$/gi, "");
}

/** What to say of a text that `readAmount` refused. */
export function notAnAmount(text: string): string {
  const [, whole = "", cents = ""] = /^([0-9]{1,8}),([0-9]{1,2})$/.exec(withoutSign(text)) ?? [];
  const grouped = `${whole}${cents}`.replace(/(?<=[0-9])(?=(?:[0-9]{3})+$)/g, ",");
  const instead = whole === "" ? "1500, 1,500 or 1,500.00" : `${whole}.${cents} or ${grouped}`;
  return `“${text.slice(0, 40)}” isn't read as an amount: write ${instead}.`;
}
