import { type Clock, minuteMs, type WallTime } from "../../../kernel/clock.ts";
import { add, kobo } from "../../../kernel/money.ts";
import type { Database, Queryable } from "../../../platform/database/database.ts";
import { checkLedger } from "../../wallet/reconcile.ts";
import {
  type DaySales,
  type DaySpan,
  findClosedUntil,
  hasSoldBefore,
  insertClosedDay,
  listClosedDays,
  listClosedSales,
  type SaleDimension,
  type SalesSums,
  sumDay,
} from "./queries.ts";

export interface DayServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

/** After midnight most of what was sold shortly before has ended. */
const restMs = 30 * minuteMs;

/**
 * The day to close next: the one after the last closed one, at first yesterday. Null before it is over, and where nothing
 * was sold live by its end.
 */
export async function nextDay({ database, clock, wallTime }: DayServices): Promise<DaySpan | null> {
  const yesterday = wallTime.dayOf(wallTime.dayOf(clock.now() - restMs).start - 1);
  const closedUntil = await findClosedUntil(database);
  const day = closedUntil === null ? yesterday : wallTime.dayOf(closedUntil);
  if (day.start > yesterday.start) return null;
  return closedUntil !== null || (await hasSoldBefore(database, day.end)) ? day : null;
}

/**
 * Closes a day: checks every promise of the books, and stores what was sold. Once: a day that is closed is left as it is.
 * Reads the whole ledger, minutes at ten million purchases. @returns what it found; null where the day was closed before
 */
export async function closeDay(
  services: DayServices,
  day: DaySpan,
): Promise<{ readonly brokenInvariants: readonly string[] } | null> {
  const { database, clock, wallTime } = services;
  const [closed] = await listClosedDays(database, { from: day.date, to: day.date });
  if (closed !== undefined) return null;
  const checks = await checkLedger(database);
  const brokenInvariants = checks.filter(({ broken }) => broken.length > 0).map(({ invariant }) => invariant);
  const isNew = await database.transaction((tx) =>
    insertClosedDay(tx, day, { now: clock.now(), timeZone: wallTime.timeZone, brokenInvariants }),
  );
  return isNew ? { brokenInvariants } : null;
}

/** Sales of days, of closed ones as they were stored. */
export interface SalesOfDays {
  readonly rows: readonly DaySales[];
  /** Days that are summed as they are now, as nobody closed them: today, and any that was missed. */
  readonly open: readonly string[];
}

/** A report reads so many days that are not closed: each is read purchase by purchase. */
export const openMax = 40;

/** What was sold from one day to another, told apart by one thing; the open days after the last closed one are summed now. */
export async function readSalesOfDays(
  services: ReportServices,
  days: { readonly from: string; readonly to: string },
  dimension: SaleDimension,
): Promise<SalesOfDays> {
  const { database } = services;
  const [open, rows] = await Promise.all([
    sumOpenDays(services, days, dimension),
    listClosedSales(database, dimension, days),
  ]);
  return { rows: [...rows, ...open.rows], open: open.days };
}

/** What a report of days needs: it only reads. */
export type ReportServices = Omit<DayServices, "database"> & { readonly database: Queryable };

/** The days of a time that nobody closed, with their sales as they are now. */
export async function sumOpenDays(
  { database, wallTime, clock }: ReportServices,
  days: { readonly from: string; readonly to: string },
  dimension: SaleDimension,
): Promise<{ readonly rows: readonly DaySales[]; readonly days: readonly string[] }> {
  const known = new Set((await listClosedDays(database, days)).map(({ day }) => day));
  const today = wallTime.dayOf(clock.now());
  const open: DaySpan[] = [];
  let day = wallTime.dayOf(Math.min(wallTime.startOfDay(days.to) ?? today.start, today.start));
  while (day.date >= days.from && open.length < openMax) {
    if (!known.has(day.date)) open.push(day);
    day = wallTime.dayOf(day.start - 1);
  }
  const rows: DaySales[] = [];
  for (const each of open) rows.push(...(await sumDay(database, each, { dimension, timeZone: wallTime.timeZone })));
  return { rows, days: open.map(({ date }) => date) };
}

/** How a closed day differs from what its purchases say now. */
export interface DayDifference {
  readonly name: string;
  readonly stored: SalesSums;
  readonly present: SalesSums;
}

const nothing: SalesSums = {
  ...{ sold: 0n, failed: 0n, pending: 0n, reversed: 0n, withoutCost: 0n },
  ...{ sales: kobo(0n), cost: kobo(0n), fees: kobo(0n) },
};

/** Compares a closed day with its purchases, by one thing: only what differs. Reads the day's purchases. */
export async function compareDay(
  { database, wallTime }: Pick<DayServices, "wallTime"> & { readonly database: Queryable },
  date: string,
  dimension: SaleDimension,
): Promise<DayDifference[] | null> {
  const days = { from: date, to: date };
  const [closed] = await listClosedDays(database, days);
  if (closed === undefined) return null;
  const span = { date, start: closed.startsAt, end: closed.endsAt };
  const stored = new Map((await listClosedSales(database, dimension, days)).map((row) => [row.name, row]));
  const present = new Map(
    (await sumDay(database, span, { dimension, timeZone: wallTime.timeZone })).map((row) => [row.name, row]),
  );
  const names = [...new Set([...stored.keys(), ...present.keys()])].sort();
  return names
    .map((name) => ({ name, stored: stored.get(name) ?? nothing, present: present.get(name) ?? nothing }))
    .filter(({ stored: then, present: now }) => !isSame(then, now));
}

const figures = ["sold", "failed", "pending", "reversed", "sales", "cost", "fees", "withoutCost"] as const;

function isSame(one: SalesSums, other: SalesSums): boolean {
  return figures.every((figure) => one[figure] === other[figure]);
}

/** The sum of several rows. */
export function addUp(rows: readonly SalesSums[]): SalesSums {
  return rows.reduce(
    (sum, row) => ({
      sold: sum.sold + row.sold,
      failed: sum.failed + row.failed,
      pending: sum.pending + row.pending,
      reversed: sum.reversed + row.reversed,
      sales: add(sum.sales, row.sales),
      cost: add(sum.cost, row.cost),
      fees: add(sum.fees, row.fees),
      withoutCost: sum.withoutCost + row.withoutCost,
    }),
    nothing,
  );
}
