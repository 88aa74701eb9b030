import { Type } from "typebox";
import { assert } from "../kernel/assert.ts";
import { referencePattern } from "../kernel/ids.ts";
import { type Kobo, parseNaira } from "../kernel/money.ts";
import { type Network, type Phone, parseNetwork, parsePhone, phonePattern } from "../kernel/phone.ts";
import { type ProblemCode, refuseField } from "../kernel/problems.ts";
import { meterTypes } from "./product/product.ts";

/**
 * Request fields that several categories share. `x-problem` names the error code per failing keyword (any other
 * keyword is VALIDATION_ERROR) and `x-message` the sentence; `platform/validation/faults.ts` reads both. `x-naira`
 * and `x-range` are checks of ours, as JSON Schema has none for money and digit strings.
 */
interface FieldNotes {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The name that the API's document gives to the schema. */
  readonly "x-component"?: string;
  readonly "x-problem"?: Readonly<Record<string, ProblemCode>>;
  readonly "x-message"?: string;
}

export function textField(options: { minLength?: number; maxLength: number } & FieldNotes) {
  return Type.String({ ...options });
}

export function patternField(options: { pattern: string; maxLength: number } & FieldNotes) {
  return Type.String({ ...options });
}

/** A whole number, as a JSON integer or a string of digits (PHP clients send strings). Read it with `integerOf`. */
export function integerField(
  options: { minimum: number; maximum: number; rangeProblem?: ProblemCode } & Pick<
    FieldNotes,
    "description" | "examples" | "x-component"
  >,
) {
  const { minimum, maximum, rangeProblem, ...notes } = options;
  return Type.Unsafe<number | string>({
    type: ["integer", "string"],
    pattern: "^-?[0-9]{1,15}$",
    "x-range": { minimum, maximum },
    "x-message": `Must be a whole number from ${minimum} to ${maximum}.`,
    ...(rangeProblem === undefined ? {} : { "x-problem": { "x-range": rangeProblem } }),
    ...notes,
  });
}

/** A positive amount with at most two decimals, as a string or a JSON number. Read it with `nairaOf`. */
export function nairaField(description: string) {
  return Type.Unsafe<string | number>({
    type: ["string", "number"],
    "x-naira": true,
    "x-component": "AmountInput",
    "x-message": "Must be a positive amount with at most two decimals.",
    description,
    examples: ["100.00"],
  });
}

export const productIdField = integerField({
  minimum: 1,
  maximum: 2_147_483_647,
  description: "The catalogue's id of the product.",
  examples: [1002],
  "x-component": "ProductIdInput",
});

export const phoneField = patternField({
  pattern: phonePattern,
  maxLength: 40,
  description: "A Nigerian mobile number in local or international form.",
  "x-component": "PhoneInput",
  examples: ["08031234567"],
  "x-problem": { pattern: "INVALID_PHONE", maxLength: "INVALID_PHONE" },
  "x-message": "Must be a Nigerian mobile number such as 08031234567.",
});

export const meterNumberField = patternField({
  pattern: "^[0-9]{6,13}$",
  maxLength: 40,
  description: "The meter's number: 6 to 13 digits.",
  "x-component": "MeterNumberInput",
  examples: ["45012345678"],
  "x-problem": { pattern: "INVALID_METER", maxLength: "INVALID_METER" },
  "x-message": "Must have 6 to 13 digits.",
});

export const smartcardNumberField = patternField({
  pattern: "^[0-9]{8,14}$",
  maxLength: 40,
  description: "The smartcard or IUC number: 8 to 14 digits.",
  "x-component": "SmartcardNumberInput",
  examples: ["7032145678"],
  "x-problem": { pattern: "INVALID_SMARTCARD", maxLength: "INVALID_SMARTCARD" },
  "x-message": "Must have 8 to 14 digits.",
});

/** A biller's slug. */
export const slugPattern = "^[a-z0-9][a-z0-9-]{0,62}$";

export const billerField = patternField({
  pattern: slugPattern,
  maxLength: 63,
  description: "A biller's slug, instead of `product_id`.",
  examples: ["ikeja-electric"],
  "x-component": "BillerInput",
  "x-message": "Must be a biller's slug.",
});

export const networkField = textField({
  minLength: 1,
  maxLength: 20,
  description: "MTN, GLO, 9MOBILE or AIRTEL, in any case.",
  examples: ["MTN"],
  "x-component": "NetworkInput",
});

export const emailField = patternField({
  pattern: "^[^@\\s]{1,64}@[^@\\s]{1,190}$",
  maxLength: 255,
  description: "An e-mail address.",
  examples: ["ada@example.ng"],
  "x-component": "EmailInput",
  "x-message": "Must be an e-mail address.",
});

/** The merchant's own name for a purchase or an order: its idempotency key. */
export function referenceField(maxLength: number) {
  return Type.String({
    pattern: referencePattern,
    maxLength,
    description: "Your name for it, and its idempotency key: sent again, it answers the original.",
    examples: ["order-20261120-0001"],
    "x-problem": { pattern: "INVALID_REFERENCE", maxLength: "INVALID_REFERENCE" },
    "x-message": `Must be 1 to ${maxLength} letters, digits, dots, dashes, underscores or colons, and no transaction_id.`,
  });
}

export const verificationIdField = textField({
  minLength: 1,
  maxLength: 64,
  description: "The id that verify answered: the purchase is refused where it is stale or another number's.",
  examples: ["ver_AGk8ZcuC0m8tYF3dJQ1xv2Zp9wq5"],
  "x-component": "VerificationIdInput",
});

export const portedField = Type.Boolean({
  description: "false: the number was never ported, so refuse it when its prefix names another network.",
});

export const meterTypeField = Type.Enum([...meterTypes], {
  description: "The kind of meter; with `biller`, it selects the product.",
  "x-message": "Must be prepaid or postpaid.",
});

/** A whole number of pieces; out of bounds it is QUANTITY_OUT_OF_RANGE. */
export function quantityField(maximum: number, description: string) {
  return integerField({ minimum: 1, maximum, rangeProblem: "QUANTITY_OUT_OF_RANGE", description });
}

/** Reads an `integerField` that its schema has accepted. */
export function integerOf(value: number | string): number {
  const integer = Number(value);
  assert(Number.isSafeInteger(integer), "the schema let only integers through");
  return integer;
}

/** Reads a `nairaField` that its schema has accepted. */
export function nairaOf(value: number | string): Kobo {
  const amount = parseNaira(value);
  assert(amount !== null, "the schema let only amounts through");
  return amount;
}

/** Reads a `phoneField` that its schema has accepted. */
export function phoneOf(value: string): Phone {
  const phone = parsePhone(value);
  assert(phone !== null, "the schema let only phone numbers through");
  return phone;
}

/** Reads a `networkField`. @throws Refusal VALIDATION_ERROR for what is no network */
export function networkOf(value: string): Network {
  const network = parseNetwork(value);
  if (network === null) throw refuseField("VALIDATION_ERROR", "network", "Must be MTN, GLO, 9MOBILE or AIRTEL.");
  return network;
}

/** Reads a field that may be left out; null where it is. */
export function ifSent<Sent, Read>(value: Sent | undefined, read: (value: Sent) => Read): Read | null {
  return value === undefined ? null : read(value);
}
