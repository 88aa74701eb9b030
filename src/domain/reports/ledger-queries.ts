import type { Instant } from "../../kernel/clock.ts";
import type { PurchaseId, WalletKey } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { type Queryable, statement } from "../../platform/database.ts";

/** One movement of a wallet; `delta` is below zero where the wallet paid. */
interface LedgerEntry {
  readonly at: Instant;
  readonly kind: string;
  readonly delta: Kobo;
  readonly balanceAfter: Kobo;
  readonly purchaseId: PurchaseId | null;
  readonly reason: string | null;
  /** Of the transfer that was credited. */
  readonly bankReference: string | null;
}

const listEntries = statement(
  "list_last_ledger_entries",
  `select e.created_at as at,
          e.kind,
          e.delta,
          e.balance_after as "balanceAfter",
          e.purchase_id as "purchaseId",
          e.reason,
          c.bank_reference as "bankReference"
     from ledger_entries e
     left join wallet_credits c
       on c.bucket = e.bucket and c.merchant_id = e.merchant_id and c.entry_seq = e.seq and e.mode = 'live'
    where e.bucket = $1 and e.merchant_id = $2 and e.mode = $3
    order by e.seq desc
    limit $4`,
);

/** A wallet's last entries, the newest first. */
export function listLastEntries(
  db: Queryable,
  { bucket, merchantId, mode }: WalletKey,
  limit: number,
): Promise<LedgerEntry[]> {
  return db.query<LedgerEntry>(listEntries, [bucket, merchantId, mode, limit]);
}
