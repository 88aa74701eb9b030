import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";

/** A message on its way to the webhook. */
export interface AlertPost {
  readonly id: bigint;
  readonly text: string;
  /** Counted from 1, the present one included. */
  readonly attempts: number;
}

export interface PostState extends AlertPost {
  readonly createdAt: Instant;
  readonly sentAt: Instant | null;
  /** Null where it was sent, or given up. */
  readonly dueAt: Instant | null;
  readonly failure: string | null;
}

const insertNew = statement(
  "insert_alert_post",
  `insert into alert_posts (text, due_at, created_at)
   values ($1, $2, $2)`,
);

export async function insertPost(tx: Tx, text: string, now: Instant): Promise<void> {
  await tx.query(insertNew, [text, new Date(now)]);
}

const claimDue = statement(
  "claim_due_alert_posts",
  `update alert_posts p
      set due_at = $2,
          attempts = p.attempts + 1
     from (
            select id
              from alert_posts
             where (due_at <= $1 or due_at > $1 + interval '1 day')
             order by due_at
             limit $3
               for update skip locked
          ) due
    where p.id = due.id
   returning p.id, p.text, p.attempts`,
);

/** Takes messages that are due, by a wrong clock in more than a day; one that is not ended by then is due again at the lease's end. */
export function claimPosts(
  db: Queryable,
  { now, leaseEnds, limit }: { readonly now: Instant; readonly leaseEnds: Instant; readonly limit: number },
): Promise<AlertPost[]> {
  return db.query<AlertPost>(claimDue, [new Date(now), new Date(leaseEnds), limit]);
}

const updateEnded = statement(
  "update_alert_post",
  `update alert_posts
      set due_at = $2,
          failure = $3,
          sent_at = $4
    where id = $1
      and sent_at is null`,
);

export async function updatePost(
  db: Queryable,
  id: bigint,
  { dueAt, failure, sentAt }: Pick<PostState, "dueAt" | "failure" | "sentAt">,
): Promise<void> {
  const at = (instant: Instant | null) => (instant === null ? null : new Date(instant));
  await db.query(updateEnded, [id, at(dueAt), failure, at(sentAt)]);
}

const listNewest = statement(
  "list_alert_posts",
  `select id, text, attempts, created_at as "createdAt", sent_at as "sentAt", due_at as "dueAt", failure
     from alert_posts
    order by id desc
    limit $1`,
);

export function listPosts(db: Queryable, limit: number): Promise<PostState[]> {
  return db.query<PostState>(listNewest, [limit]);
}

const deleteOld = statement("delete_old_alert_posts", "delete from alert_posts where created_at < $1");

export async function deleteOldPosts(tx: Tx, before: Instant): Promise<void> {
  await tx.query(deleteOld, [new Date(before)]);
}
