import type { EmptyShelves } from "../domain/vouchers/empty-shelves.ts";
import { listLevels } from "../domain/vouchers/queries.ts";
import { usualThreshold } from "../domain/vouchers/stock.ts";
import type { Clock, WallTime } from "../kernel/clock.ts";
import type { Database } from "../platform/database.ts";
import type { Logger } from "../platform/log.ts";
import type { Metric, Metrics } from "../platform/metrics.ts";
import { takeTurn } from "../platform/turns.ts";
import { startWatch, type WorkLoop } from "../platform/work-loop.ts";

const pollMs = 15_000;
/** New PINs are not bought within a minute: one line in ten is enough to act upon. */
const repeatSeconds = 600;

export const stockMetrics: readonly Metric[] = [
  {
    name: "dispense_vouchers_left",
    kind: "gauge",
    help: "Unsold vouchers of a product that is sold from stock, counted up to one more than its threshold.",
  },
  {
    name: "dispense_vouchers_low_at",
    kind: "gauge",
    help: "At or below so many unsold vouchers, a product's stock is low.",
  },
];

/**
 * Looks every 15 s how much is left of what is sold from our own stock, until stopped, whoever sells it. Every process
 * has the figures, and offers nothing of which nothing is left; one of them says so in the log, every ten minutes while it lasts.
 */
export function startWatchingStock(options: {
  readonly services: {
    readonly database: Database;
    readonly clock: Clock;
    readonly wallTime: WallTime;
    readonly emptyShelves: Pick<EmptyShelves, "replace">;
  };
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  const { services, metrics, log } = options;
  const { database, clock, wallTime, emptyShelves } = services;
  return startWatch({
    async look() {
      const levels = await listLevels(database, wallTime.dayOf(clock.now()).date, usualThreshold);
      emptyShelves.replace(levels.filter(({ left }) => left === 0).map(({ productId }) => productId));
      for (const { productId, left, lowAt } of levels) {
        metrics.set("dispense_vouchers_left", left, { product: String(productId) });
        metrics.set("dispense_vouchers_low_at", lowAt, { product: String(productId) });
      }
      for (const { productId, left, lowAt } of levels.filter((level) => level.left <= level.lowAt)) {
        const isOurTurn = await takeTurn(database, `vouchers.low ${productId}`, repeatSeconds);
        if (isOurTurn) log.warn({ event: "vouchers.low", productId, left, lowAt });
      }
    },
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "vouchers.watch_failed", error: String(error) }),
  });
}
