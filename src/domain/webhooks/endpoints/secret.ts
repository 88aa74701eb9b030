import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { Randomness } from "../../merchants/key-format.ts";
import { type EndpointKey, endpointName, firstEndpointNumber } from "./endpoint.ts";
import { secretPrefix } from "./signature.ts";

const secretBytes = 32;

/** A secret just made: shown once, stored sealed. */
export interface MintedSecret {
  readonly text: string;
  readonly sealed: string;
  /** Enough to tell two secrets apart by, and no more. */
  readonly hint: string;
}

export type MintSecret = (key: EndpointKey) => MintedSecret;

/** Makes webhook secrets: `whsec_` and 32 random bytes in base64. */
export function secretMinter(options: { readonly randomness: Randomness; readonly secretBox: SecretBox }): MintSecret {
  return (key) => {
    const text = secretPrefix + Buffer.from(options.randomness(secretBytes)).toString("base64");
    const sealed = options.secretBox.seal(text, secretIdentity(key));
    return { text, sealed, hint: `${secretPrefix}…${text.slice(-4)}` };
  };
}

/** The secret as it was shown. @throws Unopenable when it was sealed under a key that is not ours, or for another */
export function openSecret(secretBox: SecretBox, key: EndpointKey, sealed: string): string {
  return secretBox.open(sealed, secretIdentity(key));
}

/**
 * Names the row, not the column: a rotation moves the secret to the place of the previous one. The first endpoint's
 * name has no number, as its secrets were sealed before there were others.
 */
export function secretIdentity(key: EndpointKey): string {
  const name = key.endpointNumber === firstEndpointNumber ? String(key.merchantId) : endpointName(key);
  return `webhook_endpoints/${name}`;
}
