import type { Instant } from "../../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { SubjectEvent } from "../../webhooks/events/event.ts";

const beginList = statement("begin_event_list", "select begin_event_list($1, $2)");

/**
 * Begins a wallet's list: its ledger is read from `from` on. Ends after which nothing was left to be found in the ledger,
 * before `from`, are not listed. Safe to repeat.
 */
export async function insertEventList(db: Queryable, wallet: WalletKey, from: Instant): Promise<void> {
  await db.query(beginList, [walletIdOf(wallet), new Date(from)]);
}

type Lengthened = "whole" | "more" | "busy" | "unknown";

const lengthenList = statement("list_new_ends", "select list_new_ends($1, $2, $3) as outcome");

/**
 * Gives what ended since the last time its place in the wallet's list. Locks the list, unless somebody else has it.
 * Safe to repeat.
 * @returns whole (there is no more) · more (call again) · busy (somebody else is at it) · unknown (begin the list)
 */
export async function insertNewEnds(
  db: Queryable,
  wallet: WalletKey,
  { since, limit }: { readonly since: Instant; readonly limit: number },
): Promise<Lengthened> {
  const values = [walletIdOf(wallet), new Date(since), limit];
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
            (select n.happened_at < $3
               from listed_events n
              where n.wallet_id = $1 and n.position > l.position
              order by n.position
              limit 1),
            false
          ) as "isTooOld"
     from listed_events l
    where l.wallet_id = $1 and l.subject_id = $2`,
);

/** Where an event stands; too old where what follows it has left the list, or is about to. Null when it is not listed. */
export async function findListedEvent(
  db: Queryable,
  wallet: WalletKey,
  { subjectId, event }: Pick<ListedEvent, "subjectId" | "event">,
  since: Instant,
): Promise<{ readonly position: bigint; readonly isTooOld: boolean } | null> {
  const values = [walletIdOf(wallet), subjectId, new Date(since)];
  const [row] = await db.query<{ position: bigint; event: string; isTooOld: boolean }>(findPosition, values);
  return row?.event === event ? row : null;
}

const findBeforeNewest = statement(
  "find_position_before_newest",
  "select coalesce(max(position), 1) - 1 as position from listed_events where wallet_id = $1",
);

/** Behind it stands the newest event alone, where there is one. */
export async function findPositionBeforeNewest(db: Queryable, wallet: WalletKey): Promise<bigint> {
  const [row] = await db.query<{ position: bigint }>(findBeforeNewest, [walletIdOf(wallet)]);
  return row?.position ?? 0n;
}

// Purchases that were purged since are left out here and not later: a page of nothing else would lead nowhere.
const listEvents = statement(
  "list_events",
  `select l.position, l.event, l.subject_id as "subjectId", l.happened_at as "happenedAt"
     from listed_events l
    where l.wallet_id = $1
      and l.position > $2
      and l.happened_at >= $3
      and ($4::text is null or l.event = $4)
      and coalesce(
            (select p.id
               from purchases p
              where p.wallet_id = $1 and p.id = l.subject_id),
            (select b.id
               from bulk_orders b
              where b.wallet_id = $1 and b.id = l.subject_id)
          ) is not null
    order by l.position
    limit $5`,
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
  wallet: WalletKey,
  { after, since, event }: EventFilter,
  limit: number,
): Promise<ListedEvent[]> {
  return db.query<ListedEvent>(listEvents, [walletIdOf(wallet), after, new Date(since), event, limit]);
}
