import { categories } from "../../../categories/registry.ts";
import { type Kobo, subtract } from "../../../kernel/money.ts";
import { addUp, type ReportServices, readSalesOfDays, type SalesOfDays, sumOpenDays } from "./close-day.ts";
import { listSoldNames, type SaleDimension, type SalesSums, sumClosedSales } from "./queries.ts";

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
  /** Days that are not closed, and so read as they are now. */
  readonly open: readonly string[];
}

type Days = { readonly from: string; readonly to: string };

/** What was sold from one day to another: of closed days by their totals, of the others by their purchases. */
export async function readReport(services: ReportServices, days: Days, type: ReportType): Promise<Report> {
  const { rows, open } = await (type === "day" ? byDay(services, days) : byThing(services, days, type));
  const labels = await labelsOf(services, type, [...rows.keys()]);
  const lines = [...rows].map(([name, sums]) => ({ ...sums, name, label: labels(name) }));
  return { lines: lines.sort(type === "day" || type === "hour" ? byName : bySales), total: addUp(lines), open };
}

/** The sales of each day, for a chart over them. */
export function readDays(services: ReportServices, days: Days): Promise<SalesOfDays> {
  return readSalesOfDays(services, days, "all");
}

interface Rows {
  readonly rows: ReadonlyMap<string, SalesSums>;
  readonly open: readonly string[];
}

async function byDay(services: ReportServices, days: Days): Promise<Rows> {
  const { rows, open } = await readDays(services, days);
  return { rows: new Map(rows.map((row) => [row.day, row])), open };
}

async function byThing(services: ReportServices, days: Days, dimension: SaleDimension): Promise<Rows> {
  const [closed, open] = await Promise.all([
    sumClosedSales(services.database, dimension, days),
    sumOpenDays(services, days, dimension),
  ]);
  const rows = new Map<string, SalesSums>();
  for (const row of [...closed, ...open.rows]) {
    const before = rows.get(row.name);
    rows.set(row.name, before === undefined ? row : addUp([before, row]));
  }
  return { rows, open: open.days };
}

async function labelsOf(
  { database }: ReportServices,
  type: ReportType,
  names: readonly string[],
): Promise<(name: string) => string> {
  if (type === "product" || type === "merchant") {
    const known = await listSoldNames(database, type, names);
    return (name) => known.get(name) ?? name;
  }
  if (type === "hour") return (name) => `${name}:00–${name}:59`;
  if (type === "category") return (name) => categories.find(({ slug }) => slug === name)?.title ?? name;
  return (name) => (name === "" ? "No supplier yet" : name);
}

/** What is left of the sales after what suppliers took. Sales without a recorded cost count as if they cost nothing. */
export function marginOf({ sales, cost }: Pick<SalesSums, "sales" | "cost">): Kobo {
  return subtract(sales, cost);
}

function byName(one: ReportLine, other: ReportLine): number {
  return one.name < other.name ? -1 : 1;
}

function bySales(one: ReportLine, other: ReportLine): number {
  if (one.sales !== other.sales) return one.sales > other.sales ? -1 : 1;
  return byName(one, other);
}
