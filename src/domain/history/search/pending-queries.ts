import type { Instant } from "../../../kernel/clock.ts";
import { type MerchantId, type PurchaseId, purchaseTime } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { Waiting } from "../../resolution/review/review-queries.ts";

/** Pending purchases of one mode that wait for the same supplier in the same step. */
export interface PendingGroup {
  /** Null in sandbox. */
  readonly supplier: string | null;
  readonly step: Waiting["step"];
  readonly purchases: number;
  /** What their wallets paid. */
  readonly total: Kobo;
  readonly oldestId: PurchaseId;
  readonly oldestAt: Instant;
}

const listGroups = statement(
  "list_pending_groups",
  `select p.supplier,
          f.step,
          count(*)::integer as purchases,
          sum(p.total)::bigint as total,
          min(p.id) as "oldestId"
     from inflight f
     join purchases p
       on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    where (f.wallet_id > 0) = ($1 = 'live')
      and ($2::text is null or p.supplier = $2)
      and ($3::integer is null or abs(f.wallet_id) = $3)
    group by p.supplier, f.step
    order by min(p.id)`,
);

/** Pending purchases by supplier and step, the oldest first. Reads all in flight: thousands of rows at most. */
export async function listPendingGroups(
  db: Queryable,
  of: { readonly mode: Mode; readonly supplier: string | null; readonly merchantId: MerchantId | null },
): Promise<PendingGroup[]> {
  const rows = await db.query<Omit<PendingGroup, "oldestAt">>(listGroups, [of.mode, of.supplier, of.merchantId]);
  return rows.map((row) => ({ ...row, oldestAt: purchaseTime(row.oldestId) }));
}
