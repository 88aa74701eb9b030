import type { Instant } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { UnservedCount } from "./unserved-queries.ts";

/** What a supplier was sent on a day and did not decline at once: so much more than was stored before. */
export interface DayCount {
  readonly supplier: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  purchases: number;
  cost: bigint;
}

/** What attempts by a route came to that were sent in an hour: so much more than was stored before. */
export interface HourCount {
  readonly supplier: string;
  readonly productId: number;
  /** Its first instant. */
  readonly hour: Instant;
  vended: number;
  declined: number;
  unknown: number;
  cost: bigint;
  tookMs: number;
  slowestMs: number;
  /** Units of what was vended. */
  units: number;
}

/** The same of a category's attempts, with how long answers took: so much more than was stored before. */
export interface CategoryCount {
  readonly supplier: string;
  readonly category: string;
  /** The hour's first instant. */
  readonly hour: Instant;
  vended: number;
  declined: number;
  unknown: number;
  cost: bigint;
  readonly answers: number[];
}

// All in the order of their keys, which is the order of the locks.
const insertCounts = statement(
  "insert_route_counts",
  `with counted_hours as (
     insert into supplier_hours as h
            (hour, supplier, product_id, vended, declined, unknown, cost, took_ms, slowest_ms, units)
     select i.hour, i.supplier, i."productId", i.vended, i.declined, i.unknown, i.cost, i."tookMs", i."slowestMs", i.units
       from jsonb_to_recordset($2::jsonb) as i (
              hour timestamptz, supplier text, "productId" integer, vended bigint, declined bigint, unknown bigint,
              cost bigint, "tookMs" bigint, "slowestMs" integer, units bigint
            )
      order by i.hour, i.supplier, i."productId"
         on conflict (hour, supplier, product_id) do update
            set vended = h.vended + excluded.vended,
                declined = h.declined + excluded.declined,
                unknown = h.unknown + excluded.unknown,
                cost = h.cost + excluded.cost,
                took_ms = h.took_ms + excluded.took_ms,
                slowest_ms = greatest(h.slowest_ms, excluded.slowest_ms),
                units = coalesce(h.units, h.vended) + excluded.units
   ),
   counted_categories as (
     insert into supplier_category_hours as c (supplier, hour, category, vended, declined, unknown, cost, answers)
     select i.supplier, i.hour, i.category, i.vended, i.declined, i.unknown, i.cost, i.answers
       from jsonb_to_recordset($3::jsonb) as i (
              supplier text, hour timestamptz, category text, vended bigint, declined bigint, unknown bigint,
              cost bigint, answers bigint[]
            )
      order by i.supplier, i.hour, i.category
         on conflict (supplier, hour, category) do update
            set vended = c.vended + excluded.vended,
                declined = c.declined + excluded.declined,
                unknown = c.unknown + excluded.unknown,
                cost = c.cost + excluded.cost,
                answers = (
                  select array_agg(coalesce(n.stored, 0) + n.more order by n.place)
                    from unnest(c.answers, excluded.answers) with ordinality as n (stored, more, place)
                )
   ),
   counted_unserved as (
     insert into unserved_hours as u (hour, product_id, refused, amount, last_at)
     select i.hour, i."productId", i.refused, i.amount, i."lastAt"
       from jsonb_to_recordset($4::jsonb) as i (
              hour timestamptz, "productId" integer, refused bigint, amount bigint, "lastAt" timestamptz
            )
      order by i.hour, i."productId"
         on conflict (hour, product_id) do update
            set refused = u.refused + excluded.refused,
                amount = u.amount + excluded.amount,
                last_at = greatest(u.last_at, excluded.last_at)
   )
   insert into supplier_days as d (supplier, day, purchases, cost)
   select i.supplier, i.day, i.purchases, i.cost
     from jsonb_to_recordset($1::jsonb) as i (supplier text, day date, purchases bigint, cost bigint)
    order by i.supplier, i.day
       on conflict (supplier, day) do update
          set purchases = d.purchases + excluded.purchases,
              cost = d.cost + excluded.cost`,
);

/** Counts by their keys. */
export interface Counts {
  readonly days: ReadonlyMap<string, DayCount>;
  readonly hours: ReadonlyMap<string, HourCount>;
  readonly categories: ReadonlyMap<string, CategoryCount>;
  readonly unserved: ReadonlyMap<string, UnservedCount>;
}

/** Adds to what is stored, in one commit. Not safe to repeat: what is sent twice counts twice. */
export async function addCounts(database: Queryable, counts: Counts): Promise<void> {
  const { days, hours, categories, unserved } = counts;
  await database.query(
    insertCounts,
    [days, hours, categories, unserved].map((rows) => JSON.stringify([...rows.values()], asStored)),
  );
}

/** Instants are milliseconds in memory, and amounts are no numbers of JSON. */
function asStored(name: string, value: unknown): unknown {
  if (name === "hour" || name === "lastAt") return new Date(value as Instant).toISOString();
  return typeof value === "bigint" ? String(value) : value;
}

/** What the processes have stored of a supplier. */
export interface StandingRow {
  readonly supplier: string;
  /** Of the day that was asked about. */
  readonly purchases: number;
  readonly cost: Kobo;
  /** As it told last, in hundredths of the currency; null before it has. */
  readonly balance: bigint | null;
  readonly currency: string;
  /** Since it told, in seconds by the database's clock. */
  readonly ageSeconds: number | null;
  /** What it was sent since then. */
  readonly sentSince: Kobo;
}

/** $1: the day. The balance's `sent_before` was summed from the same day on as here. */
export const listStandings = statement(
  "list_supplier_standings",
  `select s.name as supplier,
          coalesce(d.purchases, 0)::float8 as purchases,
          coalesce(d.cost, 0) as cost,
          b.balance,
          coalesce(b.currency, 'NGN') as currency,
          extract(epoch from now() - b.reported_at)::float8 as "ageSeconds",
          greatest(0, coalesce(sent.cost, 0) - coalesce(b.sent_before, 0))::bigint as "sentSince"
     from suppliers s
     left join supplier_days d
       on d.supplier = s.name and d.day = $1
     left join supplier_balances b
       on b.supplier = s.name
     left join lateral (
            select sum(all_days.cost) as cost
              from supplier_days all_days
             where all_days.supplier = s.name and all_days.day >= (b.reported_at at time zone 'UTC')::date - 2
          ) sent
       on true
    order by s.name`,
);

/** What attempts came to at their first answer. */
export interface Figures {
  readonly vended: number;
  readonly declined: number;
  readonly unknown: number;
  /** All their answers together. */
  readonly tookMs: number;
  readonly slowestMs: number;
}

/** A route's attempts in some of the last hours. */
export interface RouteFigures extends Figures {
  readonly supplier: string;
  readonly productId: ProductId;
  readonly category: string;
}

/** $1: from the hour that begins then on. */
export const listRouteFigures = statement(
  "list_route_figures",
  `select h.supplier,
          h.product_id as "productId",
          b.category,
          sum(h.vended)::float8 as vended,
          sum(h.declined)::float8 as declined,
          sum(h.unknown)::float8 as unknown,
          sum(h.took_ms)::float8 as "tookMs",
          max(h.slowest_ms) as "slowestMs"
     from supplier_hours h
     join products p
       on p.id = h.product_id
     join billers b
       on b.slug = p.biller_slug
    where h.hour >= $1
    group by h.supplier, h.product_id, b.category
    order by h.supplier, h.product_id`,
);

export const deleteOldHours = statement(
  "delete_old_supplier_hours",
  `with old_categories as (
     delete from supplier_category_hours
      where hour < $1
   ),
   old_unserved as (
     delete from unserved_hours
      where hour < $1
   )
   delete from supplier_hours
    where hour < $1
   returning hour`,
);

/** Says that this process has these breakers open now. The first that opened of several processes says since when. */
export const insertOpenBreakers = statement(
  "insert_open_breakers",
  `insert into supplier_breakers as b (supplier, category, open_at, opened_at, last_trouble)
   select i.supplier, i.category, now(), i.opened_at, i.last_trouble
     from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) as i (supplier, category, opened_at, last_trouble)
     join suppliers s
       on s.name = i.supplier
    order by i.supplier, i.category
       on conflict (supplier, category) do update
          set open_at = excluded.open_at,
              opened_at = case
                            when b.open_at > now() - make_interval(secs => $5)
                            then least(b.opened_at, excluded.opened_at)
                            else excluded.opened_at
                          end,
              last_trouble = excluded.last_trouble`,
);

/** A breaker that some process had open a moment ago. */
export interface OpenBreaker {
  readonly supplier: string;
  readonly category: string;
}

export const listOpenBreakers = statement(
  "list_open_breakers",
  `select supplier, category
     from supplier_breakers
    where open_at > now() - make_interval(secs => $1)`,
);

/** A breaker of a supplier that is open, or was. */
export interface KnownBreaker {
  readonly category: string;
  readonly isOpen: boolean;
  /** Since when, or when it opened last; null where an older release wrote it. */
  readonly openedAt: Instant | null;
  /** When a process last had it open. */
  readonly openAt: Instant;
  /** What the supplier answered last, redacted. */
  readonly lastTrouble: string | null;
}

export const listBreakersOfSupplier = statement(
  "list_breakers_of_supplier",
  `select category,
          open_at > now() - make_interval(secs => $2) as "isOpen",
          opened_at as "openedAt",
          open_at as "openAt",
          last_trouble as "lastTrouble"
     from supplier_breakers
    where supplier = $1
    order by category`,
);
