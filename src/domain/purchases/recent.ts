import type { Reference, WalletKey } from "../../kernel/ids.ts";

/** References that this process accepted lately. A hint alone: the database decides what was bought. */
export interface RecentReferences {
  add(wallet: WalletKey, reference: Reference): void;
  has(wallet: WalletKey, reference: Reference): boolean;
}

/** Some five megabytes; at the highest rates measured it reaches back several seconds, which is when retries come. */
const generationMax = 50_000;

/** Remembers in two generations, so that forgetting costs nothing. */
export function rememberReferences(): RecentReferences {
  let young = new Set<string>();
  let old = new Set<string>();
  const keyOf = ({ merchantId, mode }: WalletKey, reference: Reference) => `${merchantId} ${mode} ${reference}`;
  return {
    add(wallet, reference) {
      young.add(keyOf(wallet, reference));
      if (young.size < generationMax) return;
      old = young;
      young = new Set();
    },
    has(wallet, reference) {
      const key = keyOf(wallet, reference);
      return young.has(key) || old.has(key);
    },
  };
}
