import { Type } from "typebox";
import type { VendRequest } from "../../providers/contract.ts";
import { instantOrNull, sequence, text, textOrNull } from "./fulfilment-fields.ts";
import { integerFact, madeUp, textFact } from "./made-up.ts";
import { integerAttribute, textAttribute } from "./product-shape.ts";

/** A PIN on a card or a slip. */
export interface MadeUpPin {
  readonly sequence: number;
  readonly pin: string;
  readonly serial: string;
}

export const pinProperties = {
  sequence,
  pin: text("The PIN: digits.", "00048210773659", 30),
  serial: textOrNull("The serial number, which support asks for; null where the PIN has none.", "48210773659214", 50),
};

export const pinField = Type.Object(
  { ...pinProperties, expires_at: instantOrNull("After it, the PIN is worthless.") },
  { "x-component": "Pin" },
);

/** What a product's attributes may say of the sandbox's PINs. */
export const pinAttributes = {
  pin_digits: integerAttribute(4, 30),
  serial_prefix: textAttribute(10),
  serial_digits: integerAttribute(4, 30),
};

/**
 * As many PINs as were bought, as the product's `pinAttributes` say.
 * The PINs begin with zeros, which no network's do; serials run on, as they do in one box of cards.
 */
export function madeUpPins(request: VendRequest, usual: { pinDigits: number; serialDigits: number }): MadeUpPin[] {
  const chance = madeUp(request.transactionId);
  const pinDigits = integerFact(request.attributes, "pin_digits") ?? usual.pinDigits;
  const serialDigits = integerFact(request.attributes, "serial_digits") ?? usual.serialDigits;
  const prefix = textFact(request.attributes, "serial_prefix") ?? "";
  // Three digits of their own for the sequence keep the serials of one purchase apart.
  const box = chance.digits(serialDigits - 3);
  return Array.from({ length: request.quantity }, (_, index) => ({
    sequence: index + 1,
    pin: `00${chance.digits(pinDigits - 2)}`,
    serial: `${prefix}${box}${String(index + 1).padStart(3, "0")}`,
  }));
}
