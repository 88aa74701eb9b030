import type { Tx } from "../../../platform/database/database.ts";
import { passwordChanged, resetPassword as resetEmail } from "../emails/email-texts.ts";
import { claimAddress } from "./addresses.ts";
import { deleteFailures } from "./failure-queries.ts";
import { plainPerson } from "./log-in.ts";
import { linkTo, mintOneTimeToken, takeOneTimeToken } from "./one-time-tokens.ts";
import { deletePasskeysOf } from "./passkey-queries.ts";
import { type Person, parseEmail, type Realm } from "./person.ts";
import { findPerson, findPersonByEmail, type StoredPerson, updatePersonPassword } from "./person-queries.ts";
import { aboutPerson, enter, type Locked, nobody, type PeopleServices, type Stale, sendNotice } from "./send-notice.ts";
import { deleteSessionOf } from "./session-queries.ts";
import { endSessionsOf, hashToken, isFresh, type Origin, openSession, type Session } from "./sessions.ts";
import { accountSubject, countAttempt, sourceThrottle, strangerThrottles } from "./throttle.ts";
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
  const { source } = given;
  const locked = await countAttempt(services, { act: "reset", source, throttles: [sourceThrottle("reset", source)] });
  if (locked !== null) return locked;
  const email = parseEmail(given.email);
  if (email === null) return { kind: "sent" };
  // A request for more emails than these gets the same answer, and no email goes.
  const emails = {
    act: "email",
    source,
    throttles: await strangerThrottles(services, { realm: given.realm, email }, source),
  };
  if ((await countAttempt(services, emails)) !== null) return { kind: "sent" };
  const person = await findPersonByEmail(database, given.realm, email);
  services.security.note({ kind: "reset_asked", source, about: aboutPerson(person) });
  await database.transaction(async (tx) => {
    const personId = person?.id ?? null;
    const token = await mintOneTimeToken(tx, services, { purpose: "reset_password", personId });
    const link = linkTo(
      given.publicUrl,
      given.realm === "staff" ? "/operator/reset-password" : "/reset-password",
      token,
    );
    await sendNotice(tx, services, person ?? nobody, (frame) => resetEmail(frame, { link }));
  });
  return { kind: "sent" };
}

export interface NewPassword {
  readonly token: string;
  readonly password: string;
  readonly removesPasskeys?: boolean;
}

type Reset = { readonly kind: "reset"; readonly person: Person } | { readonly kind: "refused" };

/** The person whose password a link sets; null where it is good no longer. */
export async function findReset(
  { database, clock }: Pick<PeopleServices, "database" | "clock">,
  token: string,
): Promise<StoredPerson | null> {
  const found = await findToken(database, { hash: hashToken(token), purpose: "reset_password", now: clock.now() });
  return found?.personId == null ? null : findPerson(database, found.personId);
}

/**
 * Sets the password that a link was followed for, once. Every session of the person ends, no other link of its is good any
 * more, and who waited after wrong passwords waits no longer. An account that never confirmed its address loses its factors
 * as well, others their passkeys where that is asked for. A password that is refused leaves the link good.
 * @throws Refusal VALIDATION_ERROR, MAINTENANCE
 */
export async function resetPassword(
  services: PeopleServices,
  { token, password, removesPasskeys = false }: NewPassword,
): Promise<Reset> {
  const { database, clock, passwords } = services;
  const person = await findReset(services, token);
  if (person === null) return { kind: "refused" };
  passwords.check(password, person);
  const passwordHash = await passwords.hash(password);
  return database.transaction(async (tx): Promise<Reset> => {
    const taken = await takeOneTimeToken(tx, services, "reset_password", token);
    if (taken?.personId !== person.id) return { kind: "refused" };
    // The link came by an email to the address.
    await claimAddress(tx, person.id, clock.now());
    const passkeys = removesPasskeys ? await deletePasskeysOf(tx, person.id) : 0;
    await setPassword(tx, services, person, passwordHash);
    await enter(tx, { person, command: "console password reset", details: passkeys > 0 ? { passkeys } : {} });
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
    // Hashing takes a while: the session may have ended since, as somebody proved that the address is theirs.
    if (!(await deleteSessionOf(tx, person.id, session.hash))) return { kind: "stale" };
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
  await sendNotice(tx, services, person, passwordChanged);
}
