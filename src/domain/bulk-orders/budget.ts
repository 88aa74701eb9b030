import type { MerchantId } from "../../kernel/ids.ts";
import { type Refusal, refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { takeBulkBudget } from "./budget-queries.ts";
import type { BulkLimits } from "./bulk-order.ts";

/**
 * A budget beside the rate limit, and like it no matter of what becomes of an order: one that is sent again, refused or
 * wrong has been read and checked as well.
 */
export interface BulkBudget {
  /**
   * Counts bytes before they are received, in this process alone, as they keep only this process busy.
   * @throws Refusal RATE_LIMITED
   */
  expect(merchantId: MerchantId, bytes: number): void;
  /** Counts an order that was received, over all processes. @throws Refusal RATE_LIMITED */
  take(order: BulkLimits & { readonly merchantId: MerchantId }): Promise<void>;
}

const minuteMs = 60_000;

export function openBulkBudget(options: {
  readonly database: Queryable;
  readonly limits: BulkLimits;
  readonly monotonicMs: () => number;
}): BulkBudget {
  const { database, limits, monotonicMs } = options;
  // The bytes that each merchant announced in the present minute of this process.
  const expected = new Map<MerchantId, number>();
  let minute = Number.NaN;
  return {
    expect(merchantId, bytes) {
      const now = monotonicMs();
      if (Math.floor(now / minuteMs) !== minute) {
        minute = Math.floor(now / minuteMs);
        expected.clear();
      }
      const total = (expected.get(merchantId) ?? 0) + bytes;
      if (total > limits.bytes) throw spent("bytes", limits, Math.ceil((minuteMs - (now % minuteMs)) / 1_000));
      expected.set(merchantId, total);
    },
    async take(order) {
      const row = await takeBulkBudget(database, order, limits).catch(refuseWhenAway);
      if (row.spent !== null) throw spent(row.spent, limits, row.retrySeconds);
    },
  };
}

function spent(limit: keyof BulkLimits, limits: BulkLimits, retryAfterSeconds: number): Refusal {
  const message = `Your bulk orders may bring ${limits[limit]} ${limit} a minute.`;
  return refuse("RATE_LIMITED", { message, meta: { limit, [`max_${limit}`]: limits[limit] }, retryAfterSeconds });
}
