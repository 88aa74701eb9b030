import type { Clock } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import { Refusal } from "../../kernel/problems.ts";
import type { WideLog } from "../../platform/wide-log.ts";
import { formatApiKeyId, formatMerchantId } from "../merchants/merchant.ts";
import { formatBulkId } from "./bulk-object.ts";
import type { BulkCommand } from "./bulk-order.ts";
import type { PlaceBulkOrder } from "./place.ts";

/**
 * Writes one line for each bulk order: its purchases, up to ten thousand, have none of their own here. What is sent to a
 * supplier for one of them has.
 */
export function observedBulkOrders(
  place: PlaceBulkOrder,
  services: { readonly wide?: WideLog | undefined; readonly clock: Clock; readonly transactionIds: TransactionIds },
): PlaceBulkOrder {
  const { wide, clock, transactionIds } = services;
  if (wide === undefined) return place;
  return async (command) => {
    const startedAt = clock.now();
    const factsOf = () => ({ ...askedFor(command), tookMs: clock.now() - startedAt });
    try {
      const placed = await place(command);
      const { order, replayed, counts } = placed;
      if (wide.takes(false)) {
        const bulkId = formatBulkId(transactionIds, order);
        const ends = { successful: counts?.successful ?? null, failed: counts?.failed ?? null };
        wide.write({ event: "bulk_order", outcome: replayed ? "replayed" : "placed", bulkId, ...ends, ...factsOf() });
      }
      return placed;
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null;
      if (wide.takes(code === null)) {
        wide.write({
          event: "bulk_order",
          outcome: code === null ? "fault" : "refused",
          errorCode: code,
          ...factsOf(),
        });
      }
      throw error;
    }
  };
}

function askedFor({ principal, category, lines }: BulkCommand) {
  return {
    merchantId: formatMerchantId(principal.merchantId),
    keyId: formatApiKeyId(principal.keyId),
    mode: principal.mode,
    category: category.slug,
    lines: lines.length,
  };
}
