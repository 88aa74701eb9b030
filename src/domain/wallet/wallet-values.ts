import type { WalletKey } from "../../kernel/ids.ts";
import { arrayOf } from "../../platform/database/database.ts";

/** A wallet's key as the values that a tenant statement begins with. */
export function walletValues({ bucket, merchantId, mode }: WalletKey) {
  return [bucket, merchantId, mode] as const;
}

/** The keys of many wallets as the three arrays that a statement unnests first. */
export function walletColumns(wallets: readonly WalletKey[]): readonly [string, string, string] {
  return [
    arrayOf(wallets.map(({ bucket }) => bucket)),
    arrayOf(wallets.map(({ merchantId }) => merchantId)),
    arrayOf(wallets.map(({ mode }) => mode)),
  ];
}
