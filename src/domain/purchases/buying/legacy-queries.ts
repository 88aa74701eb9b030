import type { Instant } from "../../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import type { Purchase } from "../purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf } from "../queries.ts";

export type PurchaseKey = Pick<Purchase, "wallet" | "id">;

const listEnded = statement(
  "list_ended_purchases",
  `select ${purchaseColumns}
     from unnest($1::integer[], $2::bigint[]) as held (wallet_id, id)
     join purchases p
       on p.wallet_id = held.wallet_id and p.id = held.id
    where p.status <> 'pending'`,
);

/** Reads which of these purchases are no longer pending. */
export async function listEndedPurchases(db: Queryable, keys: readonly PurchaseKey[]): Promise<readonly Purchase[]> {
  const rows = await db.query<PurchaseRow>(listEnded, [
    arrayOf(keys.map(({ wallet }) => walletIdOf(wallet))),
    arrayOf(keys.map(({ id }) => id)),
  ]);
  return rows.map(purchaseOf);
}

// An index of all numbers would be written with every purchase for a question that is asked of few. The ledger needs
// none: numbers and entries are counted under one lock, so purchase n lies at least as many entries back as it has
// purchases behind it, and each step goes back by as many as are still missing, never past it. Where nothing but purchases
// lies between, one step is enough; where half of them were refunded, each halves the way.
/** Rows of a recursive `step (seq, number, id)`, of which one has number $4: that purchase, and the entry of its charge. */
const stepsToNumber = `select w.seq + 1, w.purchase_number + 1, null::bigint
       from wallets w
      where w.wallet_id = $1 and w.purchase_number >= $2
      union all
     select e.seq, p.number, p.id
       from step s
      cross join lateral (
              select e.seq, e.purchase_id
                from ledger_entries e
               where e.wallet_id = $1
                 and e.seq <= s.seq - (s.number - $2)
                 and e.kind = 'purchase'
               order by e.seq desc
               limit 1
            ) e
      cross join lateral (
              select p.number, p.id
                from purchases p
               where p.wallet_id = $1 and p.id = e.purchase_id
               limit 1
            ) p
      where s.number > $2`;

const findNumbered = statement(
  "find_purchase_by_number",
  `with recursive step (seq, number, id) as (
     ${stepsToNumber}
   )
   select ${purchaseColumns}
     from purchases p
    where p.wallet_id = $1
      and p.id = (select s.id from step s where s.number = $2)`,
);

/** The wallet's purchase of this number, whichever door it came by; null when there is none, or none any more. */
export async function findNumberedPurchase(db: Queryable, wallet: WalletKey, number: bigint): Promise<Purchase | null> {
  const [row] = await db.query<PurchaseRow>(findNumbered, [walletIdOf(wallet), number]);
  return row === undefined ? null : purchaseOf(row);
}

/** A movement of the wallet for one purchase. */
export interface PurchaseEntry {
  readonly seq: bigint;
  readonly kind: "purchase" | "refund" | "reversal" | "goodwill";
  /** Below zero where the wallet paid. */
  readonly delta: Kobo;
  readonly balanceAfter: Kobo;
  readonly reason: string | null;
  readonly at: Instant;
}

const entryColumns = `e.seq, e.kind, e.delta, e.balance_after as "balanceAfter", e.reason, e.created_at as at`;

// The charge has no index: it is found as legacy numbers are.
const listEntries = statement(
  "list_entries_of_purchase",
  `with recursive step (seq, number, id) as (
     ${stepsToNumber}
   )
   select ${entryColumns}
     from ledger_entries e
    where e.wallet_id = $1
      and e.seq = (select s.seq from step s where s.number = $2)
      and e.purchase_id = $3
    union all
   select ${entryColumns}
     from ledger_entries e
    where e.wallet_id = $1 and e.purchase_id = $3 and e.kind = 'refund'
    union all
   select ${entryColumns}
     from ledger_entries e
    where e.wallet_id = $1 and e.purchase_id = $3 and e.kind = 'reversal'
    union all
   select ${entryColumns}
     from ledger_entries e
    where e.wallet_id = $1 and e.purchase_id = $3 and e.kind = 'goodwill'
    order by seq`,
);

/** A purchase's entries in its wallet's ledger: the charge, and the refund or reversal. */
export function listEntriesOf(
  db: Queryable,
  { wallet, id, number }: Pick<Purchase, "wallet" | "id" | "number">,
): Promise<PurchaseEntry[]> {
  return db.query<PurchaseEntry>(listEntries, [walletIdOf(wallet), number, id]);
}
