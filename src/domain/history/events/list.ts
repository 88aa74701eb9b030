import { type Clock, dayMs, type Instant, type WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds, WalletKey } from "../../../kernel/ids.ts";
import { type JsonText, writeJson } from "../../../kernel/json.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { type Database, forReaders } from "../../../platform/database/database.ts";
import { bulkSummary } from "../../bulk-orders/bulk-object.ts";
import { countBulkLines, findBulkOrderById } from "../../bulk-orders/queries.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import { purchaseSummaryJson } from "../../purchases/transaction-object.ts";
import { eventIdOf, parseEventId, type SubjectEvent } from "../../webhooks/events/event.ts";
import { listPurchasesByIds } from "../lists/list-queries.ts";
import {
  findListedEvent,
  findPositionBeforeNewest,
  insertEventList,
  insertNewEnds,
  type ListedEvent,
  listListedEvents,
} from "./queries.ts";

interface EventServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
}

export interface EventsRange {
  /** An event's id: only what stands behind it; `newest`: the newest alone. Null for all. */
  readonly after: string | null;
  readonly event: SubjectEvent | null;
  readonly limit: number;
  /** How far one request reads on in the ledger; tests make it small. */
  readonly entriesMax?: number;
}

/** How far back the list begins. */
const listedMs = 30 * dayMs;
/** A day more, so that who reads its way up from the beginning is not overtaken by it. */
const keptMs = 31 * dayMs;
/** So much longer may a purchase have taken that ended before its merchant's events were asked for the first time. */
const slowestMs = 7 * dayMs;
/** Entries of the ledger that one request reads: some 50 ms, and at least twenty pages. */
const entriesMaxUsual = 2_000;
/** Each has up to ten thousand lines to count. */
const ordersMax = 10;

/**
 * Lists the events of a wallet's purchases and bulk orders of the last 30 days, in an order that never changes: a
 * client that reads on after the last event it saw misses none and gets none twice. A page may be short, or empty,
 * while there is more: one request reads only so far. Safe to repeat.
 * @returns each event as JSON text
 * @throws Refusal VALIDATION_ERROR on `after` when it names no event of the list, or one that is too old
 */
export async function listEvents(
  services: EventServices,
  wallet: WalletKey,
  requested: EventsRange,
): Promise<{ readonly events: readonly JsonText[]; readonly hasMore: boolean }> {
  const database = forReaders(services.database);
  const now = services.clock.now();
  const known = await readPage(database, wallet, requested, now);
  if (known !== null && known.length > requested.limit) return present(services, wallet, known, requested.limit);

  const isWhole = await lengthen(database, wallet, now - keptMs, requested.entriesMax ?? entriesMaxUsual);
  const page = await readPage(database, wallet, requested, now);
  if (page === null && isWhole) throw notListed();
  const { events, hasMore } = await present(services, wallet, page ?? [], requested.limit);
  return { events, hasMore: hasMore || !isWhole };
}

function notListed() {
  return refuseField("VALIDATION_ERROR", "after", "Names no event that is listed here. Leave it out to begin anew.");
}

/** One event more than asked for, where there are so many; null while `after` is not in the list. */
async function readPage(
  database: Database,
  wallet: WalletKey,
  { after: text, event, limit }: EventsRange,
  now: Instant,
): Promise<readonly ListedEvent[] | null> {
  const since = now - (text === null ? listedMs : keptMs);
  const after = text === null ? 0n : await positionOf(database, wallet, text, since);
  return after === null ? null : listListedEvents(database, wallet, { after, since, event }, limit + 1);
}

/** @throws Refusal VALIDATION_ERROR when it is no id of such an event, or one behind which something left the list */
async function positionOf(database: Database, wallet: WalletKey, text: string, since: Instant): Promise<bigint | null> {
  if (text === "newest") return findPositionBeforeNewest(database, wallet);
  const name = parseEventId(text);
  if (name === null) throw notListed();
  const found = await findListedEvent(database, wallet, name, since);
  if (found?.isTooOld === true) {
    const message = "Is too old: something behind it is not listed any more. Leave it out to begin anew.";
    throw refuseField("VALIDATION_ERROR", "after", message);
  }
  return found?.position ?? null;
}

/** @returns whether everything that ended so far is listed */
async function lengthen(database: Database, wallet: WalletKey, since: Instant, limit: number): Promise<boolean> {
  const ends = { since, limit };
  const outcome = await insertNewEnds(database, wallet, ends);
  if (outcome !== "unknown") return outcome === "whole";
  await insertEventList(database, wallet, since - slowestMs);
  return (await insertNewEnds(database, wallet, ends)) === "whole";
}

async function present(
  services: EventServices,
  wallet: WalletKey,
  page: readonly ListedEvent[],
  limit: number,
): Promise<{ readonly events: readonly JsonText[]; readonly hasMore: boolean }> {
  const shown = upToOrders(page.slice(0, limit));
  const products = await services.catalogue.current();
  const database = forReaders(services.database);
  const ids = shown.filter(({ event }) => event !== "bulk.completed").map(({ subjectId }) => subjectId);
  const purchases = new Map<bigint, Purchase>();
  for (const found of await listPurchasesByIds(database, wallet, ids)) purchases.set(found.id, found);
  const events: JsonText[] = [];
  for (const listed of shown) {
    const purchase = purchases.get(listed.subjectId);
    const data =
      purchase === undefined
        ? await orderData(services, wallet, listed.subjectId)
        : purchaseSummaryJson(purchase, soldProductOf(products, purchase), services);
    if (data !== null) events.push(eventText(listed, { wallet, data, wallTime: services.wallTime }));
  }
  return { events, hasMore: page.length > shown.length };
}

function upToOrders(page: readonly ListedEvent[]): readonly ListedEvent[] {
  const orders = page.filter(({ event }) => event === "bulk.completed");
  const next = orders[ordersMax];
  return next === undefined ? page : page.slice(0, page.indexOf(next));
}

/** Null when it was purged a moment ago. */
async function orderData(services: EventServices, wallet: WalletKey, id: bigint): Promise<JsonText | null> {
  const database = forReaders(services.database);
  const order = await findBulkOrderById(database, wallet, id);
  if (order === null) return null;
  return writeJson(bulkSummary(order, await countBulkLines(database, order), services));
}

/** The payload is the webhook's body, but for the id of a delivery. */
function eventText(
  { event, subjectId, happenedAt }: ListedEvent,
  reported: { readonly wallet: WalletKey; readonly data: JsonText; readonly wallTime: WallTime },
): JsonText {
  const id = eventIdOf(subjectId, event);
  const at = reported.wallTime.format(happenedAt);
  // None of these holds anything that JSON would escape.
  const payload = `{"event":"${event}","mode":"${reported.wallet.mode}","event_id":"${id}","sent_at":"${at}","data":${reported.data}}`;
  return `{"id":"${id}","event":"${event}","created_at":"${at}","payload":${payload}}` as JsonText;
}
