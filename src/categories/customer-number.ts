import { assert } from "../kernel/assert.ts";
import { parsePhone, phonePattern } from "../kernel/phone.ts";
import type { ProblemCode } from "../kernel/problems.ts";
import { refuseField } from "../kernel/problems.ts";
import type { Category } from "./category.ts";
import { phoneField } from "./fields.ts";

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
  throw refuseField(problem?.pattern ?? "VALIDATION_ERROR", field, message ?? "Has the wrong form.");
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
