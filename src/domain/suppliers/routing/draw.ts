import type { MerchantId } from "../../../kernel/ids.ts";

/** What tells one purchase from all others before it has an id: whoever buys, and what it calls the purchase. */
export interface PurchaseName {
  readonly merchantId: MerchantId;
  readonly reference: string;
}

const fnvBasis = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** The part of a purchase's lots that its name decides. */
export function seedOf({ merchantId, reference }: PurchaseName): number {
  return hashed(reference, Math.imul(fnvBasis ^ merchantId, fnvPrime));
}

/**
 * A purchase's lot at a supplier, for a choice by weight: of all lots the lowest wins. The lot is an exponential variable
 * whose rate is the weight, so each supplier wins its weight's share, and where one is left out, its purchases alone move,
 * to the others by their weights (rendezvous hashing). Nothing is drawn by chance: every process finds the same one.
 * A weight of 0 loses to all others.
 */
export function lotOf(seed: number, supplier: string, weight: number): number {
  // Above 0 and below 1.
  const share = (mixed(hashed(supplier, seed)) + 0.5) / 0x1_0000_0000;
  return weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(share) / weight;
}

/** FNV-1a, over the characters' codes. */
function hashed(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), fnvPrime);
  return hash;
}

/** The end of MurmurHash3: names that differ in one last digit end far apart. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
