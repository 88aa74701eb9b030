import type { CountedDay } from "../../../domain/history/lists/count-queries.ts";
import type { TodayAndLastWeek } from "../../../domain/history/sales/sales.ts";
import type { PendingSum, SalesSum } from "../../../domain/history/sales/sales-queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Figure } from "../../kit/parts/data.tsx";
import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { countText, grouped, Money, momentText, moneyText, spanText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";

interface Known {
  readonly now: Instant;
  readonly format: MomentFormat;
  readonly balance: Kobo;
  /** Hours that the balance lasts; null where nobody can tell. */
  readonly left: number | null;
  /** The last transfer that came; null where none ever did. */
  readonly added: { readonly credited: Kobo; readonly creditedAt: Instant } | null;
  readonly days: readonly CountedDay[];
  /** Null where its hours are too many to be read: then nothing is compared. */
  readonly today: TodayAndLastWeek | null;
  readonly pending: PendingSum;
  /** Something was sold in this mode, ever. */
  readonly hasSold: boolean;
}

/** Balance and today's sales; success and what is pending where there is some. */
export function figuresOf(visit: ModeVisit, known: Known): Figure[] {
  const { balance, pending, now, hasSold } = known;
  const notes = balanceNotes(known);
  const transactions = visit.to("transactions");
  const list = `${transactions}?from=${known.days.at(-1)?.date ?? ""}`;
  const compared = comparedOf(known);
  const money: Figure = {
    label: "Balance",
    value: <Money amount={balance} />,
    ...(visit.may("see_money") ? { href: visit.to("wallet") } : {}),
    ...(notes === "" ? {} : { note: notes }),
  };
  if (!hasSold) return [money];
  const waiting = pending.oldest && {
    label: "Pending",
    value: grouped(pending.purchases),
    href: `${transactions}?status=pending`,
    note: (
      <>
        <Money amount={pending.total} /> · oldest {spanText(now - pending.oldest.at)}
      </>
    ),
  };
  return [
    money,
    { label: "Sold today", href: `${list}&status=successful`, ...soldFigure(known, compared) },
    ...(compared.sum.sales + compared.sum.refunds === 0
      ? []
      : [{ label: "Delivered", href: `${list}&status=failed`, ...deliveredFigure(compared) }]),
    ...(waiting === null ? [] : [waiting]),
  ];
}

const newsMs = 86_400_000;

/** Money that came within a day, and how long what there is lasts. */
function balanceNotes({ added, left, now, format }: Known): string {
  const isNews = added !== null && now - added.creditedAt < newsMs;
  const news = isNews ? `${moneyText(added.credited)} added ${momentText(format, added.creditedAt)}` : "";
  return [news, left === null ? "" : lastsText(left)].filter(Boolean).join(". ");
}

interface Compared {
  readonly sum: SalesSum;
  /** Null before there is something to compare with. */
  readonly before: SalesSum | null;
}

function comparedOf({ today, days }: Known): Compared {
  if (today !== null) {
    const before = today.lastWeek.soFar;
    return { sum: today.today.soFar, before: before.sales === 0 ? null : before };
  }
  const { successful = 0, failed = 0, sold = 0n as Kobo } = days.at(-1) ?? {};
  return { sum: { sales: successful, refunds: failed, sold }, before: null };
}

function soldFigure({ today, format }: Known, { sum, before }: Compared): Omit<Figure, "label"> {
  const value = <Money amount={sum.sold} />;
  if (before === null || today === null) return { value, note: countText(sum.sales, "sale") };
  const percent = Math.round((Number(sum.sold - before.sold) * 100) / Number(before.sold));
  const { weekday, minute } = format(new Date(today.lastWeekAt));
  const at = `last ${weekdays[weekday] ?? weekday} at ${minute}`;
  return {
    value,
    ...(percent === 0 ? { note: `Same as ${at}` } : { trend: trendOf(percent, "%"), note: `on ${at}` }),
    spark: { values: nairaOf(today.today.hours), before: nairaOf(today.lastWeek.hours) },
  };
}

function deliveredFigure({ sum, before }: Compared): Omit<Figure, "label"> {
  const rate = rateOf(sum);
  const counts = `${grouped(sum.sales)} of ${grouped(sum.sales + sum.refunds)}`;
  const points = before === null ? 0 : Math.round((rate - rateOf(before)) * 10) / 10;
  return {
    value: `${rate.toLocaleString("en-NG", { maximumFractionDigits: 1 })}%`,
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
  const days = Math.floor(hours / 24);
  if (days > longDays) return `Lasts more than ${longDays} days at this pace`;
  const text = hours < 48 ? countText(Math.floor(hours), "hour") : `${days} days`;
  return `Lasts about ${text} at this pace`;
}

const weekdays: Readonly<Record<string, string>> = {
  ...{ Mon: "Monday", Tue: "Tuesday", Wed: "Wednesday", Thu: "Thursday" },
  ...{ Fri: "Friday", Sat: "Saturday", Sun: "Sunday" },
};
