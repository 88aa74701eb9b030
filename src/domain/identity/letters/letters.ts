import { assert } from "../../../kernel/assert.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../../platform/database/database.ts";
import { type Mailer, MailRefused } from "../../../platform/mail.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import {
  claimLetters,
  deleteOldLetters,
  findLetter,
  insertLetter,
  type LetterRow,
  listLetters,
  updateLetterFailed,
  updateLetterSent,
} from "./queries.ts";

/** What a letter's body is sealed under; its id is not known before it is stored. */
export const letterIdentity = "letters";

/** What a letter says: plain text. */
export interface LetterText {
  readonly subject: string;
  readonly text: string;
}

export interface LetterServices {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
}

const subjectMax = 200;
const textMax = 10_000;

/**
 * Writes a letter in the transaction of what it tells; a worker sends it afterwards. To nobody (null) none is written, at the
 * same cost, where the time of an answer must not tell whether somebody is known.
 */
export async function writeLetter(
  tx: Tx,
  { clock, secretBox }: LetterServices,
  { to, subject, text }: { readonly to: string | null } & LetterText,
): Promise<void> {
  assert(text.length <= textMax, "a letter fits a screen or two");
  await insertLetter(tx, {
    recipient: to,
    // Whatever a name may hold, a subject is one line.
    subject: subject
      .replace(/[\p{C}\s]+/gu, " ")
      .trim()
      .slice(0, subjectMax),
    body: secretBox.seal(text, letterIdentity),
    now: clock.now(),
  });
}

const minuteMs = 60_000;
/** After the first failure, the second, and so on; after the last it is given up. */
const retryMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs);
/** Longer than a mail server may take to answer. */
const leaseMs = 5 * minuteMs;
/** Links in older letters are no longer good: a mail server that comes late gets none of them. */
const sentWithinMs = 2 * 24 * 60 * minuteMs;
const failureMax = 300;

/** Takes letters that are due, for this process to send. */
export function claimDueLetters(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  limit: number,
): Promise<LetterRow[]> {
  const now = clock.now();
  return claimLetters(database, { now, since: now - sentWithinMs, leaseEnds: now + leaseMs, limit });
}

/** Sends a letter and notes that it went, or why not and when next. @returns what happened to it */
export async function sendLetter(
  { database, clock, secretBox }: LetterServices & { readonly database: Queryable },
  mailer: Mailer,
  letter: LetterRow,
): Promise<"sent" | "retried" | "given_up"> {
  const { id, recipient: to, subject, attempts } = letter;
  try {
    await mailer.send({ to, subject, text: secretBox.open(letter.body, letterIdentity) });
  } catch (error) {
    const retryInMs = error instanceof MailRefused && error.isFinal ? undefined : retryMs[attempts - 1];
    const dueAt = retryInMs === undefined ? null : clock.now() + retryInMs;
    const failure = (error as Error).message.replace(/\p{C}+/gu, " ").slice(0, failureMax);
    await updateLetterFailed(database, id, { failure, dueAt });
    return dueAt === null ? "given_up" : "retried";
  }
  await updateLetterSent(database, id, clock.now());
  return "sent";
}

/** A letter as an operator reads it. */
export type ReadLetter = Omit<LetterRow, "body">;

/** The newest letters, without what they say. */
export async function newestLetters(db: Queryable, limit: number): Promise<ReadLetter[]> {
  return (await listLetters(db, limit)).map(({ body: _body, ...letter }) => letter);
}

/** A letter with what it says. @throws Refusal NOT_FOUND */
export async function readLetter(
  db: Queryable,
  secretBox: SecretBox,
  id: bigint,
): Promise<ReadLetter & { readonly text: string }> {
  const found = await findLetter(db, id);
  if (found === null) throw refuse("NOT_FOUND", { message: `There is no letter ${id}.` });
  const { body, ...letter } = found;
  return { ...letter, text: secretBox.open(body, letterIdentity) };
}

const keptMs = 90 * 24 * 60 * minuteMs;

/** Deletes letters older than 90 days, sent or not. @returns how many */
export function purgeLetters(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteOldLetters(database, clock.now() - keptMs, limit);
}
