import type { SecretBox } from "../../../platform/sealing/secret-box.ts";

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
