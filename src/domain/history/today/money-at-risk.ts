import { dayMs, hourMs, type Instant, minuteMs } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt } from "../../../kernel/ids.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { countPendingBefore } from "../../resolution/requery/pending-queries.ts";
import { listStoredBreakers } from "../../suppliers/routing/breaker.ts";
import type { OpenBreaker } from "../../suppliers/routing/count-queries.ts";
import { listLevels, type StockLevel } from "../../suppliers/vouchers/level-queries.ts";
import { usualThreshold } from "../../suppliers/vouchers/stock.ts";
import type { ReportServices } from "../closed-days/close-day.ts";
import { type ClosedDay, listClosedDays } from "../closed-days/queries.ts";
import { countOpenDifferences, type OpenDifferences } from "../reconciliation/difference-queries.ts";
import { listPendingGroups, type PendingGroup } from "../search/search-queries.ts";
import { type FailingMerchant, listFailingMerchants, type SupplierDay } from "./risk-queries.ts";
import { readSupplierDays, type SupplierPace } from "./supplier-days.ts";

/** As the log and the metrics have it: what is pending for so long is stuck. */
const stuckMs = hourMs;
/** An endpoint that has failed for less may be a restart. */
export const failingMs = 5 * 60_000;
const failingMax = 100;
/** Stock that lasts for so many days is enough. */
const stockDays = 3;
/** How many closed days back the last one may be. */
const booksDays = 40;

/** What was sold before and is pending is stuck: a whole minute, so that a list by it has what was counted. */
export function stuckBefore(now: Instant): Instant {
  return Math.floor((now - stuckMs) / minuteMs) * minuteMs;
}

/** Sales that wait, in number and money. */
export interface WaitingSales {
  readonly count: number;
  readonly total: Kobo;
  readonly oldestAt: Instant | null;
}

export interface SupplierToday extends SupplierPace {
  /** Categories that its breaker keeps away from it. */
  readonly stopped: readonly string[];
  /** What waits for its answer. */
  readonly pending: WaitingSales;
}

/** All that can cost the company money now. */
export interface MoneyAtRisk {
  /** But for what is in review. */
  readonly pending: WaitingSales;
  /** How many of all have been pending for over an hour. */
  readonly stuck: number;
  readonly review: WaitingSales;
  readonly suppliers: readonly SupplierToday[];
  readonly stock: readonly StockLevel[];
  readonly failing: readonly FailingMerchant[];
  /** Between suppliers' statements and our books, without an end. */
  readonly differences: OpenDifferences;
  /** The last closed day; null where none was closed. */
  readonly books: ClosedDay | null;
}

/** Reads what money is at risk. What is in flight, a row each, and sums of the last hours: it costs the same at any size. */
export async function readMoneyAtRisk(services: ReportServices): Promise<MoneyAtRisk> {
  const { database, clock, wallTime } = services;
  const now = clock.now();
  const today = wallTime.dayOf(now).date;
  const stockQuery = { day: today, usualThreshold, soldSince: now - dayMs, times: stockDays };
  const closed = { from: wallTime.dayOf(now - booksDays * dayMs).date, to: today };
  const [groups, counts, suppliers, breakers, stock, failing, books, differences] = await Promise.all([
    listPendingGroups(database, { mode: "live", supplier: null, merchantId: null }),
    countPendingBefore(database, firstPurchaseIdAt(stuckBefore(now))),
    readSupplierDays(services),
    listStoredBreakers(database),
    listLevels(database, stockQuery),
    listFailingMerchants(database, now - failingMs, failingMax),
    listClosedDays(database, closed),
    countOpenDifferences(database),
  ]);
  const inReview = (group: PendingGroup) => group.step === "review";
  return {
    differences,
    pending: sumOfGroups(groups.filter((group) => !inReview(group))),
    stuck: counts.filter(({ step }) => step !== "review").reduce((sum, { late }) => sum + late, 0),
    review: sumOfGroups(groups.filter(inReview)),
    suppliers: suppliers.map((supplier) => {
      const own = groups.filter((group) => group.supplier === supplier.supplier && !inReview(group));
      return { ...supplier, ...stateOf(supplier, breakers, own) };
    }),
    stock,
    failing,
    books: books[0] ?? null,
  };
}

/** What waits in some groups, together. */
export function sumOfGroups(groups: readonly PendingGroup[]): WaitingSales {
  return {
    count: groups.reduce((sum, { purchases }) => sum + purchases, 0),
    total: groups.reduce((sum, { total }) => add(sum, total), zeroKobo),
    oldestAt: groups.length === 0 ? null : Math.min(...groups.map(({ oldestAt }) => oldestAt)),
  };
}

function stateOf({ supplier }: SupplierDay, breakers: readonly OpenBreaker[], groups: readonly PendingGroup[]) {
  const stopped = breakers.filter((breaker) => breaker.supplier === supplier).map(({ category }) => category);
  return { stopped, pending: sumOfGroups(groups) };
}
