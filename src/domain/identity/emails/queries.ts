import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";

const insert = statement(
  "insert_email",
  `insert into emails (recipient, subject, body, created_at, due_at)
   select $1::text, $2, $3, $4::timestamptz, $4
    where $1::text is not null`,
);

/** Stores an email that is due at once, or none where it is to nobody: that costs the same. */
export async function insertEmail(
  tx: Tx,
  email: {
    readonly recipient: string | null;
    readonly subject: string;
    readonly body: string;
    readonly now: Instant;
  },
): Promise<void> {
  await tx.query(insert, [email.recipient, email.subject, email.body, new Date(email.now)]);
}

/** An email as it is stored: its body sealed. */
export interface EmailRow {
  readonly id: bigint;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly createdAt: Instant;
  readonly sentAt: Instant | null;
  readonly attempts: number;
  readonly dueAt: Instant | null;
  readonly failure: string | null;
}

const emailColumns = `id, recipient, subject, body, created_at as "createdAt", sent_at as "sentAt", attempts,
          due_at as "dueAt", failure`;

const claim = statement(
  "claim_emails",
  `update emails
      set attempts = attempts + 1,
          due_at = $3
    where id in (
            select id
              from emails
             where (due_at <= $1 or due_at > $1 + interval '1 day')
               and created_at > $2
             order by due_at
             limit $4
               for update skip locked
          )
   returning ${emailColumns}`,
);

/**
 * Takes emails that are due, or will be in more than a day: none waits for so long, but a process whose clock was ahead
 * says so. Until `leaseEnds` nobody else sends them. Older ones than `since` are left alone.
 */
export function claimEmails(
  db: Queryable,
  requested: { readonly now: Instant; readonly since: Instant; readonly leaseEnds: Instant; readonly limit: number },
): Promise<EmailRow[]> {
  const { now, since, leaseEnds, limit } = requested;
  return db.query<EmailRow>(claim, [new Date(now), new Date(since), new Date(leaseEnds), limit]);
}

const updateSent = statement(
  "update_email_sent",
  `update emails
      set sent_at = $2,
          due_at = null,
          failure = null
    where id = $1`,
);

export async function updateEmailSent(db: Queryable, id: bigint, now: Instant): Promise<void> {
  await db.query(updateSent, [id, new Date(now)]);
}

const updateFailed = statement(
  "update_email_failed",
  `update emails
      set failure = $2,
          due_at = $3
    where id = $1
      and sent_at is null`,
);

/** Notes why an email could not be sent, and when it is tried again; null for never. */
export async function updateEmailFailed(
  db: Queryable,
  id: bigint,
  { failure, dueAt }: { readonly failure: string; readonly dueAt: Instant | null },
): Promise<void> {
  await db.query(updateFailed, [id, failure, dueAt === null ? null : new Date(dueAt)]);
}

const list = statement(
  "list_emails",
  `select ${emailColumns}
     from emails
    order by id desc
    limit $1`,
);

/** The newest emails first. */
export function listEmails(db: Queryable, limit: number): Promise<EmailRow[]> {
  return db.query<EmailRow>(list, [limit]);
}

const find = statement(
  "find_email",
  `select ${emailColumns}
     from emails
    where id = $1`,
);

export async function findEmail(db: Queryable, id: bigint): Promise<EmailRow | null> {
  return (await db.query<EmailRow>(find, [id]))[0] ?? null;
}

const deleteOld = statement(
  "delete_old_emails",
  `delete from emails
    where id in (select id from emails where created_at < $1 order by id limit $2)
   returning 1`,
);

/** @returns how many were deleted */
export async function deleteOldEmails(db: Queryable, before: Instant, limit: number): Promise<number> {
  return (await db.query(deleteOld, [new Date(before), limit])).length;
}
