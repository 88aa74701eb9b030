import type { Instant, WallTime } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type MerchantId, type ProductId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { arrayOf, type Queryable, type Statement, statement, type Tx } from "../../../platform/database/database.ts";

/** What sales are told apart by, one thing at a time. */
export const saleDimensions = ["all", "hour", "category", "product", "merchant", "supplier"] as const;
export type SaleDimension = (typeof saleDimensions)[number];

/** Live sales of one day, of one hour, category, product, merchant or supplier. */
export interface DaySales extends SalesSums {
  /** `YYYY-MM-DD` in the deployment's time zone. */
  readonly day: string;
  readonly dimension: SaleDimension;
  /** Which one: `07`, `data`, the number of a product or merchant; empty for all, and for no supplier. */
  readonly name: string;
}

export interface SalesSums {
  /** Delivered, and not taken back. */
  readonly sold: bigint;
  readonly failed: bigint;
  readonly pending: bigint;
  readonly reversed: bigint;
  /** What merchants paid for what was sold, what suppliers took for it, and the fees within. */
  readonly sales: Kobo;
  readonly cost: Kobo;
  readonly fees: Kobo;
  readonly withoutCost: bigint;
  /** Given in these days by choice, for sales of any day. */
  readonly goodwill: Kobo;
  /** Refunded in these days of what was sold before them. */
  readonly refundedLater: Kobo;
  /** Paid back by merchants for what was refunded and had been delivered after all. */
  readonly takenBack: Kobo;
  /**
   * What suppliers took beyond the recorded cost, by differences that were accepted or written off in these days, less the
   * cost of `refundedLater`; below zero where they took less.
   */
  readonly costChanges: Kobo;
}

/** The sums of live_sales. */
const sumColumns = `count(*) filter (where s.status = 'successful' and s.reversal is null) as sold,
          count(*) filter (where s.status = 'failed') as failed,
          count(*) filter (where s.status = 'pending') as pending,
          count(s.reversal) as reversed,
          coalesce(sum(s.total) filter (where s.status = 'successful' and s.reversal is null), 0)::bigint as sales,
          coalesce(sum(s.cost) filter (where s.status = 'successful' and s.reversal is null), 0)::bigint as cost,
          coalesce(sum(s.fee) filter (where s.status = 'successful' and s.reversal is null), 0)::bigint as fees,
          count(*) filter (where s.status = 'successful' and s.reversal is null and s.cost is null) as "withoutCost",
          coalesce(sum(s.goodwill), 0)::bigint as goodwill,
          coalesce(sum(s.refunded_later), 0)::bigint as "refundedLater",
          coalesce(sum(s.taken_back), 0)::bigint as "takenBack",
          coalesce(sum(s.cost_changes), 0)::bigint as "costChanges"`;

const secondsMax = 600;

/** Days of the deployment's time zone, `YYYY-MM-DD`, both within. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A day and what its zone's clock makes of it. */
export type DaySpan = ReturnType<WallTime["dayOf"]>;

const sumLiveSales: Statement = {
  name: "list_sums_of_sales",
  secondsMax,
  // Of the names those that are requested: made with all others, it took five times as long.
  text: `select case when 'hour' = any ($3) then to_char(s.purchased_at at time zone $4, 'HH24') end as hour,
          case when 'category' = any ($3) then s.category end as category,
          case when 'product' = any ($3) then s.product_id end as product,
          case when 'merchant' = any ($3) then s.wallet_id end as merchant,
          case when 'supplier' = any ($3) then s.supplier end as supplier,
          ${sumColumns}
     from live_sales($1, $2, $5, $6) s
    group by 1, 2, 3, 4, 5
    order by supplier nulls last, category nulls last, merchant nulls last`,
};

/** Sums of sales that are told apart by some things; null for the others, and for none. */
export interface NamedSums extends SalesSums {
  readonly hour: string | null;
  readonly category: string | null;
  readonly product: ProductId | null;
  readonly merchant: MerchantId | null;
  readonly supplier: string | null;
}

/** Sums live sales of purchases made in a time as they are now, and what moved then because of earlier ones. Reads the purchases. */
export function listSums(
  db: Queryable,
  { start, end }: Pick<DaySpan, "start" | "end">,
  { per, timeZone }: { readonly per: readonly SaleDimension[]; readonly timeZone: string },
): Promise<NamedSums[]> {
  const ids = [firstPurchaseIdAt(start), firstPurchaseIdAt(end)];
  return db.query<NamedSums>(sumLiveSales, [...ids, per, timeZone, new Date(start), new Date(end)]);
}

/** Sums a day's sales as they are now, by one thing. Reads the day's purchases. */
export async function sumDay(
  db: Queryable,
  span: DaySpan,
  { dimension, timeZone }: { readonly dimension: SaleDimension; readonly timeZone: string },
): Promise<DaySales[]> {
  const rows = await listSums(db, span, { per: [dimension], timeZone });
  return rows.map(({ hour, category, product, merchant, supplier, ...sums }) => {
    const name = String(hour ?? category ?? product ?? merchant ?? supplier ?? "");
    return { ...sums, day: span.date, dimension, name };
  });
}

const insertDay = statement(
  "insert_closed_day",
  `insert into closed_days (day, closed_at, starts_at, ends_at, broken_invariants, time_zone, books_checked_at, summed_at)
   values ($1, $2, $3, $4, $5, $6, $7, now())
       on conflict (day) do nothing
   returning 1`,
);

const insertSales: Statement = {
  name: "insert_closed_day_sales",
  secondsMax,
  text: `insert into closed_day_sales (
     day, dimension, name, sold, failed, pending, reversed, sales, cost, fees, without_cost, goodwill, refunded_later,
     taken_back, cost_changes
   )
   select $4::date, t.*
     from (
            select d.dimension, d.name, ${sumColumns}
              from live_sales($1, $2, $5, $6) s
             cross join lateral (
                     values ('all', ''),
                            ('hour', to_char(s.purchased_at at time zone $3, 'HH24')),
                            ('category', coalesce(s.category, '')),
                            ('product', coalesce(s.product_id::text, '')),
                            ('merchant', coalesce(s.wallet_id::text, '')),
                            ('supplier', coalesce(s.supplier, ''))
                   ) as d (dimension, name)
             group by d.dimension, d.name
          ) t`,
};

const insertMovements: Statement = {
  name: "insert_closed_day_movements",
  secondsMax,
  text: `insert into closed_day_movements (day, kind, entries, credited, debited)
   select $1, m.kind, m.entries, m.credited, m.debited
     from sum_movements($2, $3) m`,
};

/** Stores a day's sums, once. @returns false where it was closed before, and nothing was written */
export async function insertClosedDay(
  tx: Tx,
  { date, start, end }: DaySpan,
  closing: Pick<ClosedDay, "brokenInvariants" | "booksCheckedAt" | "timeZone"> & { readonly now: Instant },
): Promise<boolean> {
  const { now, timeZone, brokenInvariants, booksCheckedAt } = closing;
  const times = [now, start, end].map((instant) => new Date(instant));
  const day = [date, ...times, brokenInvariants, timeZone, new Date(booksCheckedAt)];
  if ((await tx.query(insertDay, day)).length === 0) return false;
  const ids = [firstPurchaseIdAt(start), firstPurchaseIdAt(end)];
  await tx.query(insertSales, [...ids, timeZone, date, new Date(start), new Date(end)]);
  await tx.query(insertMovements, [date, new Date(start), new Date(end)]);
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
