import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { Supplier } from "../routing/route.ts";
import type { ChangeKind } from "./compare.ts";
import type { DifferenceRow } from "./difference-row.ts";

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
     supplier, reported_at, new_products, gone, value_changed, cost_changed, loses_money, differences
   )
   values ($1, now(), $2, $3, $4, $5, $6, $7)
       on conflict (supplier) do update
          set reported_at = excluded.reported_at,
              new_products = excluded.new_products,
              gone = excluded.gone,
              value_changed = excluded.value_changed,
              cost_changed = excluded.cost_changed,
              loses_money = excluded.loses_money,
              differences = excluded.differences`,
);

/** A supplier's differences, as its list told them last. */
export interface StoredList {
  readonly reportedAt: Instant;
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** Worst first, the first 5,000; null where an older release asked. */
  readonly differences: readonly DifferenceRow[] | null;
}

const findList = statement(
  "find_supplier_price_list",
  `select reported_at as "reportedAt",
          differences,
          new_products as new,
          gone,
          value_changed,
          cost_changed,
          loses_money
     from supplier_catalogues
    where supplier = $1`,
);

type ListRow = Omit<StoredList, "counts"> & StoredList["counts"];

/** Null where the supplier has not told a list. */
export async function findStoredList(db: Queryable, supplier: string): Promise<StoredList | null> {
  const [row] = await db.query<ListRow>(findList, [supplier]);
  if (row === undefined) return null;
  const { reportedAt, differences, ...counts } = row;
  return { reportedAt, differences, counts };
}

/** Keeps what is left of the differences after some were accepted. */
export const updateDifferences = statement(
  "update_supplier_differences",
  `update supplier_catalogues
      set new_products = $2,
          gone = $3,
          value_changed = $4,
          cost_changed = $5,
          loses_money = $6,
          differences = $7
    where supplier = $1`,
);
