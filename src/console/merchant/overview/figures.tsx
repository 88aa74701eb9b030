import type { CountedDay } from "../../../domain/history/lists/count-queries.ts";
import type { TodayAndLastWeek } from "../../../domain/history/sales/sales.ts";
import type { PendingSum, SalesSum } from "../../../domain/history/sales/sales-queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Figure } from "../../kit/parts/data.tsx";
import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { grouped, Money } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";

interface Known {
  readonly now: Instant;
  readonly format: MomentFormat;
  readonly balance: Kobo;
  /** Hours that the balance lasts; null where nobody can tell. */
  readonly left: number | null;
  readonly days: readonly CountedDay[];
  /** Null where its hours are too many to be read: then nothing is compared. */
  readonly today: TodayAndLastWeek | null;
  readonly pending: PendingSum;
  /** Something was sold in this mode, ever. */
  readonly hasSold: boolean;
}

/** Balance and today's sales; success and what is pending where there is some. */
export function figuresOf(visit: ModeVisit, known: Known): Figure[] {
  const { balance, left, pending, now } = known;
  const { sum, before, at } = comparedOf(known);
  const list = `${visit.to("transactions")}?from=${known.days.at(-1)?.date ?? ""}`;
  const money: Figure = {
    label: "Balance",
    value: <Money amount={balance} />,
    ...(visit.may("see_money") ? { href: visit.to("wallet") } : {}),
    ...(left === null ? {} : { note: lastsText(left) }),
  };
  if (!known.hasSold) return [money];
  return [
    money,
    soldFigure(known, { sum, before, at, href: `${list}&status=successful` }),
    ...(sum.sales + sum.refunds === 0 ? [] : [deliveredFigure({ sum, before, href: `${list}&status=failed` })]),
    ...(pending.oldest === null
      ? []
      : [
          {
            label: "Pending",
            value: grouped(pending.purchases),
            href: `${visit.to("transactions")}?status=pending`,
            note: (
              <>
                <Money amount={pending.total} /> · oldest {spanText(now - pending.oldest.at)}
              </>
            ),
          },
        ]),
  ];
}

interface Compared {
  readonly sum: SalesSum;
  /** Null before there is something to compare with. */
  readonly before: SalesSum | null;
  /** `last Thursday at 14:05`. */
  readonly at: string;
}

function comparedOf({ today, days, format }: Known): Compared {
  if (today === null) {
    const { successful = 0, failed = 0, sold = 0n as Kobo } = days.at(-1) ?? {};
    return { sum: { sales: successful, refunds: failed, sold }, before: null, at: "" };
  }
  const before = today.lastWeek.soFar;
  const { weekday, minute } = format(new Date(today.lastWeekAt));
  const at = `last ${weekdays[weekday] ?? weekday} at ${minute}`;
  return { sum: today.today.soFar, before: before.sales === 0 ? null : before, at };
}

const weekdays: Readonly<Record<string, string>> = {
  ...{ Mon: "Monday", Tue: "Tuesday", Wed: "Wednesday", Thu: "Thursday" },
  ...{ Fri: "Friday", Sat: "Saturday", Sun: "Sunday" },
};

function soldFigure({ today }: Known, { sum, before, at, href }: Compared & { readonly href: string }): Figure {
  const count = `${grouped(sum.sales)} ${sum.sales === 1 ? "sale" : "sales"}`;
  const figure = { label: "Sold today", value: <Money amount={sum.sold} />, href };
  if (before === null || today === null) return { ...figure, note: count };
  const percent = Math.round((Number(sum.sold - before.sold) * 100) / Number(before.sold));
  return {
    ...figure,
    ...(percent === 0 ? { note: `Same as ${at}` } : { trend: trendOf(percent, "%"), note: `on ${at}` }),
    spark: { values: nairaOf(today.today.hours), before: nairaOf(today.lastWeek.hours) },
  };
}

function deliveredFigure({ sum, before, href }: Omit<Compared, "at"> & { readonly href: string }): Figure {
  const rate = rateOf(sum);
  const counts = `${grouped(sum.sales)} of ${grouped(sum.sales + sum.refunds)}`;
  const points = before === null ? 0 : Math.round((rate - rateOf(before)) * 10) / 10;
  return {
    label: "Delivered",
    value: `${rate.toLocaleString("en-NG", { maximumFractionDigits: 1 })}%`,
    href,
    ...(points === 0 ? { note: counts } : { trend: trendOf(points, ""), note: `points; ${counts}` }),
  };
}

/** Percent of what ended that was delivered. */
function rateOf({ sales, refunds }: SalesSum): number {
  return (sales * 100) / Math.max(1, sales + refunds);
}

/** More is good, of sales as of success. */
function trendOf(change: number, unit: string): NonNullable<Figure["trend"]> {
  const text = `${Math.abs(change)}${unit}`;
  return change > 0 ? { direction: "up", isGood: true, text } : { direction: "down", isGood: false, text };
}

/** For drawing; a double has every kobo of it. */
export function nairaOf(amounts: readonly Kobo[]): number[] {
  return amounts.map((amount) => Number(amount) / 100);
}

const longDays = 60;

/** How long a balance lasts, rounded down: nobody is promised more than there is. */
export function lastsText(hours: number): string {
  if (hours < 1) return "Lasts less than an hour at this pace";
  const whole = Math.floor(hours);
  const days = Math.floor(hours / 24);
  if (days > longDays) return `Lasts more than ${longDays} days at this pace`;
  const text = hours < 48 ? `${whole} ${whole === 1 ? "hour" : "hours"}` : `${days} days`;
  return `Lasts about ${text} at this pace`;
}

/** A span as people say it: `40 s`, `28 min`, `3.2 h`, `2 days`. */
export function spanText(ms: number): string {
  if (ms < 60_000) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.floor(ms / 360_000) / 10} h`;
  return `${Math.floor(ms / 86_400_000)} days`;
}
