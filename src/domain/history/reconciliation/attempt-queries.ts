import type { PurchaseId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable, Statement } from "../../../platform/database/database.ts";

/** An attempt at a supplier, as far as its statement can be compared with it. */
export interface OwnAttempt {
  readonly purchaseId: PurchaseId;
  readonly attempt: number;
  readonly providerReference: string | null;
  /** Where the supplier takes another currency, hundredths of that, as its statement has them. */
  readonly cost: Kobo | null;
  /** `reversed`: vended, and taken back by the supplier, so that neither side counts it as sold. */
  readonly state: "vended" | "reversed" | "declined" | "pending";
}

// The last attempt is the purchase's own row while it is pending; every other has a row of its own. A purchase has at most
// one that was vended: that is the one which a reversal takes back. Attempts are looked up one by one (offset keeps it
// so): a join reads them from the first on, for each page anew, or all of the time's for each purchase.
const listSupplierAttempts: Statement = {
  name: "list_supplier_attempts",
  secondsMax: 600,
  text: `select p.id as "purchaseId",
          coalesce(a.attempt, p.attempt) as attempt,
          case when a.attempt is null then p.provider_reference else a.provider_reference end as "providerReference",
          -- Of a cost abroad the hundredths: 450 of "USD 4.50 at 1600.00".
          coalesce(replace(split_part(paid.foreign_cost, ' ', 2), '.', '')::bigint, paid.cost) as cost,
          case when a.verdict = 'vended' and r.seq is not null then 'reversed' else coalesce(a.verdict, 'pending') end
            as state
     from purchases p
     left join lateral (
            select v.attempt, v.provider_reference, v.cost, v.foreign_cost, v.verdict
              from vend_attempts v
             where v.purchase_id = p.id
               and v.wallet_id = p.wallet_id
               and v.supplier = $3
            offset 0
          ) a
       on true
    cross join lateral (
            select case when a.attempt is null then p.foreign_cost else a.foreign_cost end as foreign_cost,
                   case when a.attempt is null then p.cost else a.cost end as cost
          ) paid
     left join ledger_entries r
       on r.wallet_id = p.wallet_id and r.purchase_id = p.id
      and r.kind = 'reversal'
    where p.wallet_id > 0
      and p.id >= $1
      and p.id < $2
      and (a.attempt is not null or (p.status = 'pending' and p.supplier = $3))
    order by p.id
    limit $4`,
};

/** Attempts at a supplier of purchases made from one id to before another, in order of their purchases. */
export function listAttemptsAt(
  db: Queryable,
  range: { readonly from: PurchaseId; readonly before: PurchaseId; readonly supplier: string; readonly limit: number },
): Promise<OwnAttempt[]> {
  return db.query<OwnAttempt>(listSupplierAttempts, [range.from, range.before, range.supplier, range.limit]);
}
