import { openMax } from "../../../domain/history/closed-days/close-day.ts";
import {
  marginOf,
  type Report,
  type ReportLine,
  type ReportType,
  readReport,
  reportTypes,
} from "../../../domain/history/closed-days/report.ts";
import type { SalesSums } from "../../../domain/history/closed-days/sums-queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { dayMs } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, type ListQuery } from "../../kit/list-page.tsx";
import { Chart } from "../../kit/parts/chart.tsx";
import { Facts, Figures } from "../../kit/parts/data.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { dayText, grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { daysName } from "./day-name.ts";

const here = "/operator/reports";
const usualDays = 30;
const presets = [1, 7, usualDays, 90, 365];
/** Products of a large catalogue are read as a file. */
const linesMax = 100;
/** A list of closed days ends at a thousand. */
const daysMax = 800;

/** Live sales, what they cost and what is left, by day, hour, category, product, merchant or supplier. */
export function reportPages(routes: StaffRoutes, services: OperatorServices): void {
  const read = (values: ReportValues) => {
    const { type, days } = chosen(values, services);
    return readReport(reading(services), days, type);
  };
  list(routes, {
    at: here,
    may: "see_reports",
    title: "Reports",
    filters: filtersOf(services),
    usual: { by: "day", days: String(usualDays) },
    async read({ values }) {
      const { type, days } = chosen(values, services);
      const report = await read(values);
      const { lines } = report;
      return {
        rows: lines.slice(type === "day" ? -linesMax : 0, type === "day" ? undefined : linesMax),
        lines: lines.length,
        note: `Live sales by ${type}, ${daysName(services.format, days)}`,
        above: <Summed {...{ type, days, report }} />,
        below:
          lines.length > linesMax ? (
            <p class="hint">{`${linesMax} of ${grouped(lines.length)} shown. The CSV has all.`}</p>
          ) : null,
        caption: `Sales by ${type}`,
      };
    },
    href: (line, { query }) => hrefOf(query.values.by ?? "day", line, query),
    csv: {
      ...{ from: services, may: "see_reports" },
      what({ values }) {
        const { type, days } = chosen(values, services);
        return `sales-by-${type}-${days.from}-to-${days.to}`;
      },
      rows: async ({ values }) => [(await read(values)).lines],
    },
    columns: ({ lead, count, amount, naira, inFile }, { values }) => {
      const type = values.by ?? "day";
      return [
        lead(titles[type], (line) => (type === "day" ? <Day date={line.name} /> : line.label), {
          [type]: (line) => idOf(type, line),
          name: ({ label }) => label,
        }),
        { ...count("Sold", ({ sold }) => Number(sold), "sold"), place: "more" },
        inFile({
          failed_refunded: ({ failed }) => Number(failed),
          taken_back: ({ reversed }) => Number(reversed),
          pending: ({ pending }) => Number(pending),
        }),
        amount("Sales", ({ sales }) => sales, "sales"),
        naira("Cost", ({ cost }) => cost, "cost"),
        naira("Margin", marginOf, "margin"),
        { ...naira("Fees", ({ fees }) => fees, "fees"), isExtra: true },
        // What each is made of stands above for all lines, and in the CSV for each.
        { ...naira("Besides", (line) => marginOf(line) - line.sales + line.cost), isExtra: true },
        { ...count("Refunded", ({ failed, reversed }) => Number(failed + reversed)), isExtra: true },
        inFile({
          without_cost: ({ withoutCost }) => Number(withoutCost),
          goodwill: ({ goodwill }) => goodwill,
          refunded_later: ({ refundedLater }) => refundedLater,
          refunds_taken_back: ({ takenBack }) => takenBack,
          cost_changes: ({ costChanges }) => costChanges,
        }),
      ];
    },
    actions: () => <ButtonLink href="/operator/closed-days">Closed days</ButtonLink>,
    empty: <Empty title="Nothing was sold in these days">Live sales appear here the moment they’re made.</Empty>,
  });
}

function reading({ reads: database, wallTime, people: { clock } }: OperatorServices) {
  return { database, wallTime, clock };
}

function filtersOf({ wallTime }: OperatorServices) {
  const day = (text: string) => (wallTime.startOfDay(text) === null ? null : text);
  const options = presets.map((count) => ({ value: String(count), label: presetText(count) }));
  return {
    by: choiceFilter("By", reportTypes),
    days: { ...choiceFilter("Period", options), kind: "days", isAlways: true } as const,
    from: { label: "From", kind: "date", read: day } as const,
    to: { label: "To", kind: "date", read: day } as const,
  };
}

type ReportQuery = ListQuery<ReturnType<typeof filtersOf>>;
type ReportValues = ReportQuery["values"];

function presetText(days: number): string {
  return days === 1 ? "Today" : days === 365 ? "A year" : `${days} days`;
}

interface Span {
  readonly from: string;
  readonly to: string;
}

function chosen(values: ReportValues, { wallTime, people }: OperatorServices): { type: ReportType; days: Span } {
  const today = wallTime.dayOf(people.clock.now());
  const to = values.to ?? today.date;
  // Noon of a day is in that day, whatever the clocks did in between.
  const before = (count: number) => wallTime.dayOf(today.start + (0.5 - (count - 1)) * dayMs).date;
  const from = values.from ?? (values.to === null ? before(Number(values.days ?? usualDays)) : values.to);
  const [first, last] = from <= to ? [from, to] : [to, from];
  const earliest = wallTime.dayOf((wallTime.startOfDay(last) ?? today.start) - daysMax * dayMs).date;
  return { type: values.by ?? "day", days: { from: first < earliest ? earliest : first, to: last } };
}

interface Shown {
  readonly type: ReportType;
  readonly days: Span;
  readonly report: Report;
}

export const titles: Readonly<Record<ReportType, string>> = {
  day: "Day",
  hour: "Hour",
  category: "Category",
  product: "Product",
  merchant: "Merchant",
  supplier: "Supplier",
};

/** What stands over the lines: the sums of all of them, the chart, and which days are read as now. */
function Summed(shown: Shown) {
  const { days, report } = shown;
  const { lines, total, open } = report;
  const others = open.filter((day) => day !== days.to);
  const besides = besidesOf(total);
  return (
    <>
      <Figures
        figures={[
          {
            label: "Sales",
            value: <Money amount={total.sales} />,
            note: `${grouped(Number(total.sold))} sold, ${moneyText(total.fees)} of it fees`,
          },
          { label: "Cost", value: <Money amount={total.cost} />, note: costText(total.withoutCost) },
          { label: "Margin", value: <Money amount={marginOf(total)} />, note: shareText(total) },
          {
            label: "Refunded",
            value: grouped(Number(total.failed + total.reversed)),
            note: `${grouped(Number(total.failed))} failed, ${grouped(Number(total.reversed))} after delivery`,
          },
        ]}
      />
      {besides.every(({ amount }) => amount === 0n) ? null : (
        <Sheet title="Besides sales and cost" note="Within the margin, on the days it moved">
          <Facts facts={Object.fromEntries(besides.map(({ name, amount }) => [name, <Money amount={amount} />]))} />
        </Sheet>
      )}
      {lines.length === 0 ? null : <Drawn {...shown} />}
      {others.length === 0 ? null : <p class="hint">{openText(others.length, open.length >= openMax)}</p>}
    </>
  );
}

function openText(count: number, isMost: boolean): string {
  if (isMost) return `Only the last ${openMax} days that aren’t closed are read. Close older ones with close-day.`;
  return `${count} ${count === 1 ? "day isn’t" : "days aren’t"} closed yet, and ${count === 1 ? "is" : "are"} read as now.`;
}

/** What the margin has besides sales and cost, by the names that people read. */
export function besidesOf({ goodwill, refundedLater, takenBack, costChanges }: SalesSums) {
  return [
    { name: "Goodwill given", amount: goodwill },
    { name: "Refunded later", amount: refundedLater },
    { name: "Refunds taken back", amount: takenBack },
    { name: "Cost corrected", amount: costChanges },
  ] as const;
}

function costText(without: bigint): string {
  return without === 0n ? "what suppliers took" : `${grouped(Number(without))} sold without a known cost`;
}

function shareText(total: SalesSums): string {
  if (total.sales === 0n) return "sales less cost and what was given back";
  return `${(Number((marginOf(total) * 10_000n) / total.sales) / 100).toFixed(2)}% of sales`;
}

function Day({ date }: { readonly date: string }) {
  return <>{dayText(useSurroundings().format, date)}</>;
}

/** Sales and margin over the days; of one day or by hour, over its hours. */
function Drawn({ type, report }: Shown) {
  const { format } = useSurroundings();
  const byHour = type === "hour";
  const days = report.byDay.toSorted((one, other) => (one.day < other.day ? -1 : 1));
  const places = byHour ? report.lines : days;
  if (places.length < 2) return null;
  const labels = byHour ? report.lines.map(({ name }) => `${name}:00`) : days.map(({ day }) => dayText(format, day));
  const title = `Naira ${byHour ? "an hour" : "a day"}`;
  return (
    <Sheet title={title}>
      <Chart
        title={title}
        labels={labels}
        series={[
          { name: "sales", look: "area", values: places.map(({ sales }) => Number(sales) / 100) },
          { name: "margin", look: "before", values: places.map((place) => Number(marginOf(place)) / 100) },
        ]}
        format={(naira) => moneyText(BigInt(Math.round(naira * 100)))}
      />
    </Sheet>
  );
}

/** As other pages and files call it. */
function idOf(type: ReportType, { name }: ReportLine): string {
  return type === "merchant" ? formatMerchantId(Number(name) as MerchantId) : name;
}

/** Its own page, or the same days by another thing. */
function hrefOf(type: ReportType, line: ReportLine, query: ReportQuery): string | null {
  if (type === "merchant") return `/operator/merchants/${idOf(type, line)}`;
  if (type === "supplier") return line.name === "" ? null : "/operator/suppliers";
  return type === "day" ? query.href({ by: "hour", days: "", from: line.name, to: line.name }) : null;
}
