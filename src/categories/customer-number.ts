import { assert } from "../kernel/assert.ts";
import { type Kobo, kobo } from "../kernel/money.ts";
import { parsePhone, phonePattern } from "../kernel/phone.ts";
import { type ProblemCode, refuseField } from "../kernel/problems.ts";
import { zeroLostSentence } from "../kernel/typed-text.ts";
import type { Category } from "./category.ts";
import { phoneField } from "./fields.ts";
import { madeUp, madeUpCustomer } from "./fulfilment/made-up.ts";

/** A customer's number as a request field describes it. */
interface NumberField {
  readonly pattern?: string;
  readonly "x-problem"?: Readonly<Record<string, ProblemCode>>;
  readonly "x-message"?: string;
}

/**
 * Reads a customer's number as the category's own request field would, in the spelling that purchases keep.
 * @throws Refusal INVALID_PHONE, INVALID_METER, INVALID_SMARTCARD or VALIDATION_ERROR, on `field`
 */
export function readCustomerNumber(category: Category, text: string, field: string): string {
  const { pattern, "x-problem": problem, "x-message": message } = numberField(category);
  assert(pattern !== undefined, "a customer's number has a pattern");
  const number = pattern === phonePattern ? parsePhone(text) : new RegExp(pattern).test(text) ? text : null;
  if (number !== null) return number;
  const lost = pattern === phonePattern ? zeroLostSentence(text) : null;
  throw refuseField(problem?.pattern ?? "VALIDATION_ERROR", field, lost ?? message ?? "Has the wrong form.");
}

/** Whether the category's meters are prepaid or postpaid, so that a request may say which. */
export function hasMeterTypes(category: Category): boolean {
  return "meter_type" in category.body.properties;
}

/** An SMS has a list where the others have a number; what stands in it are phone numbers. */
function numberField(category: Category): NumberField {
  const fields = category.body.properties as Readonly<Record<string, NumberField | undefined>>;
  const field = fields[category.customerField];
  return field?.pattern === undefined ? (phoneField as NumberField) : field;
}

/** The sandbox's facts about a meter, by its number alone: verify and purchase answer the same. */
export interface MadeUpMeter {
  readonly customerName: string;
  readonly customerAddress: string;
  /** A to E, by the hours of supply a day. */
  readonly tariffBand: string;
  /** Kobo per kWh, before VAT. */
  readonly tariff: Kobo;
  /** Kobo. */
  readonly outstandingDebt: Kobo;
  /** Whether the meter still waits for its key change, so that two tokens come before the one that was bought. */
  readonly needsKeyChange: boolean;
}

// Tariffs of 2024 to 2026, kobo per kWh: Band A lies near ₦209.50, the lower bands were left at their older rates.
const tariffs: readonly (readonly [band: string, kobo: bigint])[] = [
  ["A", 20_950n],
  ["B", 6_307n],
  ["C", 5_045n],
  ["D", 4_108n],
  ["E", 4_031n],
];

/** Sandbox meters ending in these digits show the two cases that a token printer must not forget. */
const keyChangeSuffix = "0007";
export const debtSuffix = "0008";

export function madeUpMeter(meterNumber: string): MadeUpMeter {
  const customer = madeUpCustomer(meterNumber);
  const [tariffBand, tariff] = tariffs[madeUp(`meter/${meterNumber}`).below(tariffs.length)] ?? ["A", 20_950n];
  return {
    customerName: customer.name,
    customerAddress: customer.address,
    tariffBand,
    tariff: kobo(tariff),
    outstandingDebt: kobo(meterNumber.endsWith(debtSuffix) ? 50_000n : 0n),
    needsKeyChange: meterNumber.endsWith(keyChangeSuffix),
  };
}
