import { integerFact, textFact } from "../../../categories/fulfilment/made-up.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Voucher } from "./voucher.ts";

/** What a product's PINs and serials look like, as far as its attributes say (`pinAttributes`). */
export interface VoucherFormat {
  readonly pinDigits: number | null;
  readonly serialPrefix: string | null;
  readonly serialDigits: number | null;
}

export type WrongFormat = `the PIN is not ${string}` | `the serial is not ${string}`;

export function formatOf(attributes: JsonObject): VoucherFormat {
  return {
    pinDigits: integerFact(attributes, "pin_digits"),
    serialPrefix: textFact(attributes, "serial_prefix"),
    serialDigits: integerFact(attributes, "serial_digits"),
  };
}

/** Why a voucher is none of this format; null where it is. A card without a serial is taken. */
export function wrongFormat(format: VoucherFormat, { code, serial }: Voucher): WrongFormat | null {
  if (!pinFits(format, code)) return `the PIN is not ${pinWords(format)}`;
  return serial === null || serialFits(format, serial) ? null : `the serial is not ${serialWords(format)}`;
}

const plainPin = /^[A-Za-z0-9-]{4,30}$/;
const onlyDigits = /^[0-9]+$/;

/** Spaces and dashes group a PIN, and are no digits of it. */
function pinFits({ pinDigits }: VoucherFormat, code: string): boolean {
  const pin = code.replace(/[ -]/g, "");
  if (pinDigits !== null) return pin.length === pinDigits && onlyDigits.test(pin);
  return pin.length >= 4 && plainPin.test(code.replaceAll(" ", ""));
}

function serialFits({ serialPrefix, serialDigits }: VoucherFormat, serial: string): boolean {
  const prefix = serialPrefix ?? "";
  const digits = serial.slice(prefix.length);
  if (!serial.startsWith(prefix)) return false;
  return serialDigits === null || (digits.length === serialDigits && onlyDigits.test(digits));
}

/** Completes "a PIN is …". */
export function pinWords({ pinDigits }: VoucherFormat): string {
  return pinDigits === null ? "4 to 30 letters, digits and dashes" : `${pinDigits} digits`;
}

/** Completes "a serial is …". */
export function serialWords({ serialPrefix, serialDigits }: VoucherFormat): string {
  const digits = serialDigits === null ? "anything" : `${serialDigits} digits`;
  return serialPrefix === null ? digits : `${serialPrefix} and ${digits}`;
}
