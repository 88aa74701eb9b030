import type { Instant } from "../../kernel/clock.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database.ts";
import { statement } from "../../platform/database.ts";
import type { Purchase } from "../purchases/purchase.ts";

/** A movement of the wallet for one purchase. */
export interface PurchaseEntry {
  readonly seq: bigint;
  readonly kind: "purchase" | "refund" | "reversal";
  /** Below zero where the wallet paid. */
  readonly delta: Kobo;
  readonly balanceAfter: Kobo;
  readonly reason: string | null;
  readonly at: Instant;
}

const entryColumns = `e.seq, e.kind, e.delta, e.balance_after as "balanceAfter", e.reason, e.created_at as at`;

// The charge has no index: numbers of purchases and entries are counted under one lock, so purchase n lies at least as
// many entries back as purchases follow it. Each step goes back by as many as are still missing (find_purchase_by_number).
const listEntries = statement(
  "list_entries_of_purchase",
  `with recursive step (seq, number) as (
     select w.seq + 1, w.purchase_number + 1
       from wallets w
      where w.bucket = $1 and w.merchant_id = $2 and w.mode = $3 and w.purchase_number >= $5
      union all
     select e.seq, p.number
       from step s
      cross join lateral (
              select e.seq, e.purchase_id
                from ledger_entries e
               where e.bucket = $1 and e.merchant_id = $2 and e.mode = $3
                 and e.seq <= s.seq - (s.number - $5)
                 and e.kind = 'purchase'
               order by e.seq desc
               limit 1
            ) e
      cross join lateral (
              select p.number
                from purchases p
               where p.bucket = $1 and p.merchant_id = $2 and p.mode = $3 and p.id = e.purchase_id and p.id > 0
               limit 1
            ) p
      where s.number > $5
   )
   select ${entryColumns}
     from ledger_entries e
    where e.bucket = $1 and e.merchant_id = $2 and e.mode = $3
      and e.seq = (select s.seq from step s where s.number = $5)
      and e.purchase_id = $4
    union all
   select ${entryColumns}
     from ledger_entries e
    where e.bucket = $1 and e.merchant_id = $2 and e.mode = $3 and e.purchase_id = $4 and e.kind = 'refund'
    union all
   select ${entryColumns}
     from ledger_entries e
    where e.bucket = $1 and e.merchant_id = $2 and e.mode = $3 and e.purchase_id = $4 and e.kind = 'reversal'
    order by seq`,
);

/** What a purchase moved in its wallet: the charge, and what was given back. */
export function listEntriesOf(
  db: Queryable,
  { wallet, id, number }: Pick<Purchase, "wallet" | "id" | "number">,
): Promise<PurchaseEntry[]> {
  return db.query<PurchaseEntry>(listEntries, [wallet.bucket, wallet.merchantId, wallet.mode, id, number]);
}
