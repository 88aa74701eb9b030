import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { Supplier } from "./routing/route.ts";

/** Our balance at a supplier, as far as it is known. */
export interface SupplierBalance {
  readonly supplier: string;
  readonly connector: string;
  readonly state: Supplier["state"];
  /** The currency of our account there, and of the amounts here. */
  readonly currency: string;
  /** As it told last, in hundredths; null before it has. */
  readonly balance: bigint | null;
  /** When it told that. */
  readonly reportedAt: Instant | null;
  /** Since then, in seconds by the database's clock. */
  readonly ageSeconds: number | null;
  /** Below this, operators are told; null: never. */
  readonly alarmBelow: bigint | null;
}

const listBalances = statement(
  "list_supplier_balances",
  `select s.name as supplier,
          s.connector,
          s.state,
          coalesce(b.currency, 'NGN') as currency,
          b.balance,
          b.reported_at as "reportedAt",
          extract(epoch from now() - b.reported_at)::float8 as "ageSeconds",
          b.alarm_below as "alarmBelow"
     from suppliers s
     left join supplier_balances b
       on b.supplier = s.name
    order by s.name`,
);

/** The last known balance of every supplier, whether it tells one or not. */
export function listSupplierBalances(db: Queryable): Promise<SupplierBalance[]> {
  return db.query<SupplierBalance>(listBalances);
}

/** Keeps what a supplier told just now, and what it had been sent by then: `listStandings` sums the same days. */
export const insertReportedBalance = statement(
  "insert_reported_balance",
  `insert into supplier_balances as b (supplier, balance, currency, reported_at, sent_before)
   select $1,
          $2,
          $3,
          now(),
          coalesce(sum(d.cost), 0)
     from supplier_days d
    where d.supplier = $1 and d.day >= (now() at time zone 'UTC')::date - 2
       on conflict (supplier) do update
          set balance = excluded.balance,
              currency = excluded.currency,
              reported_at = excluded.reported_at,
              sent_before = excluded.sent_before`,
);

/** Sets below what balance operators are told; null: never. */
export const insertBalanceAlarm = statement(
  "insert_balance_alarm",
  `insert into supplier_balances as b (supplier, alarm_below)
   values ($1, $2)
       on conflict (supplier) do update
          set alarm_below = excluded.alarm_below`,
);
