import { type Command, InvalidArgumentError } from "commander";
import { type CategorySlug, categorySlugs } from "../categories/category-slugs.ts";
import { readUnitPrice, type UnitPrice } from "../domain/catalogue/pricing.ts";
import { type RotationGrace, rotationGraces } from "../domain/merchants/api-keys.ts";
import { parseApiKeyId, parseMerchantId } from "../domain/merchants/merchant.ts";
import type { ChangeId } from "../domain/staff/change-queries.ts";
import { notACost, readCost } from "../domain/suppliers/routing/cost-text.ts";
import type { Cost } from "../domain/suppliers/routing/route.ts";
import type { BankReference } from "../domain/wallet/credit-queries.ts";
import { parseBankReference } from "../domain/wallet/credits.ts";
import type { Instant } from "../kernel/clock.ts";
import type { ApiKeyId, MerchantId, ProductId } from "../kernel/ids.ts";
import { type JsonObject, parseObject } from "../kernel/json.ts";
import { type Mode, modes } from "../kernel/mode.ts";
import { type Kobo, readAmount } from "../kernel/money.ts";
import { ungrouped, wholeNumber } from "../kernel/typed-text.ts";
import { type Session, wrong } from "./operator-command.ts";

// How the words of a command are read. Commander prints what an InvalidArgumentError says and ends with code 1.

export function merchantIdValue(text: string): MerchantId {
  return orComplain(parseMerchantId(text), "It must be a merchant's id such as mer_17.");
}

export function keyIdValue(text: string): ApiKeyId {
  return orComplain(parseApiKeyId(text), "It must be a key's id such as key_42; `keys ID` lists them.");
}

export function modeValue(text: string): Mode {
  return orComplain(modes.find((mode) => mode === text) ?? null, "It must be live or test.");
}

export function nairaValue(text: string): Kobo {
  return orComplain(readAmount(text), "It must be an amount in naira such as 50000.00.");
}

export function productIdValue(text: string): ProductId {
  return orComplain(wholeNumber(text), "It must be a product's id.") as ProductId;
}

export function categoryValue(text: string): CategorySlug {
  return orComplain(
    categorySlugs.find((slug) => slug === text) ?? null,
    `It must be one of ${categorySlugs.join(", ")}.`,
  );
}

export function graceValue(text: string): RotationGrace {
  const known = Object.keys(rotationGraces) as RotationGrace[];
  return orComplain(known.find((grace) => grace === text) ?? null, `It must be one of ${known.join(", ")}.`);
}

export function countValue(max: number): (text: string) => number {
  return (text) => {
    const count = wholeNumber(ungrouped(text));
    return orComplain(count !== null && count <= max ? count : null, `It must be a whole number from 1 to ${max}.`);
  };
}

export function weightValue(text: string): number {
  const weight = /^(0|[1-9][0-9]?|100)$/.test(text) ? Number(text) : null;
  return orComplain(weight, "It must be a whole number from 0 to 100.");
}

export function costValue(text: string): Cost {
  return orComplain(readCost(text), notACost(text));
}

/** What something costs, or its price: naira, or a share of the face value. */
export function amountOrShare(text: string, example: string): UnitPrice {
  return orComplain(readUnitPrice(text), `It must be naira such as ${example}, or a share such as 97.5%.`);
}

export function currencyValue(text: string): string {
  return orComplain(/^[A-Z]{3}$/.test(text) ? text : null, "It must be a currency's code such as USD.");
}

export function jsonValue(text: string): JsonObject {
  return orComplain(parseObject(text), 'It must be a JSON object such as {"name":"value"}.');
}

/** A person's name or email as it is typed beside `--by`, in one spelling: `namedPerson` says who that is. */
export function personValue(text: string): string {
  const name = text.normalize("NFC").trim().replace(/\s+/g, " ");
  return orComplain(/^\P{C}{1,100}$/u.test(name) ? name : null, "It must be a name of 1 to 100 characters.");
}

export function bankReferenceValue(text: string): BankReference {
  const complaint = "It must have 1 to 64 letters, digits and signs, as the bank's statement has it.";
  return orComplain(parseBankReference(text), complaint);
}

export function creditIdValue(text: string): number {
  return orComplain(wholeNumber(text), "It must be a credit's number.");
}

export function changeIdValue(text: string): ChangeId {
  return orComplain(wholeNumber(text) as ChangeId | null, "It must be a change's number; changes lists them.");
}

export function orComplain<T>(value: T | null, complaint: string): T {
  if (value === null) throw new InvalidArgumentError(complaint);
  return value;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `2h`, `3d` as milliseconds. */
export function ageValue(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,5})([smhd])$/.exec(text) ?? [];
  const ms = count === undefined || unit === undefined ? null : Number(count) * (unitMs[unit] ?? 0);
  return orComplain(ms, "It must be an age such as 90s, 15m, 2h or 3d.");
}

/** The two largest units of an age: `2 d 3 h`, `15 min 2 s`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first === -1 ? parts.length - 1 : first)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

/** Days that a command is about, from the first to the last, both included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

export function spanned<Spanned extends Command>(command: Spanned): Spanned {
  return command
    .requiredOption("--from <date>", "the first day, such as 2026-11-01", dateValue)
    .requiredOption("--to <date>", "the last day, it included", dateValue);
}

export function dateValue(text: string): string {
  return orComplain(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null, "It must be a date such as 2026-11-01.");
}

/** Whole days in the deployment's zone. @throws Refusal VALIDATION_ERROR */
export function spanOf(
  { wallTime }: Pick<Session, "wallTime">,
  span: Span,
): { readonly from: Instant; readonly before: Instant } {
  const from = wallTime.startOfDay(span.from);
  const last = wallTime.startOfDay(span.to);
  if (from === null || last === null) throw wrong("There is no such day.");
  if (from > last) throw wrong("--from must not come after --to.");
  return { from, before: wallTime.dayOf(last).end };
}
