import type { Bucket, MerchantId, PurchaseId } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { statement } from "../../platform/database/database.ts";

export interface OldWallet {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
}

// The first row of its index by id answers per wallet: a pending one there keeps what lies behind it.
const listOld = statement(
  "list_wallets_with_old_purchases",
  `select w.bucket, w.merchant_id as "merchantId"
     from wallets w
    cross join lateral (
            select p.id, p.status
              from purchases p
             where p.bucket = w.bucket and p.merchant_id = w.merchant_id and p.mode = w.mode and p.id > 0
             order by p.id
             limit 1
          ) oldest
    where w.mode = 'test' and oldest.id < $1 and oldest.status <> 'pending'
    limit $2`,
);

/** Sandbox wallets that have purchases from before `beforeId` to purge. */
export function listWalletsWithOldPurchases(db: Queryable, beforeId: PurchaseId, limit: number): Promise<OldWallet[]> {
  return db.query<OldWallet>(listOld, [beforeId, limit]);
}

const purge = statement("delete_old_purchases", "select purge_sandbox_purchases($1, $2, $3, $4) as purged");

/** Deletes at most `limit` of a wallet's sandbox purchases. Locks the wallet. @returns how many */
export async function deleteOldPurchases(
  db: Queryable,
  wallet: OldWallet,
  beforeId: PurchaseId,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ purged: number }>(purge, [wallet.bucket, wallet.merchantId, beforeId, limit]);
  return row?.purged ?? 0;
}
