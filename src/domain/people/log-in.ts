import type { Tx } from "../../platform/database/database.ts";
import type { Attempt, PeopleServices } from "./people-services.ts";
import { type Person, parseEmail, type Realm } from "./person.ts";
import { findPersonByEmail, findPersonForUpdate, type StoredPerson } from "./person-queries.ts";
import { type Origin, openSession } from "./sessions.ts";
import { accountThrottle, countAttempt, forgetAttempt, sourceThrottle } from "./throttle.ts";

/**
 * Logs a browser in by address and password. Whether the address has an account shows neither in the answer nor in its time.
 * After ten that failed within an hour this source waits for this account; others don't. @throws Refusal MAINTENANCE
 */
export async function logIn(
  services: PeopleServices,
  given: {
    readonly realm: Realm;
    readonly email: string;
    readonly password: string;
    /** See `sourceOf`. */
    readonly source: string;
    readonly origin: Origin;
  },
): Promise<Attempt> {
  const { database, passwords } = services;
  const { realm, source } = given;
  const email = parseEmail(given.email);
  const account = accountThrottle({ realm, email: email ?? "" }, source);
  const sourceWide = sourceThrottle("log-in", source);
  const locked = await countAttempt(services, [sourceWide, account]);
  if (locked !== null) return locked;
  const person = email === null ? null : await findPersonByEmail(database, realm, email);
  if (!(await passwords.isRight(person?.passwordHash ?? null, given.password)) || person === null) {
    return { kind: "wrong" };
  }
  await forgetAttempt(database, { account: [account], source: [sourceWide] });
  return database.transaction(async (tx) => {
    // Its password may have become another one while it was compared: then whoever set it has ended all sessions.
    const present = await findPersonForUpdate(tx, person.id);
    if (present?.passwordHash !== person.passwordHash) return { kind: "wrong" };
    return openFor(tx, services, { person: present, origin: given.origin });
  });
}

/** Opens the session of a person whose first factor was right. */
export async function openFor(
  tx: Tx,
  services: PeopleServices,
  { person, origin }: { readonly person: StoredPerson; readonly origin: Origin },
): Promise<Attempt> {
  const { id: personId, realm, hasTotp } = person;
  const level = hasTotp ? "password" : "second_factor";
  const token = await openSession(tx, services, { personId, realm, level, ...origin });
  return { kind: "in", token, needs: hasTotp ? "second_factor" : null, person: plainPerson(person) };
}

/** A person without what its secrets are checked against. */
export function plainPerson(stored: StoredPerson): Person {
  const { id, realm, email, name, emailVerifiedAt, hasPassword, hasTotp, hasPasskey } = stored;
  return { id, realm, email, name, emailVerifiedAt, hasPassword, hasTotp, hasPasskey };
}
