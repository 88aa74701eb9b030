import type { WallTime } from "../../../kernel/clock.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { add, formatNaira, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import { marginOf } from "../closed-days/report.ts";
import { type Dimension, dimensions, type Float, type ReportRow, sumFloat, sumSales } from "./queries.ts";

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

const counts = ["sold", "failed", "pending", "reversed"];
const later = ["goodwill", "refunded_later", "refunds_taken_back", "cost_changes"];
const figures = [...counts, "sales", "cost", "margin", "without_cost", ...later];

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
    margin: formatNaira(marginOf(row)),
    without_cost: String(row.withoutCost),
    goodwill: formatNaira(row.goodwill),
    refunded_later: formatNaira(row.refundedLater),
    refunds_taken_back: formatNaira(row.takenBack),
    cost_changes: formatNaira(row.costChanges),
  };
}

/** Where merchants' money is, as it is printed: amounts in naira and times as texts. */
export type FloatReport = ReturnType<typeof reportOf>;

export async function readFloat(database: Queryable, mode: Mode, wallTime: WallTime): Promise<FloatReport> {
  const float = await sumFloat(database, mode);
  return reportOf(float, sumsOf(float), wallTime);
}

interface Sums {
  /** In wallets and in flight: what merchants are owed. */
  readonly merchants: Kobo;
  /** Our balances together, at the suppliers that have told them. */
  readonly suppliers: Kobo;
}

function sumsOf({ wallets, inFlight, suppliers }: Float): Sums {
  return {
    merchants: inFlight.reduce((sum, { amount }) => add(sum, amount), wallets.amount),
    suppliers: suppliers.reduce((sum, { balance }) => add(sum, balance ?? zeroKobo), zeroKobo),
  };
}

function reportOf({ at, wallets, inFlight, suppliers }: Float, sums: Sums, wallTime: WallTime) {
  return {
    at: wallTime.format(at),
    wallets: { count: String(wallets.count), amount: formatNaira(wallets.amount) },
    in_flight: inFlight.map(({ supplier, purchases, amount }) => ({
      supplier,
      purchases: String(purchases),
      amount: formatNaira(amount),
    })),
    merchants_total: formatNaira(sums.merchants),
    suppliers: suppliers.map(({ supplier, balance, reportedAt }) => ({
      supplier,
      balance: balance === null ? null : formatNaira(balance),
      told_at: reportedAt === null ? null : wallTime.format(reportedAt),
    })),
    suppliers_total: formatNaira(sums.suppliers),
  };
}
