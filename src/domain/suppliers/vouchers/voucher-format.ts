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

/** The place that an uploaded file is sealed for. */
export function importIdentity(id: number): string {
  return `voucher_imports/${id}`;
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

/** Rows that are looked at before the first one is judged. */
const lookedAtMax = 1_000;
/** So many times as often as by chance, and numbers of a length that end in zeros were rounded. */
const timesChance = 3;

/** A row of the file, and whether a spreadsheet rounded a number in it. */
type Judged = readonly [row: VoucherRow, isRounded: boolean];

/**
 * Finds the rows that a spreadsheet rounded: it keeps 15 digits of a number and makes zeros of those after them. One
 * genuine number of 16 digits in ten ends so too, so each length is judged by how often that comes in the file.
 */
export async function* judgeRounded(rows: AsyncIterable<VoucherRow>): AsyncGenerator<Judged> {
  const long = new Map<number, number>();
  const ending = new Map<number, number>();
  const isRounded = (text: string) => {
    const zeros = zerosOf(text);
    const found = Math.max(1, ending.get(text.length) ?? 0);
    const share = found / Math.max(1, long.get(text.length) ?? 0);
    // One zero in one code tells nothing.
    return found * zeros > 1 && share * 10 ** zeros > timesChance;
  };
  let first: VoucherRow[] | null = [];
  for await (const row of rows) {
    if (first === null) yield [row, cellsOf(row).some(isRounded)];
    else {
      for (const text of cellsOf(row).filter((cell) => /^[1-9][0-9]{15,}$/.test(cell))) {
        long.set(text.length, (long.get(text.length) ?? 0) + 1);
        if (zerosOf(text) > 0) ending.set(text.length, (ending.get(text.length) ?? 0) + 1);
      }
      first.push(row);
      if (first.length < lookedAtMax) continue;
      for (const before of first) yield [before, cellsOf(before).some(isRounded)];
      first = null;
    }
  }
  for (const row of first ?? []) yield [row, cellsOf(row).some(isRounded)];
}

function cellsOf({ code, pin = "", serial }: VoucherRow): readonly string[] {
  return [code, pin, serial];
}

/** How many digits follow the fifteenth, where all of them are zeros. What begins with a zero was no number. */
function zerosOf(text: string): number {
  return /^[1-9][0-9]{14}(0+)$/.exec(text)?.[1]?.length ?? 0;
}
