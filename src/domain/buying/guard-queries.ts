import type { Reference, WalletKey } from "../../kernel/ids.ts";
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
  "claim_guarded_purchase",
  `insert into guarded_purchases as g (bucket, merchant_id, mode, fingerprint, reference, held_until)
   values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
       on conflict (bucket, merchant_id, mode, fingerprint) do update
      set reference = excluded.reference,
          held_until = excluded.held_until
    where g.held_until <= now()
   returning reference`,
);

/**
 * Holds the place of a purchase for the window. False: another purchase has it, perhaps under this very reference. Of
 * several equal purchases at one time exactly one gets the place; the others wait for its row.
 */
export async function claimGuardedPurchase(
  db: Queryable,
  { wallet, fingerprint, reference }: GuardedPurchase,
  windowSeconds: number,
): Promise<boolean> {
  const values = [...walletValues(wallet), fingerprint, reference, windowSeconds];
  return (await db.query(claimGuarded, values)).length === 1;
}

const claimLegacy = statement(
  "claim_legacy_requests",
  "select ordinal from claim_legacy_requests($1, $2, $3, $4, $5, $6)",
);

/**
 * Whether each request may go on: not when an equal one was let through within the window. A call never has two equals.
 * One commit; safe to repeat.
 */
export async function claimLegacyRequests(
  db: Queryable,
  requests: readonly GuardedPurchase[],
  windowSeconds: number,
): Promise<readonly boolean[]> {
  const rows = await db.query<{ readonly ordinal: bigint }>(claimLegacy, [
    ...walletColumns(requests.map(({ wallet }) => wallet)),
    arrayOf(requests.map(({ fingerprint }) => fingerprint)),
    arrayOf(requests.map(({ reference }) => reference)),
    windowSeconds,
  ]);
  const passed = new Set(rows.map(({ ordinal }) => Number(ordinal)));
  return requests.map((_, index) => passed.has(index + 1));
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

const deleteOver = statement(
  "delete_guards_that_are_over",
  `delete from guarded_purchases g
    where (g.bucket, g.merchant_id, g.mode, g.fingerprint) in (
            select o.bucket, o.merchant_id, o.mode, o.fingerprint
              from guarded_purchases o
             where o.held_until <= now()
             order by o.held_until
             limit 2
               for update skip locked
          )`,
);

/** Forgets two places whose time is over. Called once for each that is taken: the table holds what the windows hold. */
export async function deleteOverGuards(db: Queryable): Promise<void> {
  await db.query(deleteOver, []);
}
