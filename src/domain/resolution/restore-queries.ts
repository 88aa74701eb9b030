import type { PurchaseId } from "../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";

/** How a restored database treated a supplier's pending purchases. */
export interface RestoredPending {
  readonly supplier: string;
  /** Queued until now. */
  readonly toRequery: number;
  readonly inReview: number;
}

// The stock was restored with the purchases: what it sold since, it does not know, and would deny.
const updateRestored = statement(
  "update_restored_inflight",
  `with restored as (
     update inflight f
        set step = i.step,
            due_at = greatest(f.due_at, now()),
            last_answer = case when i.step = i.step_before then f.last_answer else $1 end
       from (
              select q.wallet_id, q.purchase_id, p.supplier, q.step as step_before,
                     case
                       when s.connector = 'voucher-stock' then 'review'
                       when q.step = 'queued' then 'requery'
                       else q.step
                     end as step
                from inflight q
                join purchases p
                  on p.wallet_id = q.wallet_id and p.id = q.purchase_id
                left join suppliers s on s.name = p.supplier
               where q.step <> 'review'
            ) i
      where f.wallet_id = i.wallet_id
        and f.purchase_id = i.purchase_id
        and (i.step <> i.step_before or f.due_at < now())
     returning i.supplier, i.step_before, f.step
   )
   select r.supplier,
          (count(*) filter (where r.step = 'requery'))::integer as "toRequery",
          (count(*) filter (where r.step = 'review'))::integer as "inReview"
     from restored r
    where r.step <> r.step_before
    group by r.supplier`,
);

const unsent = "not sent: the database was restored, and it may have been sent after the backup";

/**
 * Has everything that waits to be sent asked about instead, and what pends at our own stock wait for a person. Whatever
 * has become due since the backup is due now. Locks the rows; nobody may work on them meanwhile. Safe to repeat.
 */
export function updatePendingRestored(tx: Tx): Promise<RestoredPending[]> {
  return tx.query<RestoredPending>(updateRestored, [unsent]);
}

const findNewestLive = statement(
  "find_newest_live_purchase",
  `select max(p.id) as id
     from purchases p
    where p.wallet_id > 0`,
);

/** The live purchase that was made last; null where none was. */
export async function findNewestLivePurchase(db: Queryable): Promise<PurchaseId | null> {
  const [row] = await db.query<{ id: PurchaseId | null }>(findNewestLive);
  return row?.id ?? null;
}
