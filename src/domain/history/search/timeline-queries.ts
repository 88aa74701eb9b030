import type { Instant } from "../../../kernel/clock.ts";
import { walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { statement } from "../../../platform/database/database.ts";
import { stepsToNumber } from "../../purchases/buying/legacy-queries.ts";
import type { Purchase } from "../../purchases/purchase.ts";

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
    order by seq`,
);

/** A purchase's entries in its wallet's ledger: the charge, and the refund or reversal. */
export function listEntriesOf(
  db: Queryable,
  { wallet, id, number }: Pick<Purchase, "wallet" | "id" | "number">,
): Promise<PurchaseEntry[]> {
  return db.query<PurchaseEntry>(listEntries, [walletIdOf(wallet), number, id]);
}
