import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { Person, PersonId, Realm } from "./person.ts";

export interface StoredSession {
  readonly person: Person;
  readonly level: "password" | "second_factor";
  readonly factorAt: Instant | null;
  readonly seenAt: Instant;
}

interface SessionRow extends Omit<StoredSession, "person">, Omit<Person, "id"> {
  readonly personId: PersonId;
}

const find = statement(
  "find_session",
  `select s.level,
          s.factor_at as "factorAt",
          s.seen_at as "seenAt",
          p.id as "personId",
          p.realm,
          p.email,
          p.name,
          p.email_verified_at as "emailVerifiedAt",
          p.password_hash is not null as "hasPassword",
          p.totp_confirmed_at is not null as "hasTotp",
          exists (select 1 from passkeys k where k.person_id = p.id) as "hasPasskey"
     from sessions s
     join people p
       on p.id = s.person_id
    where s.token_hash = $1
      and s.realm = $2
      and s.ends_at > $3
      and s.seen_at > $4`,
);

/** The session behind a token's hash, unless it has ended or was idle since then. */
export async function findSession(
  db: Queryable,
  requested: { readonly hash: Buffer; readonly realm: Realm; readonly now: Instant; readonly idleSince: Instant },
): Promise<StoredSession | null> {
  const { hash, realm, now, idleSince } = requested;
  const [row] = await db.query<SessionRow>(find, [hash, realm, new Date(now), new Date(idleSince)]);
  if (row === undefined) return null;
  const { personId, level, factorAt, seenAt, ...person } = row;
  return { person: { ...person, id: personId }, level, factorAt, seenAt };
}

const insert = statement(
  "insert_session",
  `with ended as (
     delete from sessions
      where token_hash in (
              select token_hash
                from sessions
               where person_id = $2
                 and level = $4
               order by seen_at desc
              offset $10 - 1
            )
   )
   insert into sessions (token_hash, person_id, realm, level, factor_at, created_at, seen_at, ends_at, address, agent)
   values ($1, $2, $3, $4, $9, $5, $5, $6, $7, $8)`,
);

/**
 * Stores a session that begins now. The ones of its level that were used longest ago end, so that the person has
 * `countMax` of it: a log-in without a second factor ends no session that has one.
 */
export async function insertSession(
  db: Queryable,
  session: {
    readonly hash: Buffer;
    readonly personId: PersonId;
    readonly realm: Realm;
    readonly level: StoredSession["level"];
    readonly address: string;
    readonly agent: string;
    readonly factorAt: Instant | null;
    readonly now: Instant;
    readonly endsAt: Instant;
    readonly countMax: number;
  },
): Promise<void> {
  const { hash, personId, realm, level, now, endsAt, address, agent, factorAt: factor, countMax } = session;
  const factorAt = factor === null ? null : new Date(factor);
  const times = [new Date(now), new Date(endsAt)];
  await db.query(insert, [hash, personId, realm, level, ...times, address, agent, factorAt, countMax]);
}

const updateSeen = statement("update_session_seen", "update sessions set seen_at = $2 where token_hash = $1");

export async function updateSessionSeen(db: Queryable, hash: Buffer, now: Instant): Promise<void> {
  await db.query(updateSeen, [hash, new Date(now)]);
}

const deleteOne = statement("delete_session", "delete from sessions where token_hash = $1");

export async function deleteSession(db: Queryable, hash: Buffer): Promise<void> {
  await db.query(deleteOne, [hash]);
}

const deleteOthers = statement(
  "delete_sessions_of_person",
  `delete from sessions
    where person_id = $1
      and ($2::bytea is null or token_hash <> $2)
   returning 1`,
);

/** Deletes a person's sessions, but for the one to keep. @returns how many */
export async function deleteSessionsOf(db: Queryable, personId: PersonId, keep: Buffer | null): Promise<number> {
  return (await db.query(deleteOthers, [personId, keep])).length;
}

/** A browser of a person that is logged in. */
export interface ListedSession {
  readonly hash: Buffer;
  readonly level: StoredSession["level"];
  readonly createdAt: Instant;
  readonly seenAt: Instant;
  readonly address: string;
  readonly agent: string;
}

const list = statement(
  "list_sessions",
  `select token_hash as hash,
          level,
          created_at as "createdAt",
          seen_at as "seenAt",
          address,
          agent
     from sessions
    where person_id = $1
      and ends_at > $2
      and seen_at > $3
    order by seen_at desc
    limit 100`,
);

/** A person's sessions that have not ended, the last used first. */
export function listSessionsOf(
  db: Queryable,
  personId: PersonId,
  { now, idleSince }: { readonly now: Instant; readonly idleSince: Instant },
): Promise<ListedSession[]> {
  return db.query<ListedSession>(list, [personId, new Date(now), new Date(idleSince)]);
}

const deleteOfPerson = statement(
  "delete_session_of_person",
  `delete from sessions
    where token_hash = $1
      and person_id = $2
   returning 1`,
);

/** False where the person has no such session. */
export async function deleteSessionOf(db: Queryable, personId: PersonId, hash: Buffer): Promise<boolean> {
  return (await db.query(deleteOfPerson, [hash, personId])).length === 1;
}

const deleteEnded = statement(
  "delete_ended_sessions",
  `delete from sessions
    where token_hash in (select token_hash from sessions where ends_at <= $1 or seen_at <= $2 limit $3)
   returning 1`,
);

/** @returns how many were deleted */
export async function deleteEndedSessions(
  db: Queryable,
  { now, idleSince, limit }: { readonly now: Instant; readonly idleSince: Instant; readonly limit: number },
): Promise<number> {
  return (await db.query(deleteEnded, [new Date(now), new Date(idleSince), limit])).length;
}
