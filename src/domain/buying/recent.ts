import type { Reference, WalletKey } from "../../kernel/ids.ts";

/** References that this process accepted lately. A hint alone: the database decides what was bought. */
export interface RecentReferences {
  add(wallet: WalletKey, reference: Reference): void;
  has(wallet: WalletKey, reference: Reference): boolean;
}

/** Four megabytes, whatever happens: a million references. */
const placesMax = 1 << 20;
/**
 * Where a reference can stand; a newer one drives out the oldest. With a single place each, the next hundred thousand
 * drove out a tenth of all.
 */
const placesEach = 4;

/** Remembers by a hash: another reference with the same one costs a look into the database and nothing else. */
export function rememberReferences(): RecentReferences {
  const hashes = new Uint32Array(placesMax);
  return {
    add(wallet, reference) {
      const hash = hashOf(wallet, reference);
      const first = firstPlaceOf(hash);
      hashes.copyWithin(first + 1, first, first + placesEach - 1);
      hashes[first] = hash;
    },
    has(wallet, reference) {
      const hash = hashOf(wallet, reference);
      const first = firstPlaceOf(hash);
      return hashes.subarray(first, first + placesEach).includes(hash);
    },
  };
}

function firstPlaceOf(hash: number): number {
  return (hash * placesEach) % placesMax;
}

/** FNV-1a, 32 bits. */
function hashOf({ merchantId, mode }: WalletKey, reference: string): number {
  let hash = Math.imul(0x811c9dc5 ^ merchantId ^ (mode.charCodeAt(0) << 24), 0x01000193);
  for (let i = 0; i < reference.length; i++) hash = Math.imul(hash ^ reference.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
