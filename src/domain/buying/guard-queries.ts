import type { MerchantId, Reference, WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";
import { walletColumns, walletValues } from "../wallet/wallet-values.ts";

/** A purchase as the duplicate guards know it. */
export interface GuardedPurchase {
  readonly wallet: WalletKey;
  /** The hash of the fields by which a purchase counts as the same one again. */
  readonly fingerprint: string;
  readonly reference: Reference;
}

const claimGuarded = statement(
  "claim_guarded_purchases",
  `with claimed as (
     insert into guarded_purchases as g (bucket, merchant_id, mode, fingerprint, reference, held_until)
     select i.bucket, i.merchant_id, i.mode, i.fingerprint, i.reference, now() + make_interval(secs => i.seconds)
       from unnest($1::smallint[], $2::integer[], $3::text[], $4::uuid[], $5::text[], $6::integer[])
              as i (bucket, merchant_id, mode, fingerprint, reference, seconds)
      order by i.bucket, i.merchant_id, i.mode, i.fingerprint
         on conflict (bucket, merchant_id, mode, fingerprint) do update
        set reference = excluded.reference,
            held_until = excluded.held_until
      where g.held_until <= now()
     returning bucket, merchant_id, mode, fingerprint
   ),
   forgotten as (
     delete from guarded_purchases g
      where (g.bucket, g.merchant_id, g.mode, g.fingerprint) in (
              select o.bucket, o.merchant_id, o.mode, o.fingerprint
                from guarded_purchases o
               where o.held_until <= now()
                 and (o.bucket, o.merchant_id, o.mode, o.fingerprint) not in (
                       select c.bucket, c.merchant_id, c.mode, c.fingerprint from claimed c
                     )
               order by o.held_until
               -- Only after all claims, and never waited for: two calls cannot hold each other up.
               limit (select 2 * count(*) from claimed)
                 for update skip locked
            )
   )
   select c.merchant_id as "merchantId", c.mode, c.fingerprint
     from claimed c`,
);

/**
 * Takes the places of these purchases, no two of them equal, for their windows. False: another purchase has it, or this
 * very reference. Of several equal purchases at one time exactly one gets the place; the others wait for its row. Each
 * that is taken forgets two whose time is over: the table holds what the windows hold. Locks rows in key order.
 */
export async function claimGuardedPurchases(
  db: Queryable,
  purchases: readonly (GuardedPurchase & { readonly windowSeconds: number })[],
): Promise<readonly boolean[]> {
  const claimed = await db.query<{ merchantId: MerchantId; mode: Mode; fingerprint: string }>(claimGuarded, [
    ...walletColumns(purchases.map(({ wallet }) => wallet)),
    arrayOf(purchases.map(({ fingerprint }) => fingerprint)),
    arrayOf(purchases.map(({ reference }) => reference)),
    arrayOf(purchases.map(({ windowSeconds }) => windowSeconds)),
  ]);
  const names = new Set(claimed.map((row) => `${row.merchantId} ${row.mode} ${row.fingerprint}`));
  return purchases.map(({ wallet, fingerprint }) => names.has(`${wallet.merchantId} ${wallet.mode} ${fingerprint}`));
}

const findHolder = statement(
  "find_guarded_purchase",
  `select reference
     from guarded_purchases
    where bucket = $1 and merchant_id = $2 and mode = $3 and fingerprint = $4 and held_until > now()`,
);

/** The reference of the purchase that holds the place now; null when the place is free again. */
export async function findGuardedReference(
  db: Queryable,
  { wallet, fingerprint }: GuardedPurchase,
): Promise<Reference | null> {
  const [row] = await db.query<{ readonly reference: Reference }>(findHolder, [...walletValues(wallet), fingerprint]);
  return row?.reference ?? null;
}

const deleteGuarded = statement(
  "delete_guarded_purchase",
  `delete from guarded_purchases
    where bucket = $1 and merchant_id = $2 and mode = $3 and fingerprint = $4 and reference = $5`,
);

/** Frees a place again, unless another reference has it by now. */
export async function deleteGuardedPurchase(db: Queryable, guarded: GuardedPurchase): Promise<void> {
  const { wallet, fingerprint, reference } = guarded;
  await db.query(deleteGuarded, [...walletValues(wallet), fingerprint, reference]);
}
