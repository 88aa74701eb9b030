import { type Clock, minuteMs, type WallTime } from "../../../kernel/clock.ts";
import { add, zeroKobo } from "../../../kernel/money.ts";
import type { Database, Queryable } from "../../../platform/database/database.ts";
import { checkLedger } from "../../wallet/reconcile.ts";
import {
  type ClosedDay,
  type Days,
  findLastClosed,
  hasSoldBefore,
  insertClosedDay,
  listClosedDays,
  listClosedSales,
} from "./queries.ts";
import { type DaySales, type DaySpan, type SaleDimension, type SalesSums, sumDay } from "./sums-queries.ts";

export interface DayServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

/** After midnight most of what was sold shortly before has ended. */
const restMs = 30 * minuteMs;

/**
 * The day to close next: the one after the last closed one, at first yesterday. It begins where that one ended, also where
 * TIME_ZONE is another since: longer or shorter than a day, but nothing is missed or counted twice. Null before it is over,
 * and where nothing was sold live by its end.
 */
export async function nextDay({ database, clock, wallTime }: DayServices): Promise<DaySpan | null> {
  const today = wallTime.dayOf(clock.now() - restMs);
  const last = await findLastClosed(database);
  if (last !== null) {
    const next = dayAfter(last, wallTime);
    return next.end <= today.start ? next : null;
  }
  const yesterday = wallTime.dayOf(today.start - 1);
  return (await hasSoldBefore(database, yesterday.end)) ? yesterday : null;
}

function dayAfter(last: ClosedDay, wallTime: WallTime): DaySpan {
  let day = wallTime.dayOf(wallTime.dayOf(wallTime.startOfDay(last.day) ?? last.startsAt).end);
  // Far to the east, the date after it was over before it ended.
  while (day.end <= last.endsAt) day = wallTime.dayOf(day.end);
  return { ...day, start: last.endsAt };
}

/** Whole books are read once a day: where several days were missed, those after the first go by the same reading. */
const checkedMs = 20 * 60 * minuteMs;

/**
 * Closes a day: checks every promise of the books, and stores what was sold. Once: a day that is closed is left as it is.
 * Reads the whole ledger, minutes at ten million purchases, unless that was done for another day in the last 20 hours.
 * @returns what it found; null where the day was closed before
 */
export async function closeDay(
  services: DayServices,
  day: DaySpan,
): Promise<{ readonly brokenInvariants: readonly string[] } | null> {
  const { database, clock, wallTime } = services;
  const [closed] = await listClosedDays(database, { from: day.date, to: day.date });
  if (closed !== undefined) return null;
  const now = clock.now();
  const last = await findLastClosed(database);
  const isKnown = last !== null && now - last.booksCheckedAt < checkedMs;
  const brokenInvariants = isKnown ? last.brokenInvariants : await listBroken(database);
  const booksCheckedAt = isKnown ? last.booksCheckedAt : now;
  const closing = { now, timeZone: wallTime.timeZone, brokenInvariants, booksCheckedAt };
  const isNew = await database.transaction((tx) => insertClosedDay(tx, day, closing));
  return isNew ? { brokenInvariants } : null;
}

async function listBroken(database: Database): Promise<string[]> {
  const checks = await checkLedger(database);
  return checks.filter(({ broken }) => broken.length > 0).map(({ invariant }) => invariant);
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
  days: Days,
  dimension: SaleDimension,
): Promise<SalesOfDays> {
  const [open, rows] = await Promise.all([
    sumOpenDays(services, days, dimension),
    listClosedSales(services.database, dimension, days),
  ]);
  return { rows: [...rows, ...open.rows], open: open.days };
}

/** What a report of days needs: it only reads. */
export type ReportServices = Omit<DayServices, "database"> & { readonly database: Queryable };

/** The days of a time that nobody closed, with their sales as they are now. */
export async function sumOpenDays(
  { database, wallTime, clock }: ReportServices,
  days: Days,
  dimension: SaleDimension,
): Promise<{ readonly rows: readonly DaySales[]; readonly days: readonly string[] }> {
  const known = new Set((await listClosedDays(database, days)).map(({ day }) => day));
  const last = await findLastClosed(database);
  const next = last === null ? null : dayAfter(last, wallTime);
  const today = wallTime.dayOf(clock.now());
  const open: DaySpan[] = [];
  let day = wallTime.dayOf(Math.min(wallTime.startOfDay(days.to) ?? today.start, today.start));
  while (day.date >= days.from && open.length < openMax) {
    const isOver = last !== null && next !== null && day.date > last.day && day.date < next.date;
    if (!known.has(day.date) && !isOver) open.push(day.date === next?.date ? next : day);
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

const counts = ["sold", "failed", "pending", "reversed", "withoutCost"] as const;
const amounts = ["sales", "cost", "fees", "goodwill", "refundedLater", "takenBack", "costChanges"] as const;

const nothing: SalesSums = {
  ...{ sold: 0n, failed: 0n, pending: 0n, reversed: 0n, withoutCost: 0n },
  ...{ sales: zeroKobo, cost: zeroKobo, fees: zeroKobo },
  ...{ goodwill: zeroKobo, refundedLater: zeroKobo, takenBack: zeroKobo, costChanges: zeroKobo },
};

/** Compares a closed day with its purchases, by one thing: only what differs. Reads the day's purchases. */
export async function compareDay(
  { database }: { readonly database: Queryable },
  date: string,
  dimension: SaleDimension,
): Promise<DayDifference[] | null> {
  const days = { from: date, to: date };
  const [closed] = await listClosedDays(database, days);
  if (closed === undefined) return null;
  const span = { date, start: closed.startsAt, end: closed.endsAt };
  const stored = new Map((await listClosedSales(database, dimension, days)).map((row) => [row.name, row]));
  const { timeZone } = closed;
  const present = new Map((await sumDay(database, span, { dimension, timeZone })).map((row) => [row.name, row]));
  const names = [...new Set([...stored.keys(), ...present.keys()])].sort();
  return names
    .map((name) => ({ name, stored: stored.get(name) ?? nothing, present: present.get(name) ?? nothing }))
    .filter(({ stored: then, present: now }) => [...counts, ...amounts].some((figure) => then[figure] !== now[figure]));
}

export function addUp(rows: readonly SalesSums[]): SalesSums {
  const sum: { -readonly [Figure in keyof SalesSums]: SalesSums[Figure] } = { ...nothing };
  for (const row of rows) {
    for (const count of counts) sum[count] += row[count];
    for (const amount of amounts) sum[amount] = add(sum[amount], row[amount]);
  }
  return sum;
}
