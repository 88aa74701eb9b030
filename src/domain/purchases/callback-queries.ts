import type { Instant } from "../../kernel/clock.ts";
import type { Queryable } from "../../platform/database.ts";
import { arrayOf, statement } from "../../platform/database.ts";

/** A supplier's word about an attempt, as its callback brought it. */
export interface Callback {
  readonly supplier: string;
  readonly supplierReference: string;
  readonly status: string;
  /** Redacted. */
  readonly evidence: string;
}

const insertSupplierCallback = statement(
  "insert_supplier_callback",
  `insert into supplier_callbacks (supplier, supplier_reference, status, evidence)
   values ($1, $2, $3, $4)
   on conflict do nothing
   returning supplier`,
);

const listSupplierCallbacks = statement(
  "list_supplier_callbacks",
  `select c.supplier, c.supplier_reference as "supplierReference", c.status, c.evidence, c.received_at as "receivedAt"
     from supplier_callbacks c
     join unnest($1::text[], $2::text[]) as i (supplier, supplier_reference)
       on c.supplier = i.supplier and c.supplier_reference = i.supplier_reference
    order by c.received_at`,
);

/** What suppliers called to say of these attempts, oldest first. */
export function listCallbacks(
  db: Queryable,
  attempts: readonly Pick<Callback, "supplier" | "supplierReference">[],
): Promise<(Callback & { readonly receivedAt: Instant })[]> {
  return db.query(listSupplierCallbacks, [
    arrayOf(attempts.map(({ supplier }) => supplier)),
    arrayOf(attempts.map(({ supplierReference }) => supplierReference)),
  ]);
}

/** Keeps a word once. @returns whether it is new */
export async function insertCallback(db: Queryable, callback: Callback): Promise<boolean> {
  const { supplier, supplierReference, status, evidence } = callback;
  return (await db.query(insertSupplierCallback, [supplier, supplierReference, status, evidence])).length > 0;
}
