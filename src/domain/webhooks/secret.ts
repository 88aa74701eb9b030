import type { MerchantId } from "../../kernel/ids.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Randomness } from "../merchants/key-format.ts";
import { secretPrefix } from "./signature.ts";

const secretBytes = 32;

/** A secret just made: shown once, stored sealed. */
export interface MintedSecret {
  readonly text: string;
  readonly sealed: string;
  /** Enough to tell two secrets apart by, and no more. */
  readonly hint: string;
}

export type MintSecret = (merchantId: MerchantId) => MintedSecret;

/** Makes webhook secrets: `whsec_` and 32 random bytes in base64. */
export function secretMinter(options: { readonly randomness: Randomness; readonly secretBox: SecretBox }): MintSecret {
  return (merchantId) => {
    const text = secretPrefix + Buffer.from(options.randomness(secretBytes)).toString("base64");
    const sealed = options.secretBox.seal(text, secretIdentity(merchantId));
    return { text, sealed, hint: `${secretPrefix}…${text.slice(-4)}` };
  };
}

/** The secret as it was shown. @throws Unopenable when it was sealed under a key that is not ours, or for another */
export function openSecret(secretBox: SecretBox, merchantId: MerchantId, sealed: string): string {
  return secretBox.open(sealed, secretIdentity(merchantId));
}

/** Of the row, not of the column: a rotation moves the secret to the place of the previous one. */
export function secretIdentity(merchantId: MerchantId): string {
  return `webhook_endpoints/${merchantId}`;
}
