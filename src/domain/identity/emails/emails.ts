import { assert } from "../../../kernel/assert.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../../platform/database/database.ts";
import { type Mailer, MailRefused } from "../../../platform/mail.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import {
  claimEmails,
  deleteOldEmails,
  type EmailRow,
  findEmail,
  insertEmail,
  listEmails,
  updateEmailFailed,
  updateEmailSent,
} from "./queries.ts";

/** What an email's body is sealed under; its id is not known before it is stored. */
export const emailIdentity = "emails";

/** What an email says: plain text. */
export interface EmailText {
  readonly subject: string;
  readonly text: string;
}

export interface EmailServices {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

const subjectMax = 200;
const textMax = 10_000;

/**
 * Writes an email in the transaction of what it tells; a worker sends it afterwards. To nobody (null) none is written, at the
 * same cost, where the time of an answer must not tell whether somebody is known.
 */
export async function writeEmail(
  tx: Tx,
  { clock, secretBox }: EmailServices,
  { to, subject, text }: { readonly to: string | null } & EmailText,
): Promise<void> {
  assert(text.length <= textMax, "an email fits a screen or two");
  await insertEmail(tx, {
    recipient: to,
    // Whatever a name may hold, a subject is one line.
    subject: subject
      .replace(/[\p{C}\s]+/gu, " ")
      .trim()
      .slice(0, subjectMax),
    body: secretBox.seal(text, emailIdentity),
    now: clock.now(),
  });
}

const minuteMs = 60_000;
/** After the first failure, the second, and so on; after the last it is given up. */
const retryMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs);
/** Longer than a mail server may take to answer. */
const leaseMs = 5 * minuteMs;
/** Links in older emails are no longer good: a mail server that comes late gets none of them. */
const sentWithinMs = 2 * 24 * 60 * minuteMs;
const failureMax = 300;

/** Takes emails that are due, for this process to send. */
export function claimDueEmails(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  limit: number,
): Promise<EmailRow[]> {
  const now = clock.now();
  return claimEmails(database, { now, since: now - sentWithinMs, leaseEnds: now + leaseMs, limit });
}

/** Sends an email and notes that it went, or why not and when next. @returns what happened to it */
export async function sendEmail(
  { database, clock, secretBox }: EmailServices & { readonly database: Queryable },
  mailer: Mailer,
  email: EmailRow,
): Promise<"sent" | "retried" | "given_up"> {
  const { id, recipient: to, subject, attempts } = email;
  try {
    await mailer.send({ to, subject, text: secretBox.open(email.body, emailIdentity) });
  } catch (error) {
    const retryInMs = error instanceof MailRefused && error.isFinal ? undefined : retryMs[attempts - 1];
    const dueAt = retryInMs === undefined ? null : clock.now() + retryInMs;
    const failure = (error as Error).message.replace(/\p{C}+/gu, " ").slice(0, failureMax);
    await updateEmailFailed(database, id, { failure, dueAt });
    return dueAt === null ? "given_up" : "retried";
  }
  await updateEmailSent(database, id, clock.now());
  return "sent";
}

/** An email as an operator reads it. */
export type OpenedEmail = Omit<EmailRow, "body">;

/** The newest emails, without what they say. */
export async function newestEmails(db: Queryable, limit: number): Promise<OpenedEmail[]> {
  return (await listEmails(db, limit)).map(({ body: _body, ...email }) => email);
}

/** An email with what it says. @throws Refusal NOT_FOUND */
export async function openEmail(
  db: Queryable,
  secretBox: SecretBox,
  id: bigint,
): Promise<OpenedEmail & { readonly text: string }> {
  const found = await findEmail(db, id);
  if (found === null) throw refuse("NOT_FOUND", { message: `There is no email ${id}.` });
  const { body, ...email } = found;
  return { ...email, text: secretBox.open(body, emailIdentity) };
}

const keptMs = 90 * 24 * 60 * minuteMs;

/** Deletes emails older than 90 days, sent or not. @returns how many */
export function purgeEmails(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteOldEmails(database, clock.now() - keptMs, limit);
}
