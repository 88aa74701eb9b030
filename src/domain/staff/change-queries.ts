import type { Instant } from "../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";

declare const changeIdBrand: unique symbol;
export type ChangeId = number & { readonly [changeIdBrand]: true };

/** Where a change is. One that waits beyond `endsAt` can't be agreed to, also before it is marked expired. */
export type ChangeState = "waiting" | "agreed" | "done" | "refused" | "withdrawn" | "expired" | "stale";

/** A change that one person asked for, and what became of it. */
export interface Change {
  readonly id: ChangeId;
  readonly kind: string;
  readonly summary: string;
  /** As JSON, frozen. */
  readonly fields: string;
  /** What it rests on, as JSON, as it was when it was asked for. */
  readonly facts: string | null;
  /** What it is about: `sale SBX…`, `supplier alpha`. */
  readonly subjects: readonly string[];
  readonly requesterId: PersonId;
  readonly requesterName: string;
  readonly requesterEmail: string;
  readonly requestedAt: Instant;
  readonly endsAt: Instant;
  /** The entry of the audit log that holds the hash of what was asked for. */
  readonly auditNumber: bigint | null;
  readonly state: ChangeState;
  readonly isAlone: boolean;
  readonly decidedByName: string | null;
  readonly decidedByEmail: string | null;
  readonly decidedAt: Instant | null;
  readonly reason: string | null;
  readonly outcome: string | null;
  /** How far one with many lines is carried out, as JSON. */
  readonly progress: string | null;
}

/** A change with all that it takes to carry it out. */
export interface WholeChange extends Change {
  /** The lines of one that has many, as JSON, frozen. */
  readonly lines: string | null;
  /** What of it is secret, until it is over. */
  readonly sealed: string | null;
}

export const changeColumns = `c.id,
          c.kind,
          c.summary,
          c.fields,
          c.facts,
          c.subjects,
          c.requested_by as "requesterId",
          asker.name as "requesterName",
          asker.email as "requesterEmail",
          c.requested_at as "requestedAt",
          c.ends_at as "endsAt",
          c.audit_number as "auditNumber",
          c.state,
          c.is_alone as "isAlone",
          decider.name as "decidedByName",
          decider.email as "decidedByEmail",
          c.decided_at as "decidedAt",
          c.reason,
          c.outcome,
          c.progress`;

const wholeColumns = `${changeColumns},
          c.lines,
          c.sealed`;

export const peopleColumns = `join people asker on asker.id = c.requested_by
     left join people decider on decider.id = c.decided_by`;

/** What a change is made of. */
export interface NewChange
  extends Pick<WholeChange, "kind" | "summary" | "fields" | "lines" | "sealed" | "facts" | "subjects">,
    Pick<Change, "requesterId" | "endsAt"> {
  readonly now: Instant;
}

const insertWaiting = statement(
  "insert_change",
  `insert into changes (kind, summary, fields, lines, sealed, facts, subjects, requested_by, requested_at, ends_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   returning id`,
);

const insertAlone = statement(
  "insert_change_alone",
  `insert into changes (
     kind, summary, fields, lines, sealed, facts, subjects, requested_by, requested_at, ends_at, state, is_alone, decided_at, outcome
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, true, $9, $12)
   returning id`,
);

function valuesOf(change: NewChange): unknown[] {
  const { kind, summary, fields, lines, sealed, facts, subjects, requesterId, now, endsAt } = change;
  return [kind, summary, fields, lines, sealed, facts, arrayOf(subjects), requesterId, new Date(now), new Date(endsAt)];
}

export async function insertChange(tx: Tx, change: NewChange): Promise<ChangeId> {
  return ((await tx.query<{ id: ChangeId }>(insertWaiting, valuesOf(change)))[0] as { id: ChangeId }).id;
}

/** Stores what one person does alone, as nobody else could have agreed to it. */
export async function insertAgreedAlone(
  tx: Tx,
  change: NewChange,
  { state, outcome }: { readonly state: "agreed" | "done"; readonly outcome: string | null },
): Promise<ChangeId> {
  const [row] = await tx.query<{ id: ChangeId }>(insertAlone, [...valuesOf(change), state, outcome]);
  return (row as { id: ChangeId }).id;
}

const updateAudited = statement("update_change_audited", "update changes set audit_number = $2 where id = $1");

/** Names the entry of the audit log that holds what was asked for. */
export async function updateChangeAudited(tx: Tx, id: ChangeId, auditNumber: bigint): Promise<void> {
  await tx.query(updateAudited, [id, auditNumber]);
}

const deleteFree = statement(
  "delete_free_change_subjects",
  `delete from change_subjects s
    using changes c
    where c.id = s.change_id
      and s.subject = any ($1::text[])
      and c.state = 'waiting'
      and c.ends_at <= $2`,
);

const insertSubjects = statement(
  "insert_change_subjects",
  `insert into change_subjects (subject, change_id)
   select s.subject, $2
     from unnest($1::text[]) as s (subject)
    order by s.subject
   on conflict (subject) do nothing
   returning 1`,
);

/** Takes subjects for a change, waiting for whoever is taking one of them. @returns whether all of them were free */
export async function takeSubjects(
  tx: Tx,
  id: ChangeId,
  { subjects, now }: Pick<NewChange, "subjects" | "now">,
): Promise<boolean> {
  if (subjects.length === 0) return true;
  await tx.query(deleteFree, [arrayOf(subjects), new Date(now)]);
  return (await tx.query(insertSubjects, [arrayOf(subjects), id])).length === subjects.length;
}

const deleteSubjects = statement("delete_change_subjects", "delete from change_subjects where change_id = $1");

const findAbout = statement(
  "find_open_change_about",
  `select ${changeColumns}
     from change_subjects s
     join changes c on c.id = s.change_id
     ${peopleColumns}
    where s.subject = any ($1::text[])
      and (c.state = 'agreed' or c.ends_at > $2)
    order by c.id
    limit 1`,
);

/** The open change that is about one of these; null where all are free. */
export async function findChangeAbout(
  db: Queryable,
  subjects: readonly string[],
  now: Instant,
): Promise<Change | null> {
  return (await db.query<Change>(findAbout, [arrayOf(subjects), new Date(now)]))[0] ?? null;
}

const find = statement(
  "find_change",
  `select ${wholeColumns}
     from changes c
     ${peopleColumns}
    where c.id = $1`,
);

export async function findChange(db: Queryable, id: ChangeId): Promise<WholeChange | null> {
  return (await db.query<WholeChange>(find, [id]))[0] ?? null;
}

const lock = statement(
  "find_change_for_update",
  `select ${wholeColumns}
     from changes c
     ${peopleColumns}
    where c.id = $1
      for update of c`,
);

/** Locks a change: of two who decide at once, the second one sees what the first one did. */
export async function lockChange(tx: Tx, id: ChangeId): Promise<WholeChange | null> {
  return (await tx.query<WholeChange>(lock, [id]))[0] ?? null;
}

const lockOf = statement(
  "find_waiting_changes_of_person",
  `select ${changeColumns}
     from changes c
     ${peopleColumns}
    where c.state = 'waiting'
      and c.requested_by = $1
    order by c.id
      for update of c`,
);

/** Locks what a person asked for and waits. */
export function lockWaitingOf(tx: Tx, requesterId: PersonId): Promise<Change[]> {
  return tx.query<Change>(lockOf, [requesterId]);
}

const decide = statement(
  "update_change_decided",
  `update changes
      set state = $2,
          decided_by = $3,
          decided_at = $4,
          reason = $5,
          outcome = $6,
          sealed = case when $2 in ('agreed', 'stale', 'expired') then sealed end
    where id = $1`,
);

/** Takes a change that is locked out of those that wait; whatever it was about is free unless it is to be carried out. */
export async function updateChangeEnded(
  tx: Tx,
  id: ChangeId,
  end: {
    readonly state: Exclude<ChangeState, "waiting">;
    /** Null where time or facts end it. */
    readonly decidedBy: PersonId | null;
    readonly now: Instant;
    readonly reason?: string | null;
    readonly outcome?: string | null;
  },
): Promise<void> {
  const { state, decidedBy, now, reason = null, outcome = null } = end;
  await tx.query(decide, [id, state, decidedBy, new Date(now), reason, outcome]);
  if (state !== "agreed") await tx.query(deleteSubjects, [id]);
}

const lockAgreed = statement(
  "find_agreed_change_for_update",
  `select ${wholeColumns}
     from changes c
     ${peopleColumns}
    where c.state = 'agreed'
      and c.kind = any ($1::text[])
    order by c.decided_at
    limit 1
      for update of c skip locked`,
);

/** Locks the change of these kinds that is to be carried out next, but for one that another process is at. */
export async function lockAgreedChange(tx: Tx, kinds: readonly string[]): Promise<WholeChange | null> {
  return (await tx.query<WholeChange>(lockAgreed, [arrayOf(kinds)]))[0] ?? null;
}

const updateProgress = statement("update_change_progress", "update changes set progress = $2 where id = $1");

export async function updateChangeProgress(tx: Tx, id: ChangeId, progress: string): Promise<void> {
  await tx.query(updateProgress, [id, progress]);
}

const updateEnded = statement(
  "update_agreed_change_ended",
  "update changes set state = $2, outcome = $3, sealed = null where id = $1 and state = 'agreed'",
);

/** Ends a change that was agreed to, once all of it is carried out, or as the rest of it must not be. */
export async function updateAgreedEnded(
  tx: Tx,
  id: ChangeId,
  { state, outcome }: { readonly state: "done" | "stale"; readonly outcome: string },
): Promise<void> {
  await tx.query(updateEnded, [id, state, outcome]);
  await tx.query(deleteSubjects, [id]);
}
