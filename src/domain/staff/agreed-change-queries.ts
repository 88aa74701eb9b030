import { arrayOf, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";
import { type Change, type ChangeId, freeSubjects, type WholeChange } from "./change-queries.ts";

/** A change that is to be carried out. */
export type AgreedChange = Pick<
  WholeChange,
  "id" | "kind" | "summary" | "fields" | "lines" | "facts" | "sealed" | "progress"
>;

const lockAgreed = statement(
  "find_agreed_change_for_update",
  `select id, kind, summary, fields, lines, facts, sealed, progress
     from changes
    where state = 'agreed'
      and kind = any ($1::text[])
      and (due_at is null or due_at <= now())
    order by coalesce(due_at, decided_at), id
    limit 1
      for update skip locked`,
);

/**
 * Locks the change of these kinds that is to be carried out next, by the database's clock, but for one that another process
 * is at.
 */
export async function lockAgreedChange(tx: Tx, kinds: readonly string[]): Promise<AgreedChange | null> {
  return (await tx.query<AgreedChange>(lockAgreed, [arrayOf(kinds)]))[0] ?? null;
}

const cancelAgreed = statement(
  "update_agreed_change_cancelled",
  `update changes
      set state = 'withdrawn', decided_by = $3, decided_at = now()
    where id = $1
      and kind = $2
      and state = 'agreed'
      and due_at > now()
   returning 1`,
);

/** Ends a change whose time has not come, in the transaction that enters it. @returns whether it was one */
export async function updateChangeCancelled(
  tx: Tx,
  { id, kind }: Pick<Change, "id" | "kind">,
  by: PersonId,
): Promise<boolean> {
  if ((await tx.query(cancelAgreed, [id, kind, by])).length === 0) return false;
  await freeSubjects(tx, id);
  return true;
}

const updateProgress = statement("update_change_progress", "update changes set progress = $2 where id = $1");

export async function updateChangeProgress(tx: Tx, id: ChangeId, progress: string): Promise<void> {
  await tx.query(updateProgress, [id, progress]);
}

const updateDone = statement(
  "update_agreed_change_done",
  "update changes set state = 'done', outcome = $2, sealed = null where id = $1 and state = 'agreed'",
);

/** Ends a change that was agreed to, once all of it is carried out. */
export async function updateAgreedDone(tx: Tx, id: ChangeId, outcome: string): Promise<void> {
  await tx.query(updateDone, [id, outcome]);
  await freeSubjects(tx, id);
}
