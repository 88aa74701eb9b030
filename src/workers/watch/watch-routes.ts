import { grouped } from "../../domain/catalogue/snapshot.ts";
import { type Breakers, storeOpenBreakers } from "../../domain/suppliers/routing/breaker.ts";
import type { RouteFigures } from "../../domain/suppliers/routing/count-queries.ts";
import { type LimitsRow, listSupplierLimits } from "../../domain/suppliers/routing/limit-queries.ts";
import { isBelowFloor, isPastCap, type LimitName } from "../../domain/suppliers/routing/limits.ts";
import type { RouteCounts } from "../../domain/suppliers/routing/route-counts.ts";
import { purgeHours, ratesOf, readFigures } from "../../domain/suppliers/routing/route-figures.ts";
import type { Clock } from "../../kernel/clock.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import { readDatabaseClock } from "../../platform/clock-skew.ts";
import type { Database } from "../../platform/database/database.ts";
import { gauges, type Metric, type Metrics } from "../../platform/telemetry/metrics.ts";
import { claimSteadyTurn } from "../../platform/work-loop.ts";
import type { Job, Reporting } from "../watch.ts";

const purgeSeconds = 3_600;
/** A cap that leaves no room for it is reached. */
const aKobo = kobo(1n);

const metrics: readonly Metric[] = [
  ...gauges(["supplier", "category"], {
    dispense_supplier_recent_attempts:
      "Attempts that a supplier was sent and answered in this clock hour and the one before, of all processes.",
    dispense_supplier_success_ratio: "Of them, the share that it vended at its first answer, from 0 to 1.",
    dispense_supplier_average_answer_seconds: "How long it took for these answers on average.",
  }),
  ...gauges(["supplier"], {
    dispense_supplier_day_purchases:
      "Attempts that a supplier was sent today and did not decline at once, of all processes.",
    dispense_supplier_day_cost: "What they cost, in naira: this is what its cap is compared with.",
  }),
  ...gauges(["supplier", "limit"], {
    dispense_supplier_limit_reached:
      "1 while a supplier gets no new purchase as its cap is reached, or its balance below its floor; else 0.",
  }),
];

/**
 * Stores what this process has counted of its routes, reads what all processes have, and says which breakers it has open.
 * By what is sent in a second, a supplier's cap may be passed.
 */
export const routeCountsWatch: Job<{
  readonly database: Database;
  readonly routeCounts: Pick<RouteCounts, "flush">;
  readonly breakers: Pick<Breakers, "reasons">;
}> = {
  name: "route_counts",
  everyMs: 1_000,
  open:
    ({ database, routeCounts, breakers }) =>
    async () => {
      await routeCounts.flush();
      await storeOpenBreakers(database, breakers);
    },
};

interface RouteServices extends Reporting {
  readonly database: Database;
  readonly clock: Clock;
  readonly routeCounts: Pick<RouteCounts, "standingOf">;
}

/**
 * How suppliers do, and whether their limits keep purchases away: the log says so once when it begins and once when it is
 * over, in every process. Once an hour one process deletes what is older than 30 days.
 */
export const routesWatch: Job<RouteServices> = {
  name: "routes",
  everyMs: 15_000,
  metrics,
  open(services) {
    const { database, routeCounts, metrics, log } = services;
    const reportRates = openRateReport(metrics);
    const reportLimit = openLimitReport(services);
    return async () => {
      reportRates(await readFigures(services, 1));
      for (const limits of await database.query<LimitsRow>(listSupplierLimits)) {
        const { supplier } = limits;
        const standing = routeCounts.standingOf(supplier);
        metrics.set("dispense_supplier_day_purchases", standing.purchases, { supplier });
        metrics.set("dispense_supplier_day_cost", Number(formatNaira(standing.cost)), { supplier });
        reportLimit(supplier, "cap", isPastCap(limits, standing, aKobo));
        reportLimit(supplier, "floor", isBelowFloor(limits, standing));
      }
      if (!(await claimSteadyTurn(database, "supplier_hours.purge", purgeSeconds))) return;
      const now = await readDatabaseClock(database);
      const purged = await purgeHours({ database, clock: { now: () => now } });
      if (purged > 0) log.info({ event: "supplier.hours_purged", rows: purged });
    };
  },
};

/** Says when a limit begins to keep purchases away, and when that is over. */
function openLimitReport({ metrics, log }: Reporting) {
  const reached = new Set<string>();
  return (supplier: string, limit: LimitName, isReached: boolean) => {
    metrics.set("dispense_supplier_limit_reached", isReached ? 1 : 0, { supplier, limit });
    const name = `${supplier} ${limit}`;
    if (isReached === reached.has(name)) return;
    if (isReached) {
      reached.add(name);
      log.warn({ event: "supplier.limit_reached", supplier, limit });
    } else {
      reached.delete(name);
      log.info({ event: "supplier.limit_over", supplier, limit });
    }
  };
}

/** A supplier and category that had no attempts lately is told as such: its last figures do not stay. */
function openRateReport(metrics: Metrics): (figures: readonly RouteFigures[]) => void {
  const reported = new Map<string, Pick<RouteFigures, "supplier" | "category">>();
  return (figures) => {
    const groups = grouped(figures, ({ supplier, category }) => `${supplier} ${category}`);
    for (const [name, [first]] of groups) if (first !== undefined) reported.set(name, first);
    for (const [name, { supplier, category }] of reported) {
      const { attempts, vendedShare, averageSeconds } = ratesOf(groups.get(name));
      metrics.set("dispense_supplier_recent_attempts", attempts, { supplier, category });
      metrics.set("dispense_supplier_success_ratio", vendedShare, { supplier, category });
      metrics.set("dispense_supplier_average_answer_seconds", averageSeconds, { supplier, category });
    }
  };
}
