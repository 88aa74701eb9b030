import { statement } from "../../../platform/database/database.ts";
import type { Supplier } from "../routing/route.ts";

/** What was found when a supplier last told its list. */
export interface StoredFindings {
  readonly supplier: string;
  readonly state: Supplier["state"];
  readonly newProducts: number;
  readonly gone: number;
  readonly valueChanged: number;
  readonly costChanged: number;
  readonly losesMoney: number;
  /** Since it told, in seconds by the database's clock. */
  readonly ageSeconds: number;
}

/** Of suppliers that told a list. */
export const listSupplierFindings = statement(
  "list_supplier_findings",
  `select c.supplier,
          s.state,
          c.new_products as "newProducts",
          c.gone,
          c.value_changed as "valueChanged",
          c.cost_changed as "costChanged",
          c.loses_money as "losesMoney",
          extract(epoch from now() - c.reported_at)::float8 as "ageSeconds"
     from supplier_catalogues c
     join suppliers s
       on s.name = c.supplier
    order by c.supplier`,
);

/** Keeps what the list told just now comes to. */
export const insertSupplierFindings = statement(
  "insert_supplier_findings",
  `insert into supplier_catalogues (
     supplier, reported_at, new_products, gone, value_changed, cost_changed, loses_money
   )
   values ($1, now(), $2, $3, $4, $5, $6)
       on conflict (supplier) do update
          set reported_at = excluded.reported_at,
              new_products = excluded.new_products,
              gone = excluded.gone,
              value_changed = excluded.value_changed,
              cost_changed = excluded.cost_changed,
              loses_money = excluded.loses_money`,
);
