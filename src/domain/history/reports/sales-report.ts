import type { Instant, WallTime } from "../../../kernel/clock.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { add, formatNaira, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import { marginOf } from "../closed-days/report.ts";
import { listSums, type NamedSums } from "../closed-days/sums-queries.ts";
import { type Float, sumFloat } from "./queries.ts";

/** A line of the report: figures and amounts in naira, as texts. */
export type ReportLine = Readonly<Record<string, string | null>>;

export const dimensions = ["supplier", "category", "merchant"] as const;
export type Dimension = (typeof dimensions)[number];

/**
 * Live sales of purchases made from one moment to before another, what they cost and what is left. A time is summed as a
 * whole: what was sold and refunded within it is not sold, on whichever days.
 */
export async function readSalesReport(
  database: Queryable,
  { from, before }: { readonly from: Instant; readonly before: Instant },
  per: ReadonlySet<Dimension>,
): Promise<ReportLine[]> {
  const rows = await listSums(database, { start: from, end: before }, { per: [...per], timeZone: "UTC" });
  return rows.map((row) => reportLine(row, per));
}

const counts = ["sold", "failed", "pending", "reversed"];
const later = ["goodwill", "refunded_later", "refunds_taken_back", "cost_changes"];
const figures = [...counts, "sales", "cost", "margin", "without_cost", ...later];

/** The fields of a line, in their order. */
export function reportColumns(per: ReadonlySet<Dimension>): string[] {
  return [...dimensions.filter((dimension) => per.has(dimension)), ...figures];
}

function reportLine(row: NamedSums, per: ReadonlySet<Dimension>): ReportLine {
  return {
    ...(per.has("supplier") ? { supplier: row.supplier } : {}),
    ...(per.has("category") ? { category: row.category } : {}),
    ...(per.has("merchant") ? { merchant: row.merchant === null ? null : formatMerchantId(row.merchant) } : {}),
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

function reportOf({ at, wallets, inFlight, suppliers, moneyIn }: Float, sums: Sums, wallTime: WallTime) {
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
    payment_providers: moneyIn.providers.map(({ provider, holding, last }) => ({
      ...{ provider, amount: formatNaira(holding) },
      last_settlement: last && { amount: formatNaira(last.amount), paid_on: wallTime.dayOf(last.at).date },
    })),
    unmatched: { count: String(moneyIn.suspense.payments), amount: formatNaira(moneyIn.suspense.amount) },
    owed_by_merchants: { count: String(moneyIn.debts.wallets), amount: formatNaira(moneyIn.debts.amount) },
  };
}
