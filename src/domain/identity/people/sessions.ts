import { createHash } from "node:crypto";
import { type Clock, type Instant, minuteMs } from "../../../kernel/clock.ts";
import type { Database, Queryable, Tx } from "../../../platform/database/database.ts";
import { deleteStaleFailures } from "./failure-queries.ts";
import type { Person, PersonId, Realm } from "./person.ts";
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  findSession,
  insertSession,
  type ListedSession,
  listSessionsOf,
  type StoredSession,
  updateSessionSeen,
} from "./session-queries.ts";
import { deleteEndedTokens, updateBuyer } from "./token-queries.ts";

/** Random bytes of a token: 256 bits, so that its hash needs no salt. */
const tokenBytes = 32;

/** A session that nobody used for so long has ended. */
export const idleMs = 60 * minuteMs * 12;
/** A session ends after so long, however much it is used. */
export const longestMs = 60 * minuteMs * 24 * 14;
/** A factor is fresh for so long: what is sensitive asks for one anew afterwards. */
export const freshMs = 15 * minuteMs;
/** Browsers that a person is logged in with at a time. */
const sessionsMax = 20;
/** `seen_at` is written no more often than this, as every page would write a row. */
const seenEveryMs = minuteMs;

export interface SessionServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly randomness: (bytes: number) => Buffer;
}

/** A browser that is logged in, as of one request. */
export interface Session {
  /** Names the session in lists; lets nobody in. */
  readonly hash: Buffer;
  readonly person: Person;
  /** password: the second factor is still owed, and nothing else may be done. */
  readonly level: "password" | "second_factor";
  readonly factorAt: Instant | null;
}

/** Where a log-in comes from: kept with the session, so that its person can tell it from others. */
export interface Origin {
  /** An IP address as text. */
  readonly address: string;
  /** The browser as it calls itself; cut where it is long. */
  readonly agent: string;
}

/** What a cookie holds, hashed as the table holds it. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** A new random token, 43 characters of base64url. */
export function mintToken({ randomness }: Pick<SessionServices, "randomness">): string {
  return randomness(tokenBytes).toString("base64url");
}

/**
 * Logs a browser in: every log-in and every step up makes a new token, so that one that was planted is worth nothing.
 * @returns the cookie's token, which is nowhere else
 */
export async function openSession(
  db: Queryable,
  { clock, randomness }: Pick<SessionServices, "clock" | "randomness">,
  session: {
    readonly personId: PersonId;
    readonly realm: Realm;
    readonly level: Session["level"];
    /** False where it was begun by less than a fresh factor. */
    readonly isFresh?: boolean;
  } & Origin,
): Promise<string> {
  const token = mintToken({ randomness });
  const now = clock.now();
  const { address, agent, isFresh: isFactorFresh = true, ...rest } = session;
  await insertSession(db, {
    ...rest,
    factorAt: isFactorFresh ? now : null,
    hash: hashToken(token),
    address: address.slice(0, 64),
    agent: agent.slice(0, 200),
    now,
    endsAt: now + longestMs,
    countMax: sessionsMax,
  });
  return token;
}

/** The session of a cookie; null where it has ended, was idle too long, or never was. Reads one row. */
export async function readSession(
  { database, clock }: Pick<SessionServices, "database" | "clock">,
  realm: Realm,
  token: string,
): Promise<Session | null> {
  if (token.length > 100) return null;
  const hash = hashToken(token);
  const now = clock.now();
  const stored: StoredSession | null = await findSession(database, { hash, realm, now, idleSince: now - idleMs });
  if (stored === null) return null;
  const { seenAt, ...session } = stored;
  if (now - seenAt >= seenEveryMs) await updateSessionSeen(database, hash, now);
  return { ...session, hash };
}

/** Whether the session's person gave a factor within the last quarter of an hour. */
export function isFresh({ factorAt }: Pick<Session, "factorAt">, now: Instant): boolean {
  return factorAt !== null && now - factorAt < freshMs;
}

/**
 * Whether the session's person logged in with two steps, or has done the second one since: a code, asked for at each log-in,
 * or a passkey. Somebody with a passkey who typed the password alone has no factor yet.
 */
export function hasTwoSteps({ person, factorAt }: Pick<Session, "person" | "factorAt">): boolean {
  return person.hasTotp || (person.hasPasskey && factorAt !== null);
}

/** Logs one browser out. */
export async function endSession(db: Queryable, hash: Buffer): Promise<void> {
  await deleteSession(db, hash);
}

/** Logs a person out everywhere, but for the session to keep. @returns how many ended */
export async function endSessionsOf(db: Queryable, personId: PersonId, keep: Buffer | null): Promise<number> {
  return deleteSessionsOf(db, personId, keep);
}

/** A session as its person sees it among the others. */
export type OwnSession = ListedSession & { readonly isThis: boolean };

/** Where a session's person is logged in, the last used first. */
export async function listSessions(
  { database, clock }: Pick<SessionServices, "database" | "clock">,
  { person, hash }: Session,
): Promise<OwnSession[]> {
  const now = clock.now();
  const sessions = await listSessionsOf(database, person.id, { now, idleSince: now - idleMs });
  return sessions.map((session) => ({ ...session, isThis: session.hash.equals(hash) }));
}

/** Ends one session of the same person. False where there is none. */
export async function endOwnSession(
  { database }: Pick<SessionServices, "database">,
  { person }: Session,
  hash: Buffer,
): Promise<boolean> {
  return deleteSessionOf(database, person.id, hash);
}

/** A session's name in a form: lets nobody in. */
export function sessionName(hash: Buffer): string {
  return hash.toString("hex");
}

/** Reads such a name; null for anything else. */
export function parseSessionName(text: string): Buffer | null {
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, "hex") : null;
}

/**
 * Ends a session and opens its next one, of the same or a higher level, whose factor was given just now: one that was
 * planted or seen before is worth nothing. Null where it has ended meanwhile.
 */
export async function replaceSession(
  tx: Tx,
  services: Pick<SessionServices, "clock" | "randomness">,
  session: Session,
  next: { readonly level: Session["level"] } & Origin,
): Promise<string | null> {
  if (!(await deleteSessionOf(tx, session.person.id, session.hash))) return null;
  const { id: personId, realm } = session.person;
  const token = await openSession(tx, services, { personId, realm, ...next });
  await updateBuyer(tx, personId, { from: sessionName(session.hash), to: sessionName(hashToken(token)) });
  return token;
}

/** Deletes tokens and sessions that have ended, and attempts that count no more, some of each. @returns how many */
export async function purgePeople(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  limit: number,
): Promise<number> {
  const now = clock.now();
  const tokens = await deleteEndedTokens(database, now, limit);
  const sessions = await deleteEndedSessions(database, { now, idleSince: now - idleMs, limit });
  const failures = await deleteStaleFailures(database, now, limit);
  return tokens + sessions + failures;
}
