import type { Instant } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt } from "../../../kernel/ids.ts";
import { arrayOf, type Queryable, type Statement, statement, type Tx } from "../../../platform/database/database.ts";
import { type DaySales, type DaySpan, insertDaySales, type SaleDimension, type SalesSums } from "./sums-queries.ts";

const secondsMax = 600;

/** Days of the deployment's time zone, `YYYY-MM-DD`, both within. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const insertDay = statement(
  "insert_closed_day",
  `insert into closed_days (day, closed_at, starts_at, ends_at, broken_invariants, time_zone, books_checked_at, summed_at)
   values ($1, $2, $3, $4, $5, $6, $7, now())
       on conflict (day) do nothing
   returning 1`,
);

const insertMovements: Statement = {
  name: "insert_closed_day_movements",
  secondsMax,
  text: `insert into closed_day_movements (day, kind, entries, credited, debited)
   select $1, m.kind, m.entries, m.credited, m.debited
     from sum_movements($2, $3) m`,
};

// By the time of booking: entries of a day are there when it is closed. All are read, as the whole ledger is before.
const insertHoldings: Statement = {
  name: "insert_closed_day_holdings",
  secondsMax,
  text: `insert into closed_day_holdings (day, account, provider, amount)
   select $1, m.account, p.name, sum(case m.account when 'suspense' then -m.amount else m.amount end)
     from funding_entries e
    cross join lateral (values (e.debit_account, e.amount), (e.credit_account, -e.amount)) m (account, amount)
    cross join lateral (values (case when m.account in ('suspense', 'debts') then '' else e.provider end)) p (name)
    where e.booked_at < $2 and m.account <> 'funding'
    group by m.account, p.name
   having sum(m.amount) <> 0`,
};

/** Stores a day's sums, once. @returns false where it was closed before, and nothing was written */
export async function insertClosedDay(
  tx: Tx,
  span: DaySpan,
  closing: Pick<ClosedDay, "brokenInvariants" | "booksCheckedAt" | "timeZone"> & { readonly now: Instant },
): Promise<boolean> {
  const { now, timeZone, brokenInvariants, booksCheckedAt } = closing;
  const { date, start, end } = span;
  const times = [now, start, end].map((instant) => new Date(instant));
  const day = [date, ...times, brokenInvariants, timeZone, new Date(booksCheckedAt)];
  if ((await tx.query(insertDay, day)).length === 0) return false;
  await insertDaySales(tx, span, timeZone);
  await tx.query(insertMovements, [date, new Date(start), new Date(end)]);
  await tx.query(insertHoldings, [date, new Date(end)]);
  return true;
}

const findSold = statement(
  "find_whether_sold_before",
  "select exists (select 1 from purchases p where p.wallet_id > 0 and p.id < $1) as sold",
);

export async function hasSoldBefore(db: Queryable, instant: Instant): Promise<boolean> {
  return (await db.query<{ sold: boolean }>(findSold, [firstPurchaseIdAt(instant)]))[0]?.sold === true;
}

export interface ClosedDay {
  readonly day: string;
  readonly closedAt: Instant;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  readonly brokenInvariants: readonly string[];
  /** When that was found: of several days that are closed one after the other the ledger is read once. */
  readonly booksCheckedAt: Instant;
  /** By which its hours were told apart. */
  readonly timeZone: string;
}

const dayColumns = `day::text,
          closed_at as "closedAt",
          starts_at as "startsAt",
          ends_at as "endsAt",
          broken_invariants as "brokenInvariants",
          books_checked_at as "booksCheckedAt",
          time_zone as "timeZone"`;

const findLast = statement(
  "find_last_closed_day",
  `select ${dayColumns}
     from closed_days
    order by ends_at desc
    limit 1`,
);

export async function findLastClosed(db: Queryable): Promise<ClosedDay | null> {
  return (await db.query<ClosedDay>(findLast))[0] ?? null;
}

const listDays = statement(
  "list_closed_days",
  `select ${dayColumns}
     from closed_days
    where day >= $1
      and day <= $2
    order by day desc
    limit 1000`,
);

/** Closed days from one to another, the last one first. */
export function listClosedDays(db: Queryable, days: Days): Promise<ClosedDay[]> {
  return db.query<ClosedDay>(listDays, [days.from, days.to]);
}

const listSales = statement(
  "list_closed_day_sales",
  `select day::text, dimension, name, sold, failed, pending, reversed, sales, cost, fees,
          without_cost as "withoutCost", goodwill, refunded_later as "refundedLater", taken_back as "takenBack",
          cost_changes as "costChanges"
     from closed_day_sales
    where dimension = $1
      and day >= $2
      and day <= $3
    order by day, name`,
);

/** What was stored of closed days, by one thing: a row a day and name. */
export function listClosedSales(db: Queryable, dimension: SaleDimension, days: Days): Promise<DaySales[]> {
  return db.query<DaySales>(listSales, [dimension, days.from, days.to]);
}

const sumSales = statement(
  "list_sums_of_closed_days",
  `select name,
          sum(sold)::bigint as sold,
          sum(failed)::bigint as failed,
          sum(pending)::bigint as pending,
          sum(reversed)::bigint as reversed,
          sum(sales)::bigint as sales,
          sum(cost)::bigint as cost,
          sum(fees)::bigint as fees,
          sum(without_cost)::bigint as "withoutCost",
          sum(goodwill)::bigint as goodwill,
          sum(refunded_later)::bigint as "refundedLater",
          sum(taken_back)::bigint as "takenBack",
          sum(cost_changes)::bigint as "costChanges"
     from closed_day_sales
    where dimension = $1
      and day >= $2
      and day <= $3
    group by name`,
);

/** The same added up over the days: a row a name. */
export function sumClosedSales(db: Queryable, dimension: SaleDimension, days: Days) {
  return db.query<SalesSums & { readonly name: string }>(sumSales, [dimension, days.from, days.to]);
}

const listNames = statement(
  "list_names_of_sold",
  `select p.id::text as id, p.name
     from products p
    where $1 = 'product' and p.id = any ($2::integer[])
    union all
   select m.id::text, m.name
     from merchants m
    where $1 = 'merchant' and m.id = any ($2::integer[])`,
);

/** What products or merchants are called, by their numbers. */
export async function listSoldNames(
  db: Queryable,
  dimension: "product" | "merchant",
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = arrayOf(ids.filter((id) => id !== ""));
  const rows = await db.query<{ id: string; name: string }>(listNames, [dimension, named]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
