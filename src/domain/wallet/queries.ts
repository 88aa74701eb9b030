import type { Instant } from "../../kernel/clock.ts";
import { type PurchaseId, type WalletId, type WalletKey, walletIdOf, walletOfId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { Queryable, Tx } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";

export interface Wallet {
  readonly balance: Kobo;
  /** What it owes: of a transfer that was taken back after it was spent. */
  readonly debt: Kobo;
  readonly purchaseCount: bigint;
  readonly lowBalanceThreshold: Kobo | null;
  readonly updatedAt: Instant;
}

const findWalletByKey = statement(
  "find_wallet",
  `select balance,
          debt,
          purchase_count as "purchaseCount",
          low_balance_threshold as "lowBalanceThreshold",
          updated_at as "updatedAt"
     from wallets
    where wallet_id = $1`,
);

export async function findWallet(db: Queryable, wallet: WalletKey): Promise<Wallet | null> {
  const [row] = await db.query<Wallet>(findWalletByKey, [walletIdOf(wallet)]);
  return row ?? null;
}

const updateThreshold = statement(
  "update_low_balance_threshold",
  `update wallets
      set low_balance_threshold = $2
    where wallet_id = $1
   returning balance`,
);

/** Below which balance the merchant is told, in kobo; null for never. @returns whether there is such a wallet */
export async function updateLowBalanceThreshold(
  db: Queryable,
  wallet: WalletKey,
  threshold: Kobo | null,
): Promise<boolean> {
  return (await db.query(updateThreshold, [walletIdOf(wallet), threshold])).length > 0;
}

const listLow = statement(
  "list_low_wallets",
  `select wallet_id as "walletId"
     from wallets
    where low_balance_due
    limit $1`,
);

/** Wallets that fell below their threshold, which nobody was told yet. */
export async function listLowWallets(db: Queryable, limit: number): Promise<WalletKey[]> {
  const rows = await db.query<{ walletId: WalletId }>(listLow, [limit]);
  return rows.map(({ walletId }) => walletOfId(walletId));
}

const updateAnnounced = statement(
  "update_low_balance_announced",
  `update wallets
      set low_balance_due = false
    where wallet_id = $1 and low_balance_due
   returning balance,
             low_balance_threshold as "lowBalanceThreshold",
             updated_at as "updatedAt"`,
);

/** Marks the fall as told, in the transaction that tells it. Null when somebody else told it. Locks the wallet. */
export async function updateLowBalanceAnnounced(
  tx: Tx,
  wallet: WalletKey,
): Promise<Omit<Wallet, "purchaseCount" | "debt"> | null> {
  const [row] = await tx.query<Omit<Wallet, "purchaseCount" | "debt">>(updateAnnounced, [walletIdOf(wallet)]);
  return row ?? null;
}

const insertWalletRows = statement(
  "insert_wallets",
  `insert into wallets (wallet_id)
   select i.wallet_id
     from unnest($1::integer[]) as i (wallet_id)`,
);

export async function insertWallets(tx: Tx, wallets: readonly WalletKey[]): Promise<void> {
  await tx.query(insertWalletRows, [arrayOf(wallets.map(walletIdOf))]);
}

/** A movement of a wallet that no purchase causes. `delta` in kobo: positive credits. */
export interface Posting {
  readonly wallet: WalletKey;
  readonly kind: "top_up" | "adjustment" | "sandbox_reset";
  readonly delta: bigint;
  readonly reason: string;
}

// It begins with a write, of nothing: see accept_purchases.
const lockWalletRows = statement(
  "find_wallets_for_update",
  `with door as (update wallets w set seq = w.seq where w.wallet_id = 0)
   select 1
     from wallets w
    where w.wallet_id in (
            select k.wallet_id
              from unnest($1::integer[]) as k (wallet_id)
          )
    order by w.wallet_id
      for update`,
);

/** Locks wallets in key order, the order that everybody takes them in. */
export async function lockWallets(tx: Tx, wallets: readonly WalletKey[]): Promise<void> {
  await tx.query(lockWalletRows, [arrayOf(wallets.map(walletIdOf))]);
}

// The wallet's row and its entry in one statement, so that neither exists without the other.
const insertPosting = statement(
  "insert_posting",
  `with moved as (
     update wallets w
        set balance = w.balance + $3,
            seq = w.seq + 1,
            -- Once a crossing, as a purchase marks it: see accept_purchases.
            low_balance_due = w.low_balance_due
              or coalesce(
                   w.balance >= w.low_balance_threshold and w.balance + $3 < w.low_balance_threshold,
                   false
                 ),
            updated_at = now()
      where w.wallet_id = $1
     returning w.balance, w.seq
   ),
   entered as (
     insert into ledger_entries (
       wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason
     )
     select $1, m.seq, $2,
            case when $3::bigint < 0 then 'wallet' when $2 = 'top_up' then 'funding' else 'adjustments' end,
            case when $3::bigint > 0 then 'wallet' when $2 = 'top_up' then 'funding' else 'adjustments' end,
            abs($3::bigint), $3, m.balance, $4
       from moved m
   )
   select balance, seq from moved`,
);

/** Where an entry left its wallet. */
export interface Posted {
  readonly balance: Kobo;
  /** The entry's number. */
  readonly seq: bigint;
}

/** Books one posting, and marks a fall below the merchant's threshold. Locks the wallet. Null: there is no such wallet. */
export async function insertEntry(tx: Queryable, posting: Posting): Promise<Posted | null> {
  const { wallet, kind, delta, reason } = posting;
  const [row] = await tx.query<Posted>(insertPosting, [walletIdOf(wallet), kind, delta, reason]);
  return row ?? null;
}

const paidDebts = statement("pay_debts", "select pay_debts($1::integer[]) as paid");

/**
 * Pays what wallets owe from what they hold. Locks them, in key order, and passes by those that somebody else holds. Safe to
 * repeat.
 * @returns what was paid, in kobo
 */
export async function payDebts(db: Queryable, wallets: readonly WalletKey[]): Promise<bigint> {
  const [row] = await db.query<{ paid: bigint }>(paidDebts, [arrayOf(wallets.map(walletIdOf))]);
  return row?.paid ?? 0n;
}

const listPaying = statement(
  "list_wallets_that_can_pay",
  `select wallet_id as "walletId"
     from wallets
    where debt > 0 and balance > 0
    order by wallet_id
    limit $1`,
);

/** Wallets that owe something, and hold something: a refund came in. */
export async function listPayingWallets(db: Queryable, limit: number): Promise<WalletKey[]> {
  const rows = await db.query<{ walletId: WalletId }>(listPaying, [limit]);
  return rows.map(({ walletId }) => walletOfId(walletId));
}

// Nothing is moved where the purchase was given back before, as a reversal or as goodwill.
const insertGivenBackPosting = statement(
  "insert_given_back",
  `with moved as (
     update wallets w
        set balance = w.balance + $3,
            seq = w.seq + 1,
            updated_at = now()
      where w.wallet_id = $1
        and not exists (
              select 1
                from ledger_entries e
               where e.wallet_id = w.wallet_id
                 and e.purchase_id = $2
                 and e.kind = 'reversal'
            )
        and not exists (
              select 1
                from ledger_entries e
               where e.wallet_id = w.wallet_id
                 and e.purchase_id = $2
                 and e.kind = 'goodwill'
            )
     returning w.balance, w.seq
   )
   insert into ledger_entries (
     wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id,
     reason
   )
   select $1, m.seq, $5, case when $5 = 'goodwill' then 'adjustments' else 'clearing' end, 'wallet', $3, $3, m.balance,
          $2, $4
     from moved m
   returning seq`,
);

/**
 * Gives a successful purchase's money back: as a reversal where its supplier took the goods back, or as goodwill, at the
 * company's own cost. The caller holds the wallet's lock. Safe to repeat: it is given back once. @returns false where it was before
 */
export async function insertGivenBack(
  tx: Tx,
  given: {
    readonly kind: "reversal" | "goodwill";
    readonly wallet: WalletKey;
    readonly purchaseId: PurchaseId;
    readonly amount: Kobo;
    readonly reason: string;
  },
): Promise<boolean> {
  const { kind, wallet, purchaseId, amount, reason } = given;
  const values = [walletIdOf(wallet), purchaseId, amount, reason, kind];
  return (await tx.query(insertGivenBackPosting, values)).length > 0;
}

const insertFirstTopUps = statement(
  "insert_first_top_ups",
  `with moved as (
     update wallets w
        set balance = w.balance + i.amount,
            seq = w.seq + 1,
            updated_at = now()
       from unnest($1::integer[], $2::bigint[]) as i (wallet_id, amount)
      where w.wallet_id = i.wallet_id
     returning w.wallet_id, w.balance, w.seq, i.amount
   )
   insert into ledger_entries (
     wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason
   )
   select m.wallet_id, m.seq, 'top_up', 'funding', 'wallet', m.amount, m.amount, m.balance, $3
     from moved m
   returning wallet_id as "walletId", seq`,
);

/**
 * Tops many wallets up at once, each in the list one time. The caller has locked them in key order, within their creation.
 * @returns the number of each wallet's entry
 */
export async function insertTopUps(
  tx: Tx,
  topUps: readonly { readonly wallet: WalletKey; readonly amount: Kobo }[],
  reason: string,
): Promise<ReadonlyMap<WalletId, bigint>> {
  const [ids, amounts] = [topUps.map(({ wallet }) => walletIdOf(wallet)), topUps.map(({ amount }) => amount)];
  const values = [arrayOf(ids), arrayOf(amounts), reason];
  const rows = await tx.query<{ walletId: WalletId; seq: bigint }>(insertFirstTopUps, values);
  return new Map(rows.map(({ walletId, seq }) => [walletId, seq]));
}
