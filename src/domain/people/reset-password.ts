import type { Tx } from "../../platform/database/database.ts";
import { passwordChanged, resetPassword as resetLetter } from "../letters/letter-texts.ts";
import { deleteFailures } from "./failure-queries.ts";
import { linkTo } from "./links.ts";
import { plainPerson } from "./log-in.ts";
import { mintOneTimeToken, takeOneTimeToken } from "./one-time-tokens.ts";
import type { Locked, PeopleServices, Stale } from "./people-services.ts";
import { type Person, parseEmail, type Realm } from "./person.ts";
import { findPerson, findPersonByEmail, updatePersonPassword, updatePersonVerified } from "./person-queries.ts";
import { endSessionsOf, hashToken, isFresh, type Origin, openSession, type Session } from "./sessions.ts";
import { enter, nobody, tellPerson } from "./tell.ts";
import { accountSubject, countAttempt, letterThrottle, sourceThrottle } from "./throttle.ts";
import { deleteTokensOf, findToken } from "./token-queries.ts";

/** Sends a link to choose a new password, where the address has an account. The answer is the same where it has none. */
export async function askReset(
  services: PeopleServices,
  given: {
    readonly realm: Realm;
    readonly email: string;
    readonly source: string;
    readonly publicUrl: string;
  },
): Promise<{ readonly kind: "sent" } | Locked> {
  const { database } = services;
  const locked = await countAttempt(services, [sourceThrottle("reset", given.source)]);
  if (locked !== null) return locked;
  const email = parseEmail(given.email);
  // Whoever has more letters sent than these is told the same, and no letter goes.
  if (email === null || (await countAttempt(services, [letterThrottle(email)])) !== null) return { kind: "sent" };
  const person = await findPersonByEmail(database, given.realm, email);
  await database.transaction(async (tx) => {
    const personId = person?.id ?? null;
    const token = await mintOneTimeToken(tx, services, { purpose: "reset_password", personId });
    const link = linkTo(given.publicUrl, "/reset-password", token);
    await tellPerson(tx, services, person ?? nobody, (frame) => resetLetter(frame, { link }));
  });
  return { kind: "sent" };
}

type Reset = { readonly kind: "reset"; readonly person: Person } | { readonly kind: "refused" };

/**
 * Sets the password that a link was followed for, once. Every session of the person ends, no other link of its is good any
 * more, and who waited after wrong passwords waits no longer. A password that is refused leaves the link good.
 * @throws Refusal VALIDATION_ERROR, MAINTENANCE
 */
export async function resetPassword(
  services: PeopleServices,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<Reset> {
  const { database, clock, passwords } = services;
  const hash = hashToken(token);
  const found = await findToken(database, { hash, purpose: "reset_password", now: clock.now() });
  const person = found?.personId == null ? null : await findPerson(database, found.personId);
  if (person === null) return { kind: "refused" };
  passwords.check(password, person);
  const passwordHash = await passwords.hash(password);
  return database.transaction(async (tx): Promise<Reset> => {
    const taken = await takeOneTimeToken(tx, services, "reset_password", token);
    if (taken?.personId !== person.id) return { kind: "refused" };
    // The link came by a letter to the address.
    await updatePersonVerified(tx, person.id, clock.now());
    await setPassword(tx, services, person, passwordHash);
    await enter(tx, { person, command: "console password reset" });
    return { kind: "reset", person: plainPerson({ ...person, hasPassword: true }) };
  });
}

/**
 * Gives a person who is logged in another password. Every browser is logged out but this one, whose session goes on under
 * another token. @throws Refusal VALIDATION_ERROR, MAINTENANCE
 */
export async function changePassword(
  services: PeopleServices,
  session: Session,
  { password, origin }: { readonly password: string; readonly origin: Origin },
): Promise<{ readonly kind: "changed"; readonly token: string } | Stale> {
  const { database, clock, passwords } = services;
  const { person } = session;
  if (!isFresh(session, clock.now())) return { kind: "stale" };
  passwords.check(password, person);
  const passwordHash = await passwords.hash(password);
  return database.transaction(async (tx) => {
    await setPassword(tx, services, person, passwordHash);
    const token = await openSession(tx, services, {
      ...{ personId: person.id, realm: person.realm, level: "second_factor" },
      ...origin,
    });
    await enter(tx, { person, command: "console password change" });
    return { kind: "changed", token };
  });
}

async function setPassword(tx: Tx, services: PeopleServices, person: Person, passwordHash: string): Promise<void> {
  await updatePersonPassword(tx, person.id, passwordHash);
  await endSessionsOf(tx, person.id, null);
  await deleteTokensOf(tx, person.id);
  await deleteFailures(tx, accountSubject(person), null);
  await tellPerson(tx, services, person, passwordChanged);
}
