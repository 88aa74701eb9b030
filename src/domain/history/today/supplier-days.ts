import { hourMs, type Instant } from "../../../kernel/clock.ts";
import type { ReportServices } from "../closed-days/close-day.ts";
import { listSupplierDays, type SupplierDay } from "./risk-queries.ts";

/** Sales of the last hours say how long money lasts. */
const spentHours = 3;

export interface SupplierPace extends SupplierDay {
  /** Below its alarm. */
  readonly isLow: boolean;
  /** For how many hours its balance lasts at the pace of the last three; null where that isn't known. */
  readonly hoursLeft: number | null;
}

/** What it takes to read how things are now. */
export type PresentServices = Pick<ReportServices, "database" | "clock">;

/** Every supplier: what it was sent in the last 24 hours, and how long its balance lasts. Sums of hours: bounded. */
export async function readSupplierDays({ database, clock }: PresentServices): Promise<readonly SupplierPace[]> {
  const now = clock.now();
  const since = startOfHours(now, spentHours);
  const rows = await listSupplierDays(database, { counted: dayBefore(now), spent: since });
  return rows.map((row) => ({ ...row, ...balanceOf(row, (now - since) / hourMs) }));
}

/** 24 hours ago. */
export function dayBefore(now: Instant): Instant {
  return now - 24 * hourMs;
}

/** The beginning of the last so many hours, the present one among them. */
export function startOfHours(now: Instant, hours: number): Instant {
  return Math.floor(now / hourMs) * hourMs - (hours - 1) * hourMs;
}

/** An account in another currency is not compared with costs in naira. */
function balanceOf({ state, balance, alarmBelow, spent, currency }: SupplierDay, hours: number) {
  const isLow = state === "enabled" && balance !== null && alarmBelow !== null && balance < alarmBelow;
  const isKnown = balance !== null && currency === "NGN" && spent > 0n;
  return { isLow, hoursLeft: isKnown ? (Number(balance) / Number(spent)) * hours : null };
}

/** The supplier's share of the sales that were not declined at once, from 0 to 1; null where there were none. */
export function shareOfSales(days: readonly SupplierDay[], supplier: string): number | null {
  const sales = ({ vended, unknown }: SupplierDay) => vended + unknown;
  const all = days.reduce((sum, day) => sum + sales(day), 0);
  const own = days.find((day) => day.supplier === supplier);
  return all === 0 || own === undefined ? null : sales(own) / all;
}
