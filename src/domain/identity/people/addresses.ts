import type { Instant } from "../../../kernel/clock.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { violatedConstraint } from "../../../platform/database/database-errors.ts";
import { addressChanged, addressChangeRequested, changeAddress, verifyAddress } from "../emails/email-texts.ts";
import { deleteBackupCodes } from "./backup-code-queries.ts";
import { plainPerson } from "./log-in.ts";
import { linkTo, mintOneTimeToken, type OwnToken, takeOwnToken } from "./one-time-tokens.ts";
import { deletePasskeysOf } from "./passkey-queries.ts";
import { type Person, type PersonId, readEmail } from "./person.ts";
import { findPersonForUpdate, updatePersonClaimed, updatePersonEmail, updatePersonVerified } from "./person-queries.ts";
import { aboutPerson, enter, type Locked, type PeopleServices, type Stale, sendNotice } from "./send-notice.ts";
import { endSessionsOf, isFresh, type Session } from "./sessions.ts";
import { countAttempt, emailThrottle } from "./throttle.ts";
import { deleteTokensOf } from "./token-queries.ts";

/** Sends a link that confirms the person's address. */
export async function askVerification(
  services: PeopleServices,
  person: Person,
  publicUrl: string,
): Promise<{ readonly kind: "sent" | "verified" } | Locked> {
  if (person.emailVerifiedAt !== null) return { kind: "verified" };
  const requested = { act: "email", source: aboutPerson(person), throttles: [emailThrottle("own", person.id)] };
  const locked = await countAttempt(services, requested);
  if (locked !== null) return locked;
  return services.database.transaction(async (tx) => {
    const token = await mintOneTimeToken(tx, services, { purpose: "verify_email", personId: person.id });
    const link = linkTo(publicUrl, "/verify-email", token);
    await sendNotice(tx, services, person, (frame) => verifyAddress(frame, { link }));
    return { kind: "sent" };
  });
}

/**
 * Follows such a link, with a session of the same account: whoever else reads the mailbox must not confirm the account of a
 * stranger, who would keep its password.
 */
export function verifyEmail(
  services: PeopleServices,
  follower: OwnToken,
): Promise<{ readonly kind: "verified" | "refused" | "other_account" }> {
  const { database, clock } = services;
  return database.transaction(async (tx) => {
    const taken = await takeOwnToken(tx, services, "verify_email", follower);
    if (taken.kind !== "taken") return taken;
    const { person } = follower.session;
    await updatePersonVerified(tx, person.id, clock.now());
    await enter(tx, { person, command: "console address verify" });
    return { kind: "verified" };
  });
}

/**
 * Sends a link to another address, which becomes the person's by following it, and tells the present one. Whether the other
 * one has an account shows only there. @throws Refusal VALIDATION_ERROR
 */
export async function askEmailChange(
  services: PeopleServices,
  session: Session,
  given: { readonly email: string; readonly publicUrl: string },
): Promise<{ readonly kind: "sent" | "same" } | Locked | Stale> {
  const { person } = session;
  if (!isFresh(session, services.clock.now())) return { kind: "stale" };
  const email = readEmail(given.email);
  if (email === person.email) return { kind: "same" };
  const throttles = [emailThrottle("own", person.id), emailThrottle("change", email)];
  const locked = await countAttempt(services, { act: "email", source: aboutPerson(person), throttles });
  if (locked !== null) return locked;
  return services.database.transaction(async (tx) => {
    const requested = { purpose: "change_email", personId: person.id, payload: email } as const;
    const at = person.realm === "staff" ? "/operator/change-email" : "/change-email";
    const link = linkTo(given.publicUrl, at, await mintOneTimeToken(tx, services, requested));
    await sendNotice(tx, services, { email, name: person.name }, (frame) => changeAddress(frame, { link }));
    await sendNotice(tx, services, person, (frame) => addressChangeRequested(frame, { email }));
    await enter(tx, { person, command: "console address ask", details: { email } });
    return { kind: "sent" };
  });
}

type EmailChange =
  | { readonly kind: "changed"; readonly person: Person }
  | { readonly kind: "refused" | "taken" | "other_account" };

/**
 * Follows such a link, with a session of the same account. Every other link that was sent to the person is good no longer.
 * The address before is told.
 */
export async function changeEmail(services: PeopleServices, follower: OwnToken): Promise<EmailChange> {
  const { database, clock } = services;
  try {
    return await database.transaction(async (tx): Promise<EmailChange> => {
      const taken = await takeOwnToken(tx, services, "change_email", follower);
      if (taken.kind !== "taken") return taken;
      const before = await findPersonForUpdate(tx, follower.session.person.id);
      const email = taken.payload;
      if (before === null || email === null) return { kind: "refused" };
      if (!(await updatePersonEmail(tx, before.id, email, clock.now()))) return { kind: "taken" };
      await deleteTokensOf(tx, before.id);
      await sendNotice(tx, services, before, (frame) => addressChanged(frame, { email }));
      await enter(tx, { person: before, command: "console address change", details: { email } });
      return { kind: "changed", person: plainPerson({ ...before, email, emailVerifiedAt: clock.now() }) };
    });
  } catch (error) {
    // Somebody signed up with it in the same moment.
    if (violatedConstraint(error) === "people_email_once_a_realm") return { kind: "taken" };
    throw error;
  }
}

/**
 * Somebody proved a person's address, but not that the account is theirs. One that never confirmed the address may be a
 * stranger's, who signed up with it: its sessions, password, factors and links end, and the address is confirmed. One that
 * did stays as it is. Locks the person's row.
 */
export async function claimAddress(tx: Tx, id: PersonId, now: Instant): Promise<boolean> {
  if (!(await updatePersonClaimed(tx, id, now))) return false;
  await endSessionsOf(tx, id, null);
  await deletePasskeysOf(tx, id);
  await deleteBackupCodes(tx, id);
  await deleteTokensOf(tx, id);
  return true;
}
