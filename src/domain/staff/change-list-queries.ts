import type { Instant } from "../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";
import { type Change, changeColumns, peopleColumns } from "./change-queries.ts";

/** The changes that a person sees: those that it asked for, and all of these kinds; null: of every kind. */
export interface Seen {
  readonly requesterId: PersonId;
  readonly kinds: readonly string[] | null;
}

const list = statement(
  "list_changes",
  `select ${changeColumns}
     from changes c
     ${peopleColumns}
    where (c.requested_by is not null or c.requested_as is not null)
      and ($3::text[] is null or c.kind = any ($3) or c.requested_by = $4)
    order by (c.state in ('waiting', 'agreed') and c.ends_at > $1) desc, c.id desc
    limit $2`,
);

/** What is open first, then the others, the newest first: all, or what somebody sees of them. */
export function listChanges(db: Queryable, now: Instant, limit: number, seen: Seen | null = null): Promise<Change[]> {
  const kinds = seen?.kinds ?? null;
  const values = [new Date(now), limit, kinds === null ? null : arrayOf(kinds), seen?.requesterId ?? null];
  return db.query<Change>(list, values);
}

const listOpen = statement(
  "list_waiting_changes",
  `select ${changeColumns}
     from changes c
     ${peopleColumns}
    where c.state = 'waiting'
      and c.ends_at > $1
      and ($3::text is null or c.kind = $3)
    order by c.id
    limit $2`,
);

/** What waits, of all kinds or of one, the oldest first. */
export function listWaitingChanges(
  db: Queryable,
  now: Instant,
  limit: number,
  kind: string | null = null,
): Promise<Change[]> {
  return db.query<Change>(listOpen, [new Date(now), limit, kind]);
}

const listExpired = statement(
  "list_expired_changes",
  `select ${changeColumns}
     from changes c
     ${peopleColumns}
    where c.state = 'waiting'
      and c.ends_at <= $1
    order by c.ends_at
    limit $2
      for update of c skip locked`,
);

/** Locks those whose time is over, but for what somebody decides just now. */
export function lockExpiredChanges(tx: Tx, now: Instant, limit: number): Promise<Change[]> {
  return tx.query<Change>(listExpired, [new Date(now), limit]);
}

const count = statement(
  "count_changes_to_decide",
  `select count(*)::integer as waiting
     from changes c
    where c.state = 'waiting'
      and c.ends_at > $1
      and c.requested_by <> $2
      and c.kind = any ($3::text[])`,
);

/** How many wait that this person may agree to: of these kinds, asked for by others. */
export async function countToDecide(
  db: Queryable,
  { now, personId, kinds }: { readonly now: Instant; readonly personId: PersonId; readonly kinds: readonly string[] },
): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(count, [new Date(now), personId, arrayOf(kinds)]);
  return row?.waiting ?? 0;
}

const findGrant = statement(
  "find_change_granted",
  `select 1
     from changes c
    where c.kind = $1
      and c.requested_by = $2
      and c.state = 'done'
      and c.decided_at > $3
      and c.fields::json ->> 'transaction' = $4
    limit 1`,
);

/** Whether this person was allowed something of this kind for a sale, since then. */
export async function isGranted(
  db: Queryable,
  grant: { readonly kind: string; readonly to: PersonId; readonly since: Instant; readonly sale: string },
): Promise<boolean> {
  const { kind, to, since, sale } = grant;
  return (await db.query(findGrant, [kind, to, new Date(since), sale])).length === 1;
}

const purgeSealed = statement(
  "update_change_secrets_purged",
  `update changes
      set sealed = null
    where sealed is not null
      and ends_at < $1
      and state not in ('waiting', 'agreed')`,
);

/** Deletes the secrets of what ended before and can't be asked for anew. */
export async function purgeChangeSecrets(db: Queryable, before: Instant): Promise<void> {
  await db.query(purgeSealed, [new Date(before)]);
}

const purge = statement(
  "delete_old_changes",
  `delete from changes
    where id in (
            select id
              from changes
             where state not in ('waiting', 'agreed')
               and decided_at < $1
             order by id
             limit $2
          )`,
);

/** Deletes what was decided before. */
export async function deleteChangesBefore(db: Queryable, before: Instant, limit: number): Promise<void> {
  await db.query(purge, [new Date(before), limit]);
}
