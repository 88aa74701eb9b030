import type { PurchaseId, WalletKey } from "../../../kernel/ids.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import { codeEndsOf } from "./code-ends.ts";

/**
 * A supplier's fulfilment as the database holds it: all of it sealed but its kind, which lists show. Tokens and PINs
 * are money to anybody who reads them; the sandbox's are made up, worth nothing and stay open.
 */
export class SealedFulfilment {
  readonly kind: Json;
  readonly sealed: string;
  /** By what a caller reads out of it, see `code-ends.ts`; undefined where it has no code of digits. */
  readonly ends: Json | undefined;

  constructor({ kind = null, sealed, ends }: JsonObject) {
    this.kind = kind;
    this.sealed = String(sealed);
    this.ends = ends;
  }
}

/** Open where it was just vended, or made up; sealed where it was read from the database. */
export type Fulfilment = JsonObject | SealedFulfilment;

interface Place {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  /** Null in sandbox. */
  readonly supplier: string | null;
}

/** The place that a purchase's fulfilment is sealed for: it opens nowhere else. */
export function fulfilmentIdentity({ wallet, id }: Pick<Place, "wallet" | "id">): string {
  return `purchases/${wallet.merchantId}/${id}`;
}

/** The fulfilment as it is to be stored. */
export function storedFulfilment(secretBox: SecretBox, place: Place, fulfilment: Fulfilment | null): JsonObject | null {
  if (fulfilment instanceof SealedFulfilment) {
    const { kind, sealed, ends } = fulfilment;
    return ends === undefined ? { kind, sealed } : { kind, sealed, ends };
  }
  if (fulfilment === null || place.supplier === null || !handsOver(fulfilment)) return fulfilment;
  return sealedRow(secretBox, fulfilment, secretBox.seal(JSON.stringify(fulfilment), fulfilmentIdentity(place)));
}

function sealedRow(secretBox: SecretBox, fulfilment: JsonObject, sealed: string): JsonObject {
  const ends = codeEndsOf(secretBox, fulfilment);
  return { kind: fulfilment.kind ?? null, sealed, ...(ends === null ? {} : { ends }) };
}

/** A fulfilment of airtime or data has nothing but its kind, which stands outside of the seal anyway. */
function handsOver(fulfilment: JsonObject): boolean {
  return Object.keys(fulfilment).some((name) => name !== "kind");
}

/** The fulfilment as it was stored: open where it has nothing but its kind, and in sandbox. */
export function readFulfilment({ supplier }: Pick<Place, "supplier">, stored: JsonObject | null): Fulfilment | null {
  if (stored === null || supplier === null || typeof stored.sealed !== "string") return stored;
  return new SealedFulfilment(stored);
}

/** For its buyer. @throws Unopenable */
export function openFulfilment(
  secretBox: SecretBox,
  purchase: Place & { readonly fulfilment: Fulfilment | null },
): JsonObject | null {
  const { fulfilment } = purchase;
  if (!(fulfilment instanceof SealedFulfilment)) return fulfilment;
  return JSON.parse(secretBox.open(fulfilment.sealed, fulfilmentIdentity(purchase))) as JsonObject;
}

/** A sealed fulfilment as it has to be stored under the key that seals at present; null if it is stored so. */
export function rewrappedFulfilment(secretBox: SecretBox, identity: string, stored: string): string | null {
  const { sealed } = JSON.parse(stored) as Pick<SealedFulfilment, "sealed">;
  const fresh = secretBox.rewrap(sealed, identity);
  if (fresh === null) return null;
  // Opened too: the hashes of its ends follow from the key, and go with it.
  const fulfilment = JSON.parse(secretBox.open(fresh, identity)) as JsonObject;
  return JSON.stringify(sealedRow(secretBox, fulfilment, fresh));
}
