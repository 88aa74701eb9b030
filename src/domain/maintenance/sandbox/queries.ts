import type { MerchantId, PurchaseId } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { statement } from "../../../platform/database/database.ts";

// The first row of its index by id answers per wallet: a pending one there keeps what lies behind it.
const listOld = statement(
  "list_wallets_with_old_purchases",
  `select -w.wallet_id as "merchantId"
     from wallets w
    cross join lateral (
            select p.id, p.status
              from purchases p
             where p.wallet_id = w.wallet_id
             order by p.id
             limit 1
          ) oldest
    where w.wallet_id < 0 and oldest.id < $1 and oldest.status <> 'pending'
    limit $2`,
);

/** Merchants whose sandbox wallets have purchases from before `beforeId` to purge. */
export async function listWalletsWithOldPurchases(
  db: Queryable,
  beforeId: PurchaseId,
  limit: number,
): Promise<MerchantId[]> {
  const rows = await db.query<{ merchantId: MerchantId }>(listOld, [beforeId, limit]);
  return rows.map(({ merchantId }) => merchantId);
}

const purge = statement("delete_old_purchases", "select purge_sandbox_purchases($1, $2, $3) as purged");

/** Deletes at most `limit` of a merchant's sandbox purchases. Locks the wallet. @returns how many */
export async function deleteOldPurchases(
  db: Queryable,
  merchantId: MerchantId,
  beforeId: PurchaseId,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ purged: number }>(purge, [merchantId, beforeId, limit]);
  return row?.purged ?? 0;
}
