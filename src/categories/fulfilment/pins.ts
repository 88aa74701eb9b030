import { type Static, Type } from "typebox";
import type { JsonObject } from "../../kernel/json.ts";
import { integerAttribute, textAttribute } from "../product/product-shape.ts";
import type { VendRequest } from "../supplier-request.ts";
import { pieceFaults, piecesIn } from "./fulfilment-by-hand.ts";
import { instantOrNull, sequence, text, textOrNull } from "./fulfilment-fields.ts";
import { integerFact, madeUp, textFact } from "./made-up.ts";

/** A PIN on a card or a slip. */
export interface MadeUpPin {
  readonly sequence: number;
  readonly pin: string;
  readonly serial: string;
}

const pinCharactersMax = 30;
const serialCharactersMax = 50;

export const pinProperties = {
  sequence,
  pin: text("The PIN: digits.", "00048210773659", pinCharactersMax),
  serial: textOrNull(
    "The serial number, which support asks for; null where the PIN has none.",
    "48210773659214",
    serialCharactersMax,
  ),
};

export const pinField = Type.Object(
  { ...pinProperties, expires_at: instantOrNull("After it, the PIN is worthless.") },
  { "x-component": "Pin" },
);

export type DeliveredPin = Static<typeof pinField>;

/** Whether a fulfilment has room for it, whole: what is left of a PIN is worth nothing. */
export function pinFits({ pin, serial }: Pick<DeliveredPin, "pin" | "serial">): boolean {
  return pin.length <= pinCharactersMax && (serial?.length ?? 0) <= serialCharactersMax;
}

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

/** Faults of PINs that a person hands over: as many as were bought, all different, each of the product's form. */
export function pinFaults(request: VendRequest, fulfilment: JsonObject): readonly string[] {
  const digits = integerFact(request.attributes, "pin_digits");
  const form = digits === null ? /^[A-Za-z0-9-]{4,30}$/ : new RegExp(`^[0-9]{${digits}}$`);
  const rule = digits === null ? "4 to 30 letters, digits or dashes" : `${digits} digits`;
  const misshapen = piecesIn(fulfilment, "pins").flatMap(({ pin }, index) =>
    typeof pin === "string" && !form.test(pin) ? [`/pins/${index}/pin must have ${rule}`] : [],
  );
  return [...misshapen, ...pieceFaults(request, fulfilment, { list: "pins", differsIn: "pin" })];
}
