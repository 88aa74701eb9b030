import { statement } from "../../../platform/database/database.ts";
import type { Supplier } from "../route.ts";

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
          extract(epoch from now() - c.told_at)::float8 as "ageSeconds"
     from supplier_catalogues c
     join suppliers s
       on s.name = c.supplier
    where c.told_at is not null
    order by c.supplier`,
);

/**
 * Takes the turn of asking those of these suppliers that told no list for $2 seconds, and that nobody asked for $3: one
 * process has it.
 */
export const claimDueCatalogues = statement(
  "claim_due_catalogues",
  `insert into supplier_catalogues as c (supplier, asked_at)
   select s.name, now()
     from suppliers s
     left join supplier_catalogues present
       on present.supplier = s.name
    where s.name = any ($1::text[])
      and (
            present.asked_at is null
            or present.asked_at <= now() - make_interval(secs => $3)
               and (present.told_at is null or present.told_at <= now() - make_interval(secs => $2))
          )
    order by s.name
    limit $4
       on conflict (supplier) do update
          set asked_at = now()
        where c.asked_at is null
           or c.asked_at <= now() - make_interval(secs => $3)
              and (c.told_at is null or c.told_at <= now() - make_interval(secs => $2))
   returning supplier`,
);

/** Keeps what the list told just now comes to. */
export const insertSupplierFindings = statement(
  "insert_supplier_findings",
  `insert into supplier_catalogues (
     supplier, asked_at, told_at, new_products, gone, value_changed, cost_changed, loses_money
   )
   values ($1, now(), now(), $2, $3, $4, $5, $6)
       on conflict (supplier) do update
          set asked_at = excluded.asked_at,
              told_at = excluded.told_at,
              new_products = excluded.new_products,
              gone = excluded.gone,
              value_changed = excluded.value_changed,
              cost_changed = excluded.cost_changed,
              loses_money = excluded.loses_money`,
);

/** Has the supplier asked again at once: what was found is out of date. */
export const updateCatalogueDue = statement(
  "update_catalogue_due",
  `update supplier_catalogues
      set asked_at = null
    where supplier = $1`,
);
