import { type Queryable, statement } from "../../platform/database.ts";

/** What a supplier may still have to be asked about. */
interface OpenAtSupplier {
  /** Live purchases whose end is not known and that it was sent, those in review and those that it declined among them. */
  readonly purchases: number;
  /** Attempts that it called about and that it was not asked about yet. */
  readonly questions: number;
}

// Of a purchase that went on to the next supplier, a late word of the one before is still heard.
const countOpen = statement(
  "count_open_at_supplier",
  `select (
            select count(*)::integer
              from inflight f
              join purchases p
                on p.bucket = f.bucket and p.merchant_id = f.merchant_id and p.mode = f.mode and p.id = f.purchase_id
             where p.mode = 'live'
               and (
                     p.supplier = $1
                     or exists (
                          select 1
                            from vend_attempts a
                           where a.bucket = f.bucket
                             and a.merchant_id = f.merchant_id
                             and a.mode = f.mode
                             and a.purchase_id = f.purchase_id
                             and a.supplier = $1
                        )
                   )
          ) as purchases,
          (select count(*)::integer from callback_questions q where q.supplier = $1) as questions`,
);

/** Counts what another account could be asked about in place of the one that was sent it. */
export async function countOpenAt(db: Queryable, supplier: string): Promise<OpenAtSupplier> {
  const [row] = await db.query<OpenAtSupplier>(countOpen, [supplier]);
  return row ?? { purchases: 0, questions: 0 };
}
