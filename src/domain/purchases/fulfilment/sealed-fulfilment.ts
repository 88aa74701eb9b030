import type { PurchaseId, WalletKey } from "../../../kernel/ids.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";

/**
 * A supplier's fulfilment as the database holds it: all of it sealed but its kind, which lists show. Tokens and PINs
 * are money to anybody who reads them; the sandbox's are made up, worth nothing and stay open.
 */
export class SealedFulfilment {
  readonly kind: Json;
  readonly sealed: string;

  constructor(kind: Json, sealed: string) {
    this.kind = kind;
    this.sealed = sealed;
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
  if (fulfilment instanceof SealedFulfilment) return { kind: fulfilment.kind, sealed: fulfilment.sealed };
  if (fulfilment === null || place.supplier === null || !handsOver(fulfilment)) return fulfilment;
  const sealed = secretBox.seal(JSON.stringify(fulfilment), fulfilmentIdentity(place));
  return { kind: fulfilment.kind ?? null, sealed };
}

/** A fulfilment of airtime or data has nothing but its kind, which stands outside of the seal anyway. */
function handsOver(fulfilment: JsonObject): boolean {
  return Object.keys(fulfilment).some((name) => name !== "kind");
}

/** The fulfilment as it was stored: open where it has nothing but its kind, and in sandbox. */
export function readFulfilment({ supplier }: Pick<Place, "supplier">, stored: JsonObject | null): Fulfilment | null {
  if (stored === null || supplier === null || typeof stored.sealed !== "string") return stored;
  return new SealedFulfilment(stored.kind ?? null, stored.sealed);
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
export function rewrappedFulfilment(
  secretBox: SecretBox,
  place: Pick<Place, "wallet" | "id">,
  stored: string,
): string | null {
  const { kind, sealed } = JSON.parse(stored) as Pick<SealedFulfilment, "kind" | "sealed">;
  const fresh = secretBox.rewrap(sealed, fulfilmentIdentity(place));
  return fresh === null ? null : JSON.stringify({ kind, sealed: fresh });
}
