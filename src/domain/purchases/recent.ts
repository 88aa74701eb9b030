import type { Reference, WalletKey } from "../../kernel/ids.ts";

/** References that this process accepted lately. A hint alone: the database decides what was bought. */
export interface RecentReferences {
  add(wallet: WalletKey, reference: Reference): void;
  has(wallet: WalletKey, reference: Reference): boolean;
}

/** Four megabytes, whatever happens: a newer reference takes the place of an older one that falls on it. */
const placesMax = 1 << 20;

/** Remembers by a hash: another reference with the same one costs a look into the database and nothing else. */
export function rememberReferences(): RecentReferences {
  const hashes = new Uint32Array(placesMax);
  return {
    add(wallet, reference) {
      const hash = hashOf(wallet, reference);
      hashes[hash & (placesMax - 1)] = hash;
    },
    has(wallet, reference) {
      const hash = hashOf(wallet, reference);
      return hashes[hash & (placesMax - 1)] === hash;
    },
  };
}

/** FNV-1a, 32 bits. */
function hashOf({ merchantId, mode }: WalletKey, reference: string): number {
  let hash = Math.imul(0x811c9dc5 ^ merchantId ^ (mode.charCodeAt(0) << 24), 0x01000193);
  for (let i = 0; i < reference.length; i++) hash = Math.imul(hash ^ reference.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
