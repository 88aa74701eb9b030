import type { Tx } from "../../platform/database/database.ts";
import { takeOneTimeToken } from "./one-time-tokens.ts";
import type { Attempt, PeopleServices } from "./people-services.ts";
import { type Person, parseEmail, type Realm } from "./person.ts";
import { findPerson, findPersonByEmail, type StoredPerson } from "./person-queries.ts";
import { type Origin, openSession } from "./sessions.ts";
import { enter } from "./tell.ts";
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
  return openFor(database, services, { person, origin: given.origin });
}

/** Logs a browser in by a link that the operator made. It is good once, and asks for a second factor where there is one. */
export async function logInByLink(
  services: PeopleServices,
  { token, origin }: { readonly token: string; readonly origin: Origin },
): Promise<Attempt> {
  return services.database.transaction(async (tx) => {
    const taken = await takeOneTimeToken(tx, services, "log_in", token);
    const person = taken?.personId == null ? null : await findPerson(tx, taken.personId);
    if (person === null) return { kind: "wrong" };
    const attempt = await openFor(tx, services, { person, origin });
    await enter(tx, { person, command: "console log-in by link", details: { address: origin.address } });
    return attempt;
  });
}

/** Opens the session of a person whose first factor was right. */
async function openFor(
  db: Tx | PeopleServices["database"],
  services: PeopleServices,
  { person, origin }: { readonly person: StoredPerson; readonly origin: Origin },
): Promise<Attempt> {
  const { id: personId, realm, hasTotp } = person;
  const level = hasTotp ? "password" : "second_factor";
  const token = await openSession(db, services, { personId, realm, level, ...origin });
  return { kind: "in", token, needs: hasTotp ? "second_factor" : null, person: plainPerson(person) };
}

/** A person without what its secrets are checked against. */
export function plainPerson(stored: StoredPerson): Person {
  const { id, realm, email, name, emailVerifiedAt, hasPassword, hasTotp } = stored;
  return { id, realm, email, name, emailVerifiedAt, hasPassword, hasTotp };
}
