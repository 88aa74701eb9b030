import type { Instant } from "../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import { type Change, type ChangeId, changeColumns, peopleColumns } from "./change-queries.ts";

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
  { subjects, now }: { readonly subjects: readonly string[]; readonly now: Instant },
): Promise<boolean> {
  if (subjects.length === 0) return true;
  await tx.query(deleteFree, [arrayOf(subjects), new Date(now)]);
  return (await tx.query(insertSubjects, [arrayOf(subjects), id])).length === subjects.length;
}

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
