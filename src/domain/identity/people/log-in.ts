import type { Tx } from "../../../platform/database/database.ts";
import { type Person, parseEmail, type Realm } from "./person.ts";
import { findPersonByEmail, findPersonForUpdate, type StoredPerson } from "./person-queries.ts";
import { type Attempt, aboutPerson, type PeopleServices } from "./send-notice.ts";
import { type Origin, openSession } from "./sessions.ts";
import { accountThrottles, attempt, isKnownSource, rememberSource, sourceThrottle } from "./throttle.ts";

/**
 * Logs a browser in by address and password. Whether the address has an account shows neither in the answer nor in its time.
 * After ten that failed within an hour this source waits for this account; after twenty from all sources that nobody logged in
 * from, all those do. @throws Refusal MAINTENANCE
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
  const { database, passwords, security } = services;
  const { realm, source } = given;
  const account = { realm, email: parseEmail(given.email) ?? "" };
  const isKnown = await isKnownSource(services, account, source);
  const throttles = [sourceThrottle("log-in", source), ...accountThrottles(account, source, isKnown)];
  return attempt(services, { act: "log-in", source, throttles, isKnown }, async (place): Promise<Attempt> => {
    const person = account.email === "" ? null : await findPersonByEmail(database, realm, account.email);
    if (!(await passwords.isRight(person?.passwordHash ?? null, given.password, place)) || person === null) {
      security.note({ kind: "log_in_failed", source, about: aboutPerson(person) });
      return { kind: "wrong" };
    }
    const opened = await database.transaction(async (tx): Promise<Attempt> => {
      // Its password may have become another one while it was compared: then whoever set it has ended all sessions.
      const present = await findPersonForUpdate(tx, person.id);
      if (present?.passwordHash !== person.passwordHash) return { kind: "wrong" };
      return openFor(tx, services, { person: present, origin: given.origin });
    });
    if (opened.kind === "in" && opened.needs === null) await rememberSource(services, account, source);
    return opened;
  });
}

/** Opens the session of a person whose first factor was right. */
export async function openFor(
  tx: Tx,
  services: PeopleServices,
  { person, origin }: { readonly person: StoredPerson; readonly origin: Origin },
): Promise<Attempt> {
  const { id: personId, realm, hasTotp, hasPasskey } = person;
  const level = hasTotp ? "password" : "second_factor";
  // A person with a passkey is asked for it before anything sensitive.
  const token = await openSession(tx, services, { personId, realm, level, isFresh: !hasPasskey, ...origin });
  return { kind: "in", token, needs: hasTotp ? "second_factor" : null, person: plainPerson(person) };
}

/** A person without what its secrets are checked against. */
export function plainPerson(stored: StoredPerson): Person {
  const { id, realm, email, name, emailVerifiedAt, hasPassword, hasTotp, hasPasskey } = stored;
  return { id, realm, email, name, emailVerifiedAt, hasPassword, hasTotp, hasPasskey };
}
