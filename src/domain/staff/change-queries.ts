import type { Instant } from "../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";
import type { Actor } from "./actor.ts";

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
  /** Null for a name that a command gave, of a company without staff. */
  readonly requesterId: PersonId | null;
  readonly requesterName: string;
  readonly requesterEmail: string | null;
  readonly requestedAt: Instant;
  readonly endsAt: Instant;
  /** From when on it is carried out once it is agreed to; null: at once. */
  readonly dueAt: Instant | null;
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
  /** What it is about: `sale SBX…`, `supplier alpha`. Of many prices as many. */
  readonly subjects: readonly string[];
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
          c.requested_by as "requesterId",
          coalesce(asker.name, c.requested_as, 'a command') as "requesterName",
          asker.email as "requesterEmail",
          c.requested_at as "requestedAt",
          c.ends_at as "endsAt",
          c.due_at as "dueAt",
          c.audit_number as "auditNumber",
          c.state,
          c.is_alone as "isAlone",
          coalesce(decider.name, c.decided_as) as "decidedByName",
          decider.email as "decidedByEmail",
          c.decided_at as "decidedAt",
          c.reason,
          c.outcome,
          c.progress`;

export const wholeColumns = `${changeColumns},
          c.subjects,
          c.lines,
          c.sealed`;

export const peopleColumns = `left join people asker on asker.id = c.requested_by
     left join people decider on decider.id = c.decided_by`;

/** What a change is made of. */
export interface NewChange
  extends Pick<
    WholeChange,
    "id" | "kind" | "summary" | "fields" | "lines" | "sealed" | "facts" | "subjects" | "dueAt"
  > {
  /** Null where nobody else had to be asked. */
  readonly by: Pick<Actor, "id" | "name"> | null;
  /** Null: by the database's clock. */
  readonly now: Instant | null;
  readonly endsAt: Instant | null;
}

const insert = statement(
  "insert_change",
  `insert into changes (
     id, kind, summary, fields, lines, sealed, facts, subjects, requested_by, requested_as, requested_at, ends_at, due_at,
     state, is_alone, decided_at, outcome
   )
   overriding system value
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, t.at, coalesce($12, t.at), $13,
          $14, $14 <> 'waiting', case when $14 <> 'waiting' then t.at end, $15
     from (select coalesce($11, now()) as at) t`,
);

/** Stores what waits, or what one person does alone: it is done, or to be carried out. */
export async function insertChange(
  tx: Tx,
  change: NewChange,
  { state, outcome }: { readonly state: "waiting" | "agreed" | "done"; readonly outcome: string | null },
): Promise<void> {
  const { id, kind, summary, fields, lines, sealed, facts, subjects, by, now, endsAt, dueAt } = change;
  const times = [now, endsAt, dueAt].map((at) => (at === null ? null : new Date(at)));
  const texts = [id, kind, summary, fields, lines, sealed, facts, arrayOf(subjects)];
  const who = [by?.id ?? null, by?.id === null ? by.name : null];
  await tx.query(insert, [...texts, ...who, ...times, state, outcome]);
}

const findNextId = statement("find_next_change_id", `select nextval('changes_id_seq')::integer as id`);

/** Takes a number for a change that is to come. */
export async function takeChangeId(db: Queryable): Promise<ChangeId> {
  return ((await db.query<{ id: ChangeId }>(findNextId))[0] as { id: ChangeId }).id;
}

const updateAudited = statement("update_change_audited", "update changes set audit_number = $2 where id = $1");

/** Names the entry of the audit log that holds what was asked for. */
export async function updateChangeAudited(tx: Tx, id: ChangeId, auditNumber: bigint): Promise<void> {
  await tx.query(updateAudited, [id, auditNumber]);
}

const find = statement(
  "find_change",
  `select ${wholeColumns}
     from changes c
     ${peopleColumns}
    where c.id = $1
      and (c.requested_by is not null or c.requested_as is not null)`,
);

/** Null for what one person did without asking. */
export async function findChange(db: Queryable, id: ChangeId): Promise<WholeChange | null> {
  return (await db.query<WholeChange>(find, [id]))[0] ?? null;
}

const lock = statement(
  "find_change_for_update",
  `select ${changeColumns}
     from changes c
     ${peopleColumns}
    where c.id = $1
      for update of c`,
);

/** Locks a change: of two who decide at once, the second one sees what the first one did. */
export async function lockChange(tx: Tx, id: ChangeId): Promise<Change | null> {
  return (await tx.query<Change>(lock, [id]))[0] ?? null;
}

const lockWhole = statement(
  "find_whole_change_for_update",
  `select ${wholeColumns}
     from changes c
     ${peopleColumns}
    where c.id = $1
      for update of c`,
);

/** The same, with its lines, which may be megabytes. */
export async function lockWholeChange(tx: Tx, id: ChangeId): Promise<WholeChange | null> {
  return (await tx.query<WholeChange>(lockWhole, [id]))[0] ?? null;
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

const deleteSubjects = statement("delete_change_subjects", "delete from change_subjects where change_id = $1");

/** Frees what a change was about. */
export async function freeSubjects(tx: Tx, id: ChangeId): Promise<void> {
  await tx.query(deleteSubjects, [id]);
}

const decide = statement(
  "update_change_decided",
  `update changes
      set state = $2,
          decided_by = $3,
          decided_at = $4,
          reason = $5,
          outcome = $6,
          decided_as = $7,
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
    readonly by: Actor | null;
    readonly now: Instant;
    readonly reason?: string | null;
    readonly outcome?: string | null;
  },
): Promise<void> {
  const { state, by, now, reason = null, outcome = null } = end;
  const name = by?.id === null ? by.name : null;
  await tx.query(decide, [id, state, by?.id ?? null, new Date(now), reason, outcome, name]);
  if (state !== "agreed") await freeSubjects(tx, id);
}
