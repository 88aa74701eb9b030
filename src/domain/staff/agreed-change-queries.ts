import { arrayOf, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";
import {
  type Change,
  type ChangeId,
  freeSubjects,
  peopleColumns,
  type WholeChange,
  wholeColumns,
} from "./change-queries.ts";

const lockAgreed = statement(
  "find_agreed_change_for_update",
  `select ${wholeColumns}
     from changes c
     ${peopleColumns}
    where c.state = 'agreed'
      and c.kind = any ($1::text[])
      and (c.due_at is null or c.due_at <= now())
    order by coalesce(c.due_at, c.decided_at), c.id
    limit 1
      for update of c skip locked`,
);

/**
 * Locks the change of these kinds that is to be carried out next, by the database's clock, but for one that another process
 * is at.
 */
export async function lockAgreedChange(tx: Tx, kinds: readonly string[]): Promise<WholeChange | null> {
  return (await tx.query<WholeChange>(lockAgreed, [arrayOf(kinds)]))[0] ?? null;
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

const updateEnded = statement(
  "update_agreed_change_ended",
  `update changes
      set state = $2,
          outcome = $3,
          sealed = case when $2 = 'stale' then sealed end
    where id = $1 and state = 'agreed'`,
);

/** Ends a change that was agreed to, once all of it is carried out, or where nothing more of it can be. */
export async function updateAgreedEnded(
  tx: Tx,
  id: ChangeId,
  { state, outcome }: { readonly state: "done" | "stale"; readonly outcome: string },
): Promise<void> {
  await tx.query(updateEnded, [id, state, outcome]);
  await freeSubjects(tx, id);
}
