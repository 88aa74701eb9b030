import { statement } from "../../../platform/database/database.ts";
import type { SupplierLimits } from "./limits.ts";

export interface LimitsRow extends SupplierLimits {
  readonly supplier: string;
}

/** Every supplier, those without limits included. */
export const listSupplierLimits = statement(
  "list_supplier_limits",
  `select s.name as supplier,
          l.day_cost as "dayCost",
          l.day_purchases as "dayPurchases",
          l.balance_floor as "balanceFloor"
     from suppliers s
     left join supplier_limits l
       on l.supplier = s.name
    order by s.name`,
);

export const insertCap = statement(
  "insert_supplier_cap",
  `insert into supplier_limits (supplier, day_cost, day_purchases)
   values ($1, $2, $3)
       on conflict (supplier) do update
          set day_cost = excluded.day_cost,
              day_purchases = excluded.day_purchases`,
);

export const insertFloor = statement(
  "insert_supplier_floor",
  `insert into supplier_limits (supplier, balance_floor)
   values ($1, $2)
       on conflict (supplier) do update
          set balance_floor = excluded.balance_floor`,
);
