import { countLeft, listLevels, type StockLevel } from "../../domain/suppliers/vouchers/level-queries.ts";
import { type EmptyShelves, levelsOn } from "../../domain/suppliers/vouchers/stock.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database/database.ts";
import { gauges } from "../../platform/telemetry/metrics.ts";
import { isOurTurn } from "../../platform/work-loop.ts";
import type { Job, Reporting } from "../watch.ts";

/** New PINs are not bought within a minute: one line in ten is enough to act upon. */
const repeatSeconds = 600;

const metrics = gauges(["product"], {
  dispense_vouchers_left:
    "Unsold vouchers of a product that is sold from stock; a large stock is counted less often than every 15 s.",
  dispense_vouchers_low_at: "At or below so many unsold vouchers, a product's stock is low.",
});

/** After counting large stocks, wait this many times as long: at most a hundredth of the time goes into counting. */
const pausePerCount = 100;

interface StockServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

/** What is sold out is offered no more, in every process. */
export const shelvesWatch: Job<StockServices & { readonly emptyShelves: Pick<EmptyShelves, "replace"> }> = {
  name: "shelves",
  everyMs: 15_000,
  open:
    ({ database, clock, wallTime, emptyShelves }) =>
    async () => {
      const levels = await listLevels(database, levelsOn(wallTime.dayOf(clock.now()).date));
      emptyShelves.replace(levels.filter(({ left }) => left === 0).map(({ productId }) => productId));
    },
};

/** The unsold vouchers of our own stock, whichever process sells them. The log says a low stock every ten minutes. */
export const stockWatch: Job<StockServices & Reporting> = {
  name: "vouchers",
  everyMs: 15_000,
  metrics,
  open({ database, clock, wallTime, metrics, log }) {
    const large = openLargeStock(database);
    return async () => {
      const today = wallTime.dayOf(clock.now()).date;
      const levels = await listLevels(database, levelsOn(today));
      for (const { productId, left, lowAt } of levels.filter((level) => level.left <= level.lowAt)) {
        const isMine = await isOurTurn(database, `vouchers.low ${productId}`, repeatSeconds);
        if (isMine) log.warn({ event: "vouchers.low", productId, left, lowAt });
      }
      await large.count(levels, today);
      for (const level of levels) {
        metrics.set("dispense_vouchers_left", large.countOf(level), { product: String(level.productId) });
        metrics.set("dispense_vouchers_low_at", level.lowAt, { product: String(level.productId) });
      }
    };
  },
};

/**
 * Counts what a look does not: how many are left of each product that has more than its threshold. After a count that took
 * long, the next one is a hundred times as long away: a million vouchers cost no more of the time than a thousand.
 */
function openLargeStock(database: Database) {
  let counts: ReadonlyMap<number, number> = new Map();
  let nextAt = 0;
  return {
    /** As it was counted last. */
    countOf: ({ productId, left, lowAt }: StockLevel) => (left > lowAt ? (counts.get(productId) ?? left) : left),
    async count(levels: readonly StockLevel[], day: string): Promise<void> {
      const begunAt = performance.now();
      if (begunAt < nextAt) return;
      const fresh = new Map<number, number>();
      try {
        for (const { productId } of levels.filter(({ left, lowAt }) => left > lowAt)) {
          fresh.set(productId, await countLeft(database, productId, day));
        }
        counts = fresh;
      } finally {
        nextAt = begunAt + (performance.now() - begunAt) * pausePerCount;
      }
    },
  };
}
