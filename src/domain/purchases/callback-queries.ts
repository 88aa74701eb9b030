import type { Queryable } from "../../platform/database.ts";
import { statement } from "../../platform/database.ts";

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

/** Keeps a word once. @returns whether it is new */
export async function insertCallback(db: Queryable, callback: Callback): Promise<boolean> {
  const { supplier, supplierReference, status, evidence } = callback;
  return (await db.query(insertSupplierCallback, [supplier, supplierReference, status, evidence])).length > 0;
}
