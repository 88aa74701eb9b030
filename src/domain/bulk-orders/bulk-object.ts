import { assert } from "../../kernel/assert.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { Json } from "../../kernel/json.ts";
import { formatNaira, subtract } from "../../kernel/money.ts";
import type { PageMeta } from "../../kernel/page.ts";
import { Refusal } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database/database.ts";
import type { WideLog } from "../../platform/telemetry/log.ts";
import { buyingLine } from "../purchases/buying/observed-purchases.ts";
import { amountOf, type Purchase, totalDeductedOf } from "../purchases/purchase.ts";
import type { Endpoints } from "../webhooks/endpoints/queries.ts";
import type { Stamps } from "../webhooks/events/outbox-event.ts";
import { enqueueEvents } from "../webhooks/log/outbox.ts";
import { type BulkOrder, bulkStatusOf, type LineCounts } from "./bulk-order.ts";
import type { PlaceBulkOrder } from "./place.ts";
import { type BulkOrderKey, countBulkLines, findBulkOrder, updateOrderAnnounced } from "./queries.ts";

interface WriteServices {
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
}

type BulkObject = { readonly [field: string]: Json };

/** The order as its merchant reads it, without its lines: what `bulk.completed` tells, too. */
export function bulkSummary(
  order: BulkOrder,
  counts: LineCounts,
  { wallTime: zone, transactionIds }: WriteServices,
): Record<string, Json> {
  const deducted = subtract(order.total, counts.refunded);
  const completedAt = counts.pending === 0 ? counts.lastCompletedAt : null;
  const bulk: Record<string, Json> = {
    reference: order.reference,
    bulk_id: formatBulkId(transactionIds, order),
    category: order.category,
    status: bulkStatusOf(counts),
    total: order.lines,
    successful: counts.successful,
    pending: counts.pending,
    failed: counts.failed,
    amount: formatNaira(order.amount),
    total_deducted: formatNaira(deducted),
    total_refunded: formatNaira(counts.refunded),
    balance_before: formatNaira(order.balanceBefore),
    balance_after: formatNaira(subtract(order.balanceBefore, deducted)),
    created_at: zone.format(order.createdAt),
    completed_at: completedAt === null ? null : zone.format(completedAt),
  };
  if (order.wallet.mode === "test") bulk.sandbox = true;
  return bulk;
}

/** The order with one page of its lines. `messageOf` is what the line's own transaction says. */
export function bulkObject(
  parts: {
    readonly order: BulkOrder;
    readonly counts: LineCounts;
    readonly lines: readonly Purchase[];
    readonly meta: PageMeta;
    readonly messageOf: (line: Purchase) => string;
  },
  services: WriteServices,
): BulkObject {
  const { transactionIds } = services;
  const bulk = bulkSummary(parts.order, parts.counts, services);
  bulk.items = parts.lines.map((line) => lineObject(transactionIds, line, parts.messageOf(line)));
  bulk.meta = { ...parts.meta };
  return bulk;
}

function lineObject(transactionIds: TransactionIds, line: Purchase, message: string): Json {
  return {
    index: line.bulk?.line ?? null,
    phone: line.phone,
    product_id: line.productId,
    reference: line.reference,
    transaction_id: transactionIds.format(line.id, line.wallet.mode),
    status: line.status,
    amount: formatNaira(amountOf(line)),
    total_deducted: formatNaira(totalDeductedOf(line)),
    message,
    error_code: line.errorCode,
  };
}

/** The public name of an order: `BLK` and a ULID. */
export function formatBulkId(transactionIds: TransactionIds, { id, wallet }: Pick<BulkOrder, "id" | "wallet">): string {
  return `BLK${transactionIds.format(id, wallet.mode).slice(3)}`;
}

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

export interface CompletionServices {
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly stamps: Stamps;
  readonly transactionIds: TransactionIds;
}

/**
 * Owes the merchant of an order whose last line ended `bulk.completed`, where it wants it. Once: the order remembers.
 * Safe to repeat, and beside others that do the same.
 */
export async function announceCompletion(services: CompletionServices, key: BulkOrderKey): Promise<void> {
  const { database, endpoints, stamps, transactionIds } = services;
  const found = await endpoints.find(key.wallet);
  await database.transaction(async (tx) => {
    const reported = await updateOrderAnnounced(tx, key);
    if (reported === null) return;
    const order = await findBulkOrder(tx, key.wallet, key.reference);
    assert(order !== null, "an order that was marked is there");
    const counts = await countBulkLines(tx, order);
    const { wallet, id, reference } = order;
    const data = () => bulkSummary(order, counts, { ...stamps, transactionIds });
    const how = reported.overAtOnce ? "final_in_own_response" : "changed";
    const change = { wallet, event: "bulk.completed", subject: { id, reference }, how, data } as const;
    await enqueueEvents(tx, [{ endpoints: found, change }], stamps);
  });
}
