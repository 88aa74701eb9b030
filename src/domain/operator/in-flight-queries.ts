import { type Queryable, statement } from "../../platform/database.ts";

const countInFlight = statement(
  "count_in_flight_at_supplier",
  `select count(*) as count
     from inflight f
     join purchases p
       on p.bucket = f.bucket and p.merchant_id = f.merchant_id and p.mode = f.mode and p.id = f.purchase_id
    where p.mode = 'live' and p.supplier = $1`,
);

/** Live purchases that a supplier was sent and whose end is not known, those in review among them. */
export async function countInFlightAt(db: Queryable, supplier: string): Promise<number> {
  const [row] = await db.query<{ count: bigint }>(countInFlight, [supplier]);
  return Number(row?.count ?? 0n);
}
