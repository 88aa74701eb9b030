import { formatNaira, subtract } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import { type Dimension, dimensions, type ReportRow, sumSales } from "./queries.ts";

/** A line of the report: figures and amounts in naira, as texts. */
export type ReportLine = Readonly<Record<string, string | null>>;

/** Live sales of purchases made in a time, what they cost and what is left. */
export async function readSalesReport(
  database: Queryable,
  range: Parameters<typeof sumSales>[1],
  per: ReadonlySet<Dimension>,
): Promise<ReportLine[]> {
  return (await sumSales(database, range, per)).map((row) => reportLine(row, per));
}

const figures = ["sold", "failed", "pending", "reversed", "sales", "cost", "margin", "without_cost"];

/** The fields of a line, in their order. */
export function reportColumns(per: ReadonlySet<Dimension>): string[] {
  return [...dimensions.filter((dimension) => per.has(dimension)), ...figures];
}

function reportLine(row: ReportRow, per: ReadonlySet<Dimension>): ReportLine {
  return {
    ...(per.has("supplier") ? { supplier: row.supplier } : {}),
    ...(per.has("category") ? { category: row.category } : {}),
    ...(per.has("merchant") ? { merchant: row.merchantId === null ? null : formatMerchantId(row.merchantId) } : {}),
    sold: String(row.sold),
    failed: String(row.failed),
    pending: String(row.pending),
    reversed: String(row.reversed),
    sales: formatNaira(row.sales),
    cost: formatNaira(row.cost),
    margin: formatNaira(subtract(row.sales, row.cost)),
    without_cost: String(row.withoutCost),
  };
}
