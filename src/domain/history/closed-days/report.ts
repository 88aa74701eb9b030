import { categories } from "../../../categories/registry.ts";
import { add, type Kobo, subtract } from "../../../kernel/money.ts";
import { addUp, type ReportServices, readSalesOfDays, sumOpenDays } from "./close-day.ts";
import { type Days, listClosedSales, listSoldNames, sumClosedSales } from "./queries.ts";
import type { SaleDimension, SalesSums } from "./sums-queries.ts";

/** What a report is told apart by. */
export const reportTypes = ["day", "hour", "category", "product", "merchant", "supplier"] as const;
export type ReportType = (typeof reportTypes)[number];

/** Live sales of one day, hour, category, product, merchant or supplier. */
export interface ReportLine extends SalesSums {
  /** `2026-11-28`, `07`, `data`, the number of a product or merchant, a supplier's name; empty for no supplier. */
  readonly name: string;
  /** What people call it. */
  readonly label: string;
}

export interface Report {
  /** Days and hours in their order, everything else by sales. */
  readonly lines: readonly ReportLine[];
  readonly total: SalesSums;
  /** The sales of each day, for a chart over them. */
  readonly byDay: readonly (SalesSums & { readonly day: string })[];
  /** Days that are not closed, and so read as they are now. */
  readonly open: readonly string[];
}

/** What was sold from one day to another: of closed days by their totals, of the others by their purchases. */
export async function readReport(services: ReportServices, days: Days, type: ReportType): Promise<Report> {
  const { rows, open, byDay } = await (type === "day" ? readByDay(services, days) : readByThing(services, days, type));
  const labels = await labelsOf(services, type, [...rows.keys()]);
  const lines = [...rows].map(([name, sums]) => ({ ...sums, name, label: labels(name) }));
  return { lines: lines.sort(type === "day" || type === "hour" ? byName : bySales), total: addUp(lines), byDay, open };
}

async function readByDay(services: ReportServices, days: Days) {
  const { rows, open } = await readSalesOfDays(services, days, "all");
  return { rows: new Map<string, SalesSums>(rows.map((row) => [row.day, row])), byDay: rows, open };
}

/** An open day's purchases are read once: their sums by the thing are the day's too. */
async function readByThing(services: ReportServices, days: Days, dimension: SaleDimension) {
  const { database } = services;
  const [closed, closedDays, open] = await Promise.all([
    sumClosedSales(database, dimension, days),
    listClosedSales(database, "all", days),
    sumOpenDays(services, days, dimension),
  ]);
  const rows = new Map<string, SalesSums>();
  for (const row of [...closed, ...open.rows]) {
    const before = rows.get(row.name);
    rows.set(row.name, before === undefined ? row : addUp([before, row]));
  }
  const openSums = open.days.flatMap((day) => {
    const ofDay = open.rows.filter((row) => row.day === day);
    return ofDay.length === 0 ? [] : [{ ...addUp(ofDay), day }];
  });
  return { rows, byDay: [...closedDays, ...openSums], open: open.days };
}

/** What a supplier charged for none of our sales. */
const noSale = "No sale of ours";

async function labelsOf(
  { database }: ReportServices,
  type: ReportType,
  names: readonly string[],
): Promise<(name: string) => string> {
  if (type === "product" || type === "merchant") {
    const known = await listSoldNames(database, type, names);
    return (name) => known.get(name) ?? (name === "" ? noSale : name);
  }
  if (type === "hour") return (name) => `${name}:00–${name}:59`;
  if (type === "category") return (name) => categories.find(({ slug }) => slug === name)?.title ?? (name || noSale);
  return (name) => (name === "" ? "No supplier yet" : name);
}

/**
 * What is left of the sales after what suppliers took and what was given back, and with what was taken back. Sales without a
 * recorded cost count as if they cost nothing.
 */
export function marginOf({ sales, cost, goodwill, refundedLater, takenBack, costChanges }: SalesSums): Kobo {
  return subtract(add(sales, takenBack), [cost, goodwill, refundedLater, costChanges].reduce(add));
}

function byName(one: ReportLine, other: ReportLine): number {
  return one.name < other.name ? -1 : 1;
}

function bySales(one: ReportLine, other: ReportLine): number {
  if (one.sales !== other.sales) return one.sales > other.sales ? -1 : 1;
  return byName(one, other);
}
