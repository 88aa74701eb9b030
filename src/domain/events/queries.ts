import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf } from "../purchases/queries.ts";
import type { SubjectEvent } from "../webhooks/events/event.ts";

const beginList = statement("begin_event_list", "select begin_event_list($1, $2, $3, $4)");

/** Begins a wallet's list with what its ledger holds from then on. Safe to repeat. */
export async function insertEventList(db: Queryable, wallet: WalletKey, from: Instant): Promise<void> {
  const { bucket, merchantId, mode } = wallet;
  await db.query(beginList, [bucket, merchantId, mode, timestamp(from)]);
}

type Lengthened = "whole" | "more" | "busy" | "unknown";

const lengthenList = statement("list_new_ends", "select list_new_ends($1, $2, $3, $4, $5) as outcome");

/**
 * Gives what ended since the last time its place in the wallet's list. Locks the list, unless somebody else has it.
 * Safe to repeat.
 * @returns whole (there is no more) · more (call again) · busy (somebody else is at it) · unknown (begin the list)
 */
export async function insertNewEnds(
  db: Queryable,
  { bucket, merchantId, mode }: WalletKey,
  { since, limit }: { readonly since: Instant; readonly limit: number },
): Promise<Lengthened> {
  const values = [bucket, merchantId, mode, timestamp(since), limit];
  const [row] = await db.query<{ outcome: Lengthened }>(lengthenList, values);
  return row?.outcome ?? "unknown";
}

/** A place in the list. */
export interface ListedEvent {
  readonly position: bigint;
  readonly event: SubjectEvent;
  readonly subjectId: bigint;
  readonly happenedAt: Instant;
}

// Not by the event as well: an index of all events of its kind would look as good to a plan made for an empty table.
const findPosition = statement(
  "find_listed_event",
  `select l.position,
          l.event,
          coalesce(
            (select n.happened_at < $5
               from listed_events n
              where n.bucket = $1 and n.merchant_id = $2 and n.mode = $3 and n.position > l.position
              order by n.position
              limit 1),
            false
          ) as "isTooOld"
     from listed_events l
    where l.bucket = $1 and l.merchant_id = $2 and l.mode = $3 and l.subject_id = $4`,
);

/** Where an event stands; too old where what follows it has left the list, or is about to. Null when it is not listed. */
export async function findListedEvent(
  db: Queryable,
  { bucket, merchantId, mode }: WalletKey,
  { subjectId, event }: Pick<ListedEvent, "subjectId" | "event">,
  since: Instant,
): Promise<{ readonly position: bigint; readonly isTooOld: boolean } | null> {
  const values = [bucket, merchantId, mode, subjectId, timestamp(since)];
  const [row] = await db.query<{ position: bigint; event: string; isTooOld: boolean }>(findPosition, values);
  return row?.event === event ? row : null;
}

// Purchases that were purged since are left out here and not later: a page of nothing else would lead nowhere.
const listEvents = statement(
  "list_events",
  `select l.position, l.event, l.subject_id as "subjectId", l.happened_at as "happenedAt"
     from listed_events l
    where l.bucket = $1
      and l.merchant_id = $2
      and l.mode = $3
      and l.position > $4
      and l.happened_at >= $5
      and ($6::text is null or l.event = $6)
      and coalesce(
            (select p.id
               from purchases p
              where p.bucket = $1 and p.merchant_id = $2 and p.mode = $3 and p.id = l.subject_id and p.id > 0),
            (select b.id
               from bulk_orders b
              where b.bucket = $1 and b.merchant_id = $2 and b.mode = $3 and b.id = l.subject_id and b.id > 0)
          ) is not null
    order by l.position
    limit $7`,
);

export interface EventFilter {
  /** Only what stands behind this position; 0 for all. */
  readonly after: bigint;
  readonly since: Instant;
  /** Null for all. */
  readonly event: SubjectEvent | null;
}

/** The first events of the list that fit, in its order. */
export function listListedEvents(
  db: Queryable,
  { bucket, merchantId, mode }: WalletKey,
  { after, since, event }: EventFilter,
  limit: number,
): Promise<ListedEvent[]> {
  return db.query<ListedEvent>(listEvents, [bucket, merchantId, mode, after, timestamp(since), event, limit]);
}

const findPurchases = statement(
  "find_purchases_of_events",
  `select ${purchaseColumns}
     from purchases p
    where p.bucket = $1 and p.merchant_id = $2 and p.mode = $3 and p.id = any ($4::bigint[]) and p.id > 0`,
);

/** The purchases with these ids that there are, in any order. */
export async function findPurchasesById(
  db: Queryable,
  { bucket, merchantId, mode }: WalletKey,
  ids: readonly bigint[],
): Promise<Purchase[]> {
  const rows = await db.query<PurchaseRow>(findPurchases, [bucket, merchantId, mode, ids]);
  return rows.map(purchaseOf);
}

function timestamp(instant: Instant): string {
  return new Date(instant).toISOString();
}
