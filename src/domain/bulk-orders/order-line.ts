import type { Clock } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import { Refusal } from "../../kernel/problems.ts";
import type { WideLog } from "../../platform/telemetry/wide-log.ts";
import { buyingLine } from "../purchases/buying/purchase-line.ts";
import { formatBulkId } from "./bulk-object.ts";
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
    const write = (facts: Readonly<Record<string, string | number | null>> & { readonly outcome: string }) => {
      const line = { event: "bulk_order", ...facts, lines: command.lines.length, tookMs: clock.now() - startedAt };
      wide.write(buyingLine(command, line));
    };
    try {
      const placed = await place(command);
      const { order, replayed, counts } = placed;
      if (wide.takes(false)) {
        const bulkId = formatBulkId(transactionIds, order);
        const ends = { successful: counts?.successful ?? null, failed: counts?.failed ?? null };
        write({ outcome: replayed ? "replayed" : "placed", bulkId, ...ends });
      }
      return placed;
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null;
      if (wide.takes(code === null)) write({ outcome: code === null ? "fault" : "refused", errorCode: code });
      throw error;
    }
  };
}
