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
}

const listEntries = statement(
  "list_last_ledger_entries",
  `select created_at as at,
          kind,
          delta,
          balance_after as "balanceAfter",
          purchase_id as "purchaseId",
          reason
     from ledger_entries
    where bucket = $1 and merchant_id = $2 and mode = $3
    order by seq desc
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
