import { dayMs, hourMs, type Instant, type WallTime } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { CountedDay } from "../lists/count-queries.ts";
import { type HourPart, listHourParts, type SalesSum } from "./sales-queries.ts";

/** A day by its hours, and its sum up to a time of day. */
export interface DayByHour {
  readonly start: Instant;
  /** What was sold in each hour that is over. */
  readonly hours: readonly Kobo[];
  readonly soFar: SalesSum;
}

/** Today, and the same weekday of the week before up to the same time. */
export interface TodayAndLastWeek {
  readonly today: DayByHour;
  readonly lastWeek: DayByHour;
  /** What the weekday of last week had at this time. */
  readonly lastWeekAt: Instant;
}

/** Both days are read, a microsecond a purchase: of a wallet with more on them, only whole days are told. */
const readMax = 120_000;

/**
 * Today's sales beside those of the same weekday last week at the same time. `days` are the last ones, as
 * `listPurchaseDays` lists them, with today as the last: what they count says whether the hours can be read. Null where
 * they are too many.
 */
export async function readToday(
  db: Queryable,
  wallet: WalletKey,
  given: { readonly now: Instant; readonly wallTime: WallTime; readonly days: readonly CountedDay[] },
): Promise<TodayAndLastWeek | null> {
  const { now, wallTime, days } = given;
  const counted = [days.at(-1), days.at(-8)].map((day) => (day === undefined ? 0 : day.successful + day.failed));
  if (counted.reduce((sum, each) => sum + each, 0) > readMax) return null;
  const { start, end } = wallTime.dayOf(now);
  // Seven days before noon is the same weekday, whatever the clocks did in between.
  const before = wallTime.dayOf(start + dayMs / 2 - 7 * dayMs);
  const lastWeekAt = Math.min(before.start + (now - start), before.end);
  const [today, lastWeek] = await Promise.all([
    listHourParts(db, wallet, { from: start, before: end, splitAt: end }),
    listHourParts(db, wallet, { from: before.start, before: before.end, splitAt: lastWeekAt }),
  ]);
  return {
    today: byHour(today, start, Math.floor((now - start) / hourMs)),
    lastWeek: byHour(lastWeek, before.start, Math.ceil((before.end - before.start) / hourMs)),
    lastWeekAt,
  };
}

function byHour(parts: readonly HourPart[], start: Instant, hours: number): DayByHour {
  const soldIn = (hour: number) => parts.filter((part) => part.hour === hour).reduce((sum, { sold }) => sum + sold, 0n);
  return {
    start,
    hours: Array.from({ length: hours }, (_, hour) => soldIn(hour) as Kobo),
    soFar: parts.filter(({ isBefore }) => isBefore).reduce(added, { sales: 0, refunds: 0, sold: zeroKobo }),
  };
}

function added(one: SalesSum, other: SalesSum): SalesSum {
  return {
    sales: one.sales + other.sales,
    refunds: one.refunds + other.refunds,
    sold: (one.sold + other.sold) as Kobo,
  };
}

/** Before so many days with sales, nothing is drawn and no pace is told: they would say little. */
export const daysLeast = 3;

/** How many of these days had a sale. */
export function daysWithSales(days: readonly CountedDay[]): number {
  return days.filter(({ successful }) => successful > 0).length;
}

const paceDays = 7;

/**
 * How many hours a balance lasts at the pace of the last seven whole days, or of those since the first sale. Null where
 * nothing was sold on them, or sales are too new to tell. `days` has today as its last.
 */
export function hoursLeft(balance: Kobo, days: readonly CountedDay[]): number | null {
  if (daysWithSales(days) < daysLeast) return null;
  const whole = days.slice(0, -1);
  const first = whole.findIndex(({ successful }) => successful > 0);
  const counted = first === -1 ? [] : whole.slice(Math.max(first, whole.length - paceDays));
  const sold = counted.reduce((sum, day) => sum + day.sold, 0n);
  if (sold === 0n || balance < 0n) return null;
  return Number((balance * BigInt(counted.length * 24)) / sold);
}
