import { integerFact, textFact } from "../../../categories/fulfilment/made-up.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";

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

/** A PIN or code as it is sold. */
export interface Voucher {
  readonly code: string;
  /** Asked for with the code, where a gift card's brand does; absent of what was stored before there were any. */
  readonly pin?: string | null;
  readonly serial: string | null;
  /** `YYYY-MM-DD`: the last day on which it can be used; null where it never expires. */
  readonly expiresOn: string | null;
}

/** A row of a supplier's file. */
export interface VoucherRow {
  /** The row's line in the file, from 1. */
  readonly line: number;
  readonly code: string;
  /** The PIN of a card that is redeemed with a code and a PIN; empty or absent where the code is enough. */
  readonly pin?: string;
  readonly serial: string;
  /** `YYYY-MM-DD`; empty where the voucher never expires. */
  readonly expiresOn: string;
}

/** The place that a voucher is sealed for: it opens nowhere else. */
export function voucherIdentity(productId: number, fingerprint: Buffer): string {
  return `vouchers/${productId}/${fingerprint.toString("hex")}`;
}

/** The place of the key that fingerprints are made under. */
export const fingerprintKeyIdentity = "voucher_keys/fingerprint";

export function sealVoucher(
  secretBox: SecretBox,
  voucher: Voucher,
  place: { readonly productId: number; readonly fingerprint: Buffer },
): string {
  return secretBox.seal(JSON.stringify(voucher), voucherIdentity(place.productId, place.fingerprint));
}

/** @throws Unopenable */
export function openVoucher(
  secretBox: SecretBox,
  sealed: { readonly sealed: string; readonly productId: number; readonly fingerprint: Buffer },
): Voucher {
  return JSON.parse(secretBox.open(sealed.sealed, voucherIdentity(sealed.productId, sealed.fingerprint))) as Voucher;
}
