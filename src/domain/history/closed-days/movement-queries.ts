import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { Days } from "./queries.ts";

/** What was booked in live wallets on a closed day, of one kind of entry. */
export interface DayMovement {
  readonly day: string;
  readonly kind: string;
  readonly entries: bigint;
  /** What it added to wallets, and what it took from them. */
  readonly credited: Kobo;
  readonly debited: Kobo;
}

const listMovements = statement(
  "list_closed_day_movements",
  `select day::text, kind, entries, credited, debited
     from closed_day_movements
    where day >= $1
      and day <= $2
    order by day desc, kind`,
);

export function listDayMovements(db: Queryable, days: Days): Promise<DayMovement[]> {
  return db.query<DayMovement>(listMovements, [days.from, days.to]);
}

/** What an account of money that came in held at a closed day's end. */
export interface DayHolding {
  readonly day: string;
  readonly account: "provider" | "fees" | "suspense" | "debts" | "bank";
  /** Empty of unmatched payments and debts, which are of all providers together. */
  readonly provider: string;
  readonly amount: Kobo;
}

const listHoldings = statement(
  "list_closed_day_holdings",
  `select day::text, account, provider, amount
     from closed_day_holdings
    where day >= $1
      and day <= $2
    order by day desc, account, provider`,
);

export function listDayHoldings(db: Queryable, days: Days): Promise<DayHolding[]> {
  return db.query<DayHolding>(listHoldings, [days.from, days.to]);
}
