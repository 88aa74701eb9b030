import { dayMs } from "../../../kernel/clock.ts";
import { addUp, type ReportServices, readSalesOfDays } from "../closed-days/close-day.ts";
import { type DaySales, type DaySpan, type SalesSums, sumDay } from "../closed-days/sums-queries.ts";

/** What was sold today, and on the same weekday before until the same time. */
export interface Selling {
  readonly today: SalesSums;
  /** Null where nothing was tried by then. */
  readonly before: SalesSums | null;
  readonly dayBefore: DaySpan;
  /** Hour by hour, `00` to `23`; today's are null from the next hour on. */
  readonly hours: readonly { readonly hour: string; readonly today: SalesSums | null; readonly before: SalesSums }[];
}

/** Reads the sales of one day, up to now, and of the same weekday before. */
export async function readSelling(services: ReportServices): Promise<Selling> {
  const { database, clock, wallTime } = services;
  const now = clock.now();
  const { timeZone } = wallTime;
  const today = wallTime.dayOf(now);
  // Noon of a day is in that day, whatever the clocks did in between.
  const dayBefore = wallTime.dayOf(today.start + dayMs / 2 - 7 * dayMs);
  const untilThen = { ...dayBefore, end: Math.min(dayBefore.end, dayBefore.start + (now - today.start)) };
  const weekday = { from: dayBefore.date, to: dayBefore.date };
  const [present, then, past] = await Promise.all([
    sumDay(database, today, { dimension: "hour", timeZone }),
    sumDay(database, untilThen, { dimension: "all", timeZone }),
    readSalesOfDays(services, weekday, "hour"),
  ]);
  const before = addUp(then);
  const hourNow = wallTime.format(now).slice(11, 13);
  return {
    today: addUp(present),
    before: before.sold + before.failed === 0n ? null : before,
    dayBefore,
    hours: hours.map((hour) => ({
      hour,
      today: hour > hourNow ? null : ofHour(present, hour),
      before: ofHour(past.rows, hour),
    })),
  };
}

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

function ofHour(rows: readonly DaySales[], hour: string): SalesSums {
  return addUp(rows.filter(({ name }) => name === hour));
}

/** How many of a hundred that ended were delivered; null where none ended. */
export function successOf({ sold, failed }: Pick<SalesSums, "sold" | "failed">): number | null {
  const ended = Number(sold + failed);
  return ended === 0 ? null : (Number(sold) / ended) * 100;
}
