import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { Person, PersonId, Realm } from "./person.ts";

/** A person with what secrets are checked against. Stays in this room. */
export interface StoredPerson extends Person {
  readonly passwordHash: string | null;
  /** Sealed. */
  readonly totpSeed: string | null;
  readonly totpLastStep: bigint;
}

const columns = `id, realm, email, name, email_verified_at as "emailVerifiedAt",
          password_hash is not null as "hasPassword", totp_confirmed_at is not null as "hasTotp",
          exists (select 1 from passkeys where person_id = people.id) as "hasPasskey",
          password_hash as "passwordHash", totp_seed as "totpSeed", totp_last_step as "totpLastStep"`;

const find = statement(
  "find_person",
  `select ${columns}
     from people
    where id = $1`,
);

export async function findPerson(db: Queryable, id: PersonId): Promise<StoredPerson | null> {
  return (await db.query<StoredPerson>(find, [id]))[0] ?? null;
}

const findLocked = statement(
  "find_person_for_update",
  `select ${columns}
     from people
    where id = $1
      for no key update`,
);

/** The person, its row locked until the transaction ends. */
export async function findPersonForUpdate(tx: Tx, id: PersonId): Promise<StoredPerson | null> {
  return (await tx.query<StoredPerson>(findLocked, [id]))[0] ?? null;
}

const findByEmail = statement(
  "find_person_by_email",
  `select ${columns}
     from people
    where realm = $1
      and email = $2`,
);

export async function findPersonByEmail(db: Queryable, realm: Realm, email: string): Promise<StoredPerson | null> {
  return (await db.query<StoredPerson>(findByEmail, [realm, email]))[0] ?? null;
}

const insert = statement(
  "insert_person",
  `insert into people (realm, email, name, password_hash, email_verified_at, created_at)
   values ($1, $2, $3, $4, $5, $6)
       on conflict on constraint people_email_once_a_realm do nothing
   returning ${columns}`,
);

/** Adds a person; null where the address has an account in this realm. */
export async function insertPerson(
  tx: Tx,
  person: Pick<Person, "realm" | "email" | "name" | "emailVerifiedAt"> & {
    readonly passwordHash: string | null;
    readonly now: Instant;
  },
): Promise<StoredPerson | null> {
  const { realm, email, name, passwordHash, emailVerifiedAt: verifiedAt, now } = person;
  const verified = verifiedAt === null ? null : new Date(verifiedAt);
  const values = [realm, email, name, passwordHash, verified, new Date(now)];
  return (await tx.query<StoredPerson>(insert, values))[0] ?? null;
}

const updatePassword = statement("update_person_password", "update people set password_hash = $2 where id = $1");

export async function updatePersonPassword(tx: Tx, id: PersonId, passwordHash: string): Promise<void> {
  await tx.query(updatePassword, [id, passwordHash]);
}

const updateName = statement("update_person_name", "update people set name = $2 where id = $1");

export async function updatePersonName(tx: Tx, id: PersonId, name: string): Promise<void> {
  await tx.query(updateName, [id, name]);
}

const updateVerified = statement(
  "update_person_verified",
  `update people
      set email_verified_at = coalesce(email_verified_at, $2)
    where id = $1`,
);

/** Notes that a link which was sent to the person's address was followed. */
export async function updatePersonVerified(tx: Tx, id: PersonId, now: Instant): Promise<void> {
  await tx.query(updateVerified, [id, new Date(now)]);
}

const updateClaimed = statement(
  "update_person_claimed",
  `update people
      set email_verified_at = $2,
          password_hash = null,
          totp_seed = null,
          totp_confirmed_at = null,
          totp_last_step = 0
    where id = $1
      and email_verified_at is null
   returning 1`,
);

/** Confirms an address and takes away what its account was entered with. False where it was confirmed before. */
export async function updatePersonClaimed(tx: Tx, id: PersonId, now: Instant): Promise<boolean> {
  return (await tx.query(updateClaimed, [id, new Date(now)])).length === 1;
}

const updateEmail = statement(
  "update_person_email",
  `update people p
      set email = $2,
          email_verified_at = $3
    where p.id = $1
      and not exists (select 1 from people o where o.realm = p.realm and o.email = $2)
   returning 1`,
);

/** Gives a person another, verified address. False where it has an account. @throws where it got one just now */
export async function updatePersonEmail(tx: Tx, id: PersonId, email: string, now: Instant): Promise<boolean> {
  return (await tx.query(updateEmail, [id, email, new Date(now)])).length === 1;
}

const updateSeed = statement(
  "update_person_totp_seed",
  `update people
      set totp_seed = $2,
          totp_last_step = 0
    where id = $1
      and totp_confirmed_at is null
   returning 1`,
);

/** Stores a seed that waits for its first code. False where an app is in use. */
export async function updateTotpSeed(db: Queryable, id: PersonId, seed: string): Promise<boolean> {
  return (await db.query(updateSeed, [id, seed])).length === 1;
}

const updateConfirmed = statement(
  "update_person_totp_confirmed",
  `update people
      set totp_confirmed_at = $3,
          totp_last_step = $4
    where id = $1
      and totp_seed = $2
      and totp_confirmed_at is null
   returning 1`,
);

/** Takes a seed into use with the step of its first code. False where it is in use, or another seed has come. */
export async function updateTotpConfirmed(
  tx: Tx,
  id: PersonId,
  { seed, now, step }: { readonly seed: string; readonly now: Instant; readonly step: number },
): Promise<boolean> {
  return (await tx.query(updateConfirmed, [id, seed, new Date(now), step])).length === 1;
}

const updateOff = statement(
  "update_person_totp_off",
  `update people
      set totp_seed = null,
          totp_confirmed_at = null,
          totp_last_step = 0
    where id = $1
      and totp_confirmed_at is not null
   returning 1`,
);

/** False where no app was in use. */
export async function updateTotpOff(tx: Tx, id: PersonId): Promise<boolean> {
  return (await tx.query(updateOff, [id])).length === 1;
}

const updateStep = statement(
  "update_person_totp_step",
  `update people
      set totp_last_step = $3
    where id = $1
      and totp_seed = $2
      and totp_confirmed_at is not null
      and totp_last_step < $3
   returning 1`,
);

/** Takes the code of a step: true for one caller alone, and never again for it or for an earlier one. */
export async function updateTotpStep(
  tx: Tx,
  id: PersonId,
  { seed, step }: { readonly seed: string; readonly step: number },
): Promise<boolean> {
  return (await tx.query(updateStep, [id, seed, step])).length === 1;
}
