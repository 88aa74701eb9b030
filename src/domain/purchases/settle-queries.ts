import type { Instant } from "../../kernel/clock.ts";
import type { PurchaseId, Reference, WalletKey } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { commitSecondsMax } from "../../platform/database/commit-state.ts";
import type { Queryable, Statement } from "../../platform/database/database.ts";
import { arrayOf, arrayOfRows, rowOf } from "../../platform/database/database.ts";
import { firstEndpointNumber } from "../webhooks/endpoints/endpoint.ts";
import type { OutboxEvent } from "../webhooks/events/outbox-event.ts";
import { jsonText } from "./new-purchase.ts";

/** A purchase to bring to its final status, under the lease that its holder has. */
export interface Settlement {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  readonly reference: Reference;
  /** 0 is the request that made the purchase; a worker's claim counts up; null holds no lease. */
  readonly epoch: number | null;
  readonly status: "successful" | "failed";
  readonly errorCode: string | null;
  readonly providerReference: string | null;
  /** As it is stored: a live one is sealed. */
  readonly fulfilment: JsonObject | null;
  readonly supplierReference: string;
  readonly evidence: string | null;
  /** The attempt that the verdict is about. */
  readonly attempt: number;
  /** The order that it is a line of. */
  readonly bulkReference: Reference | null;
  readonly completedAt: Instant;
  /** The events to send to its merchant: one for each endpoint that wants it, in the order of their numbers. */
  readonly events: readonly OutboxEvent[];
}

export interface SettleRow {
  /** Which item was settled, from 1. Items that somebody else settled have no row. */
  readonly ordinal: bigint;
}

const settlePurchases: Statement = {
  name: "settle_purchases",
  text: `select ordinal
           from settle_purchases($1::settlement[], $2, $3, $4::further_delivery[], $5)`,
  isPipelined: true,
  secondsMax: commitSecondsMax,
};

/** JSON writes no control character as it is, and evidence of other kinds loses this one. */
const between = "\u0001";

/**
 * Settles purchases in one commit, with the events to send. Locks their inflight rows, then the wallets of failed
 * ones, then the bulk orders of lines. Safe to repeat.
 */
export async function updateSettled(db: Queryable, items: readonly Settlement[]): Promise<SettleRow[]> {
  const rows = arrayOfRows(items.map(settlementRow));
  const bodies = items.map(({ events }) => toFirst(events)?.body ?? "").join(between);
  const evidence = items.map((item) => item.evidence?.replaceAll(between, " ") ?? "").join(between);
  return db.query<SettleRow>(settlePurchases, [rows, bodies, evidence, ...furtherEvents(items)]);
}

/** The event for the first endpoint travels with its item; null where there is none. */
function toFirst(events: readonly OutboxEvent[]): OutboxEvent | null {
  const first = events[0];
  return first?.endpointNumber === firstEndpointNumber ? first : null;
}

/** The events for other endpoints. Most merchants have none, and no array is made for them. */
function toFurther(events: readonly OutboxEvent[]): readonly OutboxEvent[] {
  return toFirst(events) === null ? events : events.slice(1);
}

/** Rows of the type `further_delivery` and their bodies; nulls where there are none. */
function furtherEvents(items: readonly Settlement[]): readonly [string, string] | readonly [null, null] {
  const rows: string[] = [];
  const bodies: string[] = [];
  for (const [index, { events }] of items.entries()) {
    if (events.length === 0 || (events.length === 1 && toFirst(events) !== null)) continue;
    for (const event of toFurther(events)) {
      rows.push(rowOf([index + 1, event.endpointNumber, event.deliveryId]));
      bodies.push(event.body);
    }
  }
  return rows.length === 0 ? [null, null] : [arrayOfRows(rows), bodies.join(between)];
}

/** A row of the type `settlement`, in the order of its columns. Evidence and the event's body go beside the rows. */
function settlementRow(item: Settlement): string {
  return rowOf([
    item.wallet.bucket,
    item.wallet.merchantId,
    item.wallet.mode,
    item.id,
    item.epoch,
    item.attempt,
    item.status,
    item.errorCode,
    item.providerReference,
    jsonText(item.fulfilment),
    item.supplierReference,
    new Date(item.completedAt).toISOString(),
    item.reference,
    item.bulkReference,
    toFirst(item.events)?.deliveryId ?? null,
    furtherIds(item.events),
  ]);
}

function furtherIds(events: readonly OutboxEvent[]): string | null {
  const further = events.length === 0 ? events : toFurther(events);
  return further.length === 0 ? null : arrayOf(further.map((event) => event.deliveryId));
}
