import { assert } from "../../kernel/assert.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Endpoints } from "../webhooks/endpoints/queries.ts";
import type { Stamps } from "../webhooks/events/outbox-event.ts";
import { enqueueEvent } from "../webhooks/log/outbox.ts";
import { bulkSummary } from "./bulk-object.ts";
import { type BulkOrderKey, countBulkLines, findBulkOrder, updateOrderAnnounced } from "./queries.ts";

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
    await enqueueEvent(tx, found, { wallet, event: "bulk.completed", subject: { id, reference }, how, data }, stamps);
  });
}
