import { type Reference, type WalletId, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";

/** A purchase as the duplicate guards know it. */
export interface GuardedPurchase {
  readonly wallet: WalletKey;
  /** The hash of the fields by which a purchase counts as the same one again. */
  readonly fingerprint: string;
  readonly reference: Reference;
}

const claimGuarded = statement(
  "claim_guarded_purchases",
  `select wallet_id as "walletId", fingerprint
     from claim_guarded_purchases($1, $2, $3, $4)`,
);

/**
 * Takes the places of these purchases, no two of them equal, for their windows. False: another purchase has it, or this
 * very reference. Locks rows in key order.
 */
export async function claimGuardedPurchases(
  db: Queryable,
  purchases: readonly (GuardedPurchase & { readonly windowSeconds: number })[],
): Promise<readonly boolean[]> {
  const claimed = await db.query<{ walletId: WalletId; fingerprint: string }>(claimGuarded, [
    arrayOf(purchases.map(({ wallet }) => walletIdOf(wallet))),
    arrayOf(purchases.map(({ fingerprint }) => fingerprint)),
    arrayOf(purchases.map(({ reference }) => reference)),
    arrayOf(purchases.map(({ windowSeconds }) => windowSeconds)),
  ]);
  const names = new Set(claimed.map((row) => `${row.walletId} ${row.fingerprint}`));
  return purchases.map(({ wallet, fingerprint }) => names.has(`${walletIdOf(wallet)} ${fingerprint}`));
}

const findHolder = statement(
  "find_guarded_purchase",
  `select reference
     from guarded_purchases
    where wallet_id = $1 and fingerprint = $2 and guarded_until > now()`,
);

/** The reference of the purchase that holds the place now; null when the place is free again. */
export async function findGuardedReference(
  db: Queryable,
  { wallet, fingerprint }: GuardedPurchase,
): Promise<Reference | null> {
  const [row] = await db.query<{ readonly reference: Reference }>(findHolder, [walletIdOf(wallet), fingerprint]);
  return row?.reference ?? null;
}

const deleteGuarded = statement(
  "delete_guarded_purchase",
  `delete from guarded_purchases
    where wallet_id = $1 and fingerprint = $2 and reference = $3`,
);

/** Frees a place again, unless another reference has it by now. */
export async function deleteGuardedPurchase(db: Queryable, guarded: GuardedPurchase): Promise<void> {
  const { wallet, fingerprint, reference } = guarded;
  await db.query(deleteGuarded, [walletIdOf(wallet), fingerprint, reference]);
}
